// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/stacks/StandingRanks.h"

#include <vector>

namespace laggard {

/// For whom a rank waits, as far as the arguments of its call and the library's own requests tell.
struct RankWaits {
    RankSet messages; ///< that should send to it, or receive from it
    RankSet inside;   ///< whose part in its collective is missing
};

/// Who waits for whom. What two ranks stand in and what fits together (sender, receiver, tags) is about to be done, and nobody
/// waits for it.
struct AwaitedRanks {
    std::vector<RankWaits> waits; ///< by rank
    /// Ranks whose message others wait for, through however many, and that themselves wait for no message that is known; sorted.
    RankSet ends;
    /// Ranks that wait for each other's messages, and for nobody else's; each sorted, in order of their lowest.
    std::vector<RankSet> cycles;
    /// Ranks that all waiting, for messages and in collectives, leads to, and that wait for each other at most; sorted.
    RankSet last;
};

[[nodiscard]] AwaitedRanks findAwaited(const Trace &job, const MpiCallTable &calls, const std::vector<StandingRank> &standing);

/// Ranks that wait in one collective: the same operation, on one communicator, with one root, as far as these are known.
struct CollectivePlace {
    RankSet ranks;
    /// Whom they wait for: who of the communicator is elsewhere, or, where the library's requests tell, those of them that are
    /// awaited. Empty: not known.
    RankSet lacking;
};

/// The collectives of `ranks`, which all stand in one. Those whose communicator is not known are left out.
[[nodiscard]] std::vector<CollectivePlace> collectivePlaces(const Trace &job, const MpiCallTable &calls,
                                                            const std::vector<StandingRank> &standing, const RankSet &ranks,
                                                            const AwaitedRanks &waits);

/// The numbers of these ranks in the job; nothing: the communicator is not known. `rankCount`: of the job.
[[nodiscard]] std::optional<RankSet> membersOf(const MpiArguments *arguments, std::size_t rankCount);

} // namespace laggard
