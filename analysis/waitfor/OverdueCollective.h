// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/waitfor/WaitForGraph.h"

#include <optional>

namespace laggard {

class JobView;

/// A rank that goes through more rounds than there ever were between two collectives of a communicator, while others wait for it
/// in the next one. Its rounds are the calls at the path of the call that it is in.
struct OverdueCollective {
    Rank rank = none;
    Rank creditor = none;       ///< one of those that wait in the collective
    CallPathId expected = none; ///< the call that made it the last time or, if there is none, that the creditor is in
    CallPathId round = none;    ///< the call that the rank is in
    std::uint32_t every = 0;    ///< rounds between two collectives
    std::uint32_t times = 0;    ///< so it was so often on this rank; 0: it was not always the same
    std::uint32_t made = 0;     ///< collectives at the call that is awaited, by this rank so far
    std::uint32_t peers = 0;    ///< ranks that came to it after just so many rounds this time
    double confidence = 0;
};

/// The only one of `members`, who wait for each other, that is so, by its own habit (two intervals or more of one length), or
/// because three or more others, with as many rounds in the interval before, came to the collective after equally many. Those
/// that wait must have come in time: else one of them may have left a round too early. Recordings and archives with their
/// beginning. Linear in the calls of at most 64 ranks for each collective that members wait in.
[[nodiscard]] std::optional<OverdueCollective> onlyOverdue(const JobView &job, const std::vector<Wait> &waits,
                                                           const RankSet &members);

/// True if `debtor`, whom others wait for in a collective, is within the rounds that there always were between two of them, while
/// all that wait came to it after fewer than ever: then they may have left their rounds too early. Linear as above.
[[nodiscard]] bool othersCameEarly(const JobView &job, const Wait &wait, Rank debtor);

} // namespace laggard
