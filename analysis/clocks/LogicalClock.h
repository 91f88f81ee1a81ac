// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/clocks/Dependences.h"
#include "analysis/clocks/TimeMap.h"
#include "trace/Trace.h"
#include "trace/Work.h"

#include <memory>
#include <string>
#include <vector>

namespace laggard {

/// Where the clocks of a trace contradict it: times alone, nothing is put right.
struct ClockViolations {
    std::uint64_t messages = 0;    ///< received before they were sent
    std::uint64_t collectives = 0; ///< collectives that a member has left before all whose data it needs had come
    Tick largest = 0;              ///< by how much, at most

    [[nodiscard]] bool any() const { return messages + collectives != 0; }
};
[[nodiscard]] ClockViolations findViolations(const Trace &trace, const Work &work);

struct LogicalClockOptions {
    /// How much of an interval must be left where times are moved back towards what the clock said (Rabenseifner's γ).
    double control = 0.99;
    Tick leastLatency = 0; ///< the least that any message takes (Rabenseifner's μ)
};

/// Other times for all locations under which no message is received before it was sent, and nobody leaves a collective before all
/// whose data it needs have come: the controlled logical clock (Rabenseifner 1997; Becker, Rabenseifner, Wolf 2009), with forward
/// and backward amortization.
struct LogicalClock {
    std::vector<TimeMap> maps; ///< by location; identity where nothing was wrong. Empty if `problem` says something
    Tick largestShift = 0;     ///< the largest shift of any event
    std::string problem;       ///< a sentence, where the trace contradicts itself, so that no clock can be right
};

/// Order of a location's events stays; times never move back; intervals keep their lengths but for one hundredth (1 - control),
/// apart from those that a wrong clock had at a receive, and those before a send that cannot be moved any further. Linear in the
/// number of messages and completions of collectives. Throws Cancelled.
[[nodiscard]] LogicalClock correctClocks(const Dependences &dependences, const Work &work,
                                         const LogicalClockOptions &options = {});

/// What is told of a trace whose clocks disagree.
struct ClockReport {
    ClockViolations before;
    ClockViolations after; ///< by the controlled logical clock
    Tick largestShift = 0; ///< the largest shift of any event by that clock
    std::string problem;   ///< as LogicalClock::problem: then `after` means nothing
};

/// nullptr where no clock is wrong. `right` gets the trace with the times put right, if it is not nullptr and they could be.
[[nodiscard]] std::shared_ptr<const ClockReport> reportClocks(const Trace &trace, const Work &work,
                                                              std::shared_ptr<const Trace> *right = nullptr);

} // namespace laggard
