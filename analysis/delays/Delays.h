// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/delays/LongWaits.h"
#include "analysis/delays/WaitSegments.h"
#include "trace/Trace.h"
#include "trace/Work.h"

#include <optional>
#include <vector>

namespace laggard {

/// Waiting of others that a rank caused by what it did at one call path.
struct Delay {
    Rank rank = none;
    CallPathId callPath = none; ///< where it was meanwhile; `none` outside all recorded calls
    double seconds = 0;         ///< rank-seconds of waiting caused, passed on through ranks that were waiting themselves
    bool transit = false;       ///< in a call that exchanges data: counts as `DelayReport::transit`
    bool once = false;          ///< before or behind what the rank does again and again: counts as `DelayReport::onceSeconds`
};

/// Who made the others wait, and how much, in a stretch of time. For jobs that move: slow is not hung.
struct DelayReport {
    TimeRange window;
    double waiting = 0;                ///< rank-seconds spent waiting in calls that returned
    double total = 0;                  ///< rank-seconds of all ranks in the window
    std::vector<double> waitedSeconds; ///< by rank: how long it waited
    /// By rank: how much waiting of others it caused, outside `transit`, in the time in which it does the same again and again
    /// (repeatingParts).
    std::vector<double> causedSeconds;
    /// By rank: the same in its start, set-up and end. Nothing tells how long these usually take.
    std::vector<double> onceSeconds;
    /// Rank-seconds during which whom it was for was itself in a call that exchanges data and waited for nobody: what it was to
    /// get had been sent and was not there yet, or it had no processor. Nobody's doing. With `causedSeconds` and `onceSeconds`
    /// all of `waiting`.
    double transit = 0;
    std::vector<Delay> delays;     ///< falling, transit included; those of at least a thousandth of all waiting
    std::optional<Delay> leading;  ///< the largest of the rank that caused most (`causedSeconds`)
    DelayedRanks delayed;          ///< with `leading`: who waited for that rank, and when longest
    std::vector<LongWait> longest; ///< waits of the window, longest first, each stretch of time once; at most `mostLongest`
    static constexpr std::size_t mostLongest = 12;
    /// True if one rank stands out: it causes a quarter of all waiting, twice as much as any other, and waiting takes 2 % of the
    /// time.
    bool standsOut = false;
};

/// Waiting is charged to whom it was for (findWaitSegments); where that rank was itself waiting meanwhile, to whom that was for,
/// and so on, up to 16 steps. What remains is charged to the call path at which the rank spent the time. Throws Cancelled.
[[nodiscard]] DelayReport findDelays(const Trace &trace, TimeRange window, const Work &work);

/// The same from waits that are known: `segments` are those that findWaitSegments finds in `window`.
[[nodiscard]] DelayReport findDelays(const Trace &trace, TimeRange window, const std::vector<WaitSegments> &segments,
                                     const Work &work);

} // namespace laggard
