// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/stacks/StandingRanks.h"

#include <vector>

namespace laggard {

/// Who waits for a message of whom, or for its being received, as far as the arguments of their calls tell: those on
/// MPI_COMM_WORLD, whose peers are ranks of the job. What two ranks stand in and what fits together (sender, receiver, tags) is
/// about to be done, and nobody waits for it.
struct AwaitedRanks {
    std::vector<Rank> awaited; ///< by rank; `none`: it waits for nobody that is known
    /// Ranks that others wait for, through however many, and that themselves wait for no single rank that is known; sorted.
    RankSet ends;
    /// Ranks that wait for each other round about; each sorted, in order of their lowest.
    std::vector<RankSet> cycles;
};

[[nodiscard]] AwaitedRanks findAwaited(const MpiCallTable &calls, const std::vector<StandingRank> &standing);

} // namespace laggard
