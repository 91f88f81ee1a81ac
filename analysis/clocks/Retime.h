// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/clocks/TimeMap.h"
#include "trace/Trace.h"
#include "trace/Work.h"

#include <memory>
#include <span>

namespace laggard {

/// The same trace with other times: those of location l go through `maps[l]` (one for each location), those of a process through
/// the map of its main location. Order and partners stay; how many messages are received before they were sent, and by how much,
/// is counted anew. `range` holds all new times. Throws Cancelled.
[[nodiscard]] std::shared_ptr<Trace> retimed(const Trace &trace, std::span<const TimeMap> maps, const Work &work);

} // namespace laggard
