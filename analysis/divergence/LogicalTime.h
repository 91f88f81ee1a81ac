// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/Trace.h"
#include "trace/Work.h"

#include <cstdint>
#include <vector>

namespace laggard {

/// A moment of a rank whose logical time is asked for.
struct LogicalQuestion {
    Tick time = openEnd;
    bool after = false; ///< true: what the rank did at `time` itself counts
};

/// Logical times (L. Lamport, *Time, clocks, and the ordering of events in a distributed system*, 1978) of one moment of each
/// rank's main thread, by rank: how long the longest chain of sends, receives and collectives is that led there. What happened
/// before has the smaller one; of two that did not, either may have. A collective is a message from each member to each. Receives
/// and collectives that contradict each other (damage) are taken as they come. Linear in messages and collectives. Throws
/// Cancelled.
[[nodiscard]] std::vector<std::uint64_t> logicalTimes(const Trace &trace, const std::vector<LogicalQuestion> &questions,
                                                      const Work &work);

} // namespace laggard
