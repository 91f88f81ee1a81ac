// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ingest/OpenOptions.h"
#include "ingest/assembly/Linking.h"
#include "ingest/assembly/PartialTrace.h"

namespace laggard {

/// Once all locations are read and `trace.range` is known: links messages and collectives, keeps of them what belongs to the part
/// that was asked for, and notes which part that is. `earlier`: as for linkMessages. Throws Cancelled, and ReadError if the part
/// is nothing.
void linkTrace(const OpenOptions &options, const TimeCut &cut, const Work &work, Trace &trace,
               std::span<const EarlierMessages> earlier = {});

} // namespace laggard
