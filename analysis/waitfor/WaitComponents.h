// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/waitfor/WaitForGraph.h"

namespace laggard {

/// Ranks at which chains of waits end: they wait for nobody outside, and others wait for them.
struct WaitEnd {
    RankSet ranks;           ///< one rank, or several that wait for each other
    std::size_t waiting = 0; ///< ranks outside that wait for these, directly or through others
    double confidence = 0;   ///< mean over the waiting ranks of the best chain to here, a chain being as sure as its weakest wait
    RankSet waitingRanks;    ///< filled by describeWaiting only
};

/// The ends of all chains of waits: bottom components of the graph of ranks, with a node between for each Wait, so that cost is
/// linear in the ranks named by `waits`. Largest `waiting` first, then by rank. Of single ranks, only those that others wait for.
/// `confidence` is not filled.
[[nodiscard]] std::vector<WaitEnd> findWaitEnds(std::size_t rankCount, const std::vector<Wait> &waits);

/// Fills `waiting`, `waitingRanks` and `confidence` of ranks that need not be an end.
void describeWaiting(std::size_t rankCount, const std::vector<Wait> &waits, WaitEnd &end);

} // namespace laggard
