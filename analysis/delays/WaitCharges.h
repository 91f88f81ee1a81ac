// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/delays/WaitSegments.h"

#include <vector>

namespace laggard {

/// Waiting of others while a rank was at a call path.
struct WaitCharge {
    CallPathId callPath = none; ///< the innermost one; `none` outside all recorded calls
    bool once = false;          ///< outside of what the rank does again and again
    Tick ticks = 0;             ///< rank-ticks: the time, times the ranks that waited
    bool operator==(const WaitCharge &) const = default;
};

/// Charges all waits to what the ranks did that they were for, and where those were waiting themselves, to whom that was for, up
/// to 16 steps. By rank, then call path, `once` behind; each path at most twice. `waits` and `parts` (what each rank does again
/// and again, repeatingParts) by rank.
///
/// A stretch of a rank's time is looked at once for all that waited for it at that step: linear in waits and calls for each step,
/// but for sorting. Throws Cancelled.
[[nodiscard]] std::vector<std::vector<WaitCharge>> chargeWaits(const Trace &trace, const std::vector<WaitSegments> &waits,
                                                               const std::vector<TimeRange> &parts, const Work &work);

} // namespace laggard
