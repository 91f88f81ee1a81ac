// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/waitfor/CollectiveOpinion.h"
#include "analysis/waitfor/JobView.h"
#include "trace/RankSet.h"

#include <optional>

namespace laggard {

/// Members of a communicator that disagree about one collective (an error by MPI 3.1 §5.1).
struct CollectiveMismatch {
    RankSet waiters;     ///< inside, and with the most members of their opinion
    RankSet odd;         ///< the others; if all are odd to those that have left the collective, `waiters` are those inside
    bool isEven = false; ///< another opinion has as many members as that of the waiters
    CollectiveDifference difference = CollectiveDifference::None;
    double confidence = 1; ///< less than even where the communicators are inferred
    std::string evidence;  ///< a sentence
};

/// What the members record of a collective, those that are inside, those that have posted it, and those that have left it.
/// Nothing if they agree. Where calls do not record it on entry (archives), only the names of open calls are compared, if all
/// ranks of the job stand in collectives and all members in this one. `members` and `inside` are sorted.
[[nodiscard]] std::optional<CollectiveMismatch> findMismatch(const JobView &job, CommunicatorId communicator,
                                                             std::uint32_t number, const RankSet &members, const RankSet &inside);

} // namespace laggard
