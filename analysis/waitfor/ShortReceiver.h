// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/waitfor/JobView.h"
#include "analysis/waitfor/WaitForGraph.h"

#include <optional>
#include <vector>

namespace laggard {

/// A rank that has received of all senders but some, which stand in their sends to it, and has gone on to another call: one that
/// collects, and leaves out the last.
struct ShortReceiver {
    Rank rank = none;
    RankSet senders;            ///< that stand, sorted
    RankSet served;             ///< the others, sorted: two or more
    CallPathId callPath = none; ///< by which it received of all of them
    std::uint32_t times = 0;    ///< that it received of each of the senders by that call; of the others once more
};
/// The only one among `members`, by one call that received of each sender twice or more. Nothing where earlier messages are lost.
[[nodiscard]] std::optional<ShortReceiver> onlyShortReceiver(const JobView &job, const std::vector<Wait> &waits,
                                                             const RankSet &members);

} // namespace laggard
