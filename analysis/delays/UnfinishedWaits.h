// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/waitfor/WaitForGraph.h"

#include <vector>

namespace laggard {

/// What waits that have not ended cost, up to the moment at which the job was looked at: DelayReport has those that ended.
struct UnfinishedWaits {
    double waiting = 0;                ///< rank-seconds
    std::vector<double> waitedSeconds; ///< by rank: how long it has waited
    /// By rank: how long others have waited for it, in sum. For those whom the verdict names; where others wait for several of
    /// them, each has an equal part.
    std::vector<double> causedSeconds;
    bool isNobodys = false; ///< ranks wait, and nobody is named: such waits are not counted
    [[nodiscard]] bool any() const { return waiting > 0; }
};

/// The time of each rank that waits for one that the verdict of `waits` names, directly or through others, since it entered its
/// call. Nothing where nobody is named. Of ranks in a cycle, each waits for the others. Linear in the waits for each rank named,
/// up to a few; where more are named, all of them together count as one, and share equally.
[[nodiscard]] UnfinishedWaits findUnfinishedWaits(const Trace &trace, const WaitForGraph &waits);

} // namespace laggard
