// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/waitfor/JobView.h"
#include "analysis/waitfor/WaitForGraph.h"

#include <optional>
#include <vector>

namespace laggard {

/// A rank that has sent the last message by one call to each of those that it sends to, and has gone on without it to some that
/// wait for a message of it: a master that sends the order to stop to all workers but one. Until then it sent them all messages
/// by the same call.
struct LastWord {
    Rank rank = none;
    RankSet left;               ///< those without it, which wait, sorted
    RankSet told;               ///< the others, sorted: two or more
    CallPathId callPath = none; ///< by which these got it, each of them once
};
/// The only one among `members`. Nothing of a rank whose earlier events are lost, or that sends in several threads.
[[nodiscard]] std::optional<LastWord> onlyLastWord(const JobView &job, const std::vector<Wait> &waits, const RankSet &members);

} // namespace laggard
