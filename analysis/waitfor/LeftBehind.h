// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/waitfor/WaitForGraph.h"

#include <optional>

namespace laggard {

class JobView;

/// A rank that waits for a message of another one, which has gone through several rounds since: it has sent messages to others,
/// which took them, and none to that rank, in the whole run.
struct LeftBehind {
    Rank rank = none;
    Rank from = none;
    Tick since = 0;           ///< when it began to wait
    std::uint64_t rounds = 0; ///< the most messages since then that one call of `from` sent
    CallPathId sentBy = none; ///< that call
};

/// The only one of `members`, who wait for each other, that is so; nothing if there are several. Linear in the messages of those
/// waited for. Needs a trace whose messages are matched.
[[nodiscard]] std::optional<LeftBehind> findLeftBehind(const JobView &job, const std::vector<Wait> &waits,
                                                       const RankSet &members);

} // namespace laggard
