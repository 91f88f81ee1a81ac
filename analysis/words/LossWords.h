// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/Trace.h"

#include <string>

namespace laggard {

/// " Some events of rank 3 could not be read, so take this with care.": what to add to a verdict where something was lost; empty
/// where all was read.
[[nodiscard]] std::string lossClause(const Trace &trace);

/// " Only ranks 0-3 of 64, from 1 s to 2 s, were read: …" of a trace that was read in part; else empty.
[[nodiscard]] std::string partClause(const Trace &trace);

} // namespace laggard
