// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/waitfor/JobView.h"
#include "analysis/waitfor/WaitForGraph.h"

#include <optional>
#include <vector>

namespace laggard {

/// The only one of `members` (sorted) that waits for a message of a rank, or with a tag, of which its call at this point of
/// earlier rounds received none; or that has left its rounds by such a receive before (OddReceive::took), while the message that
/// it received there until then lies untaken. Of recordings: only what the call said itself counts.
[[nodiscard]] std::optional<OddReceive> onlyOddReceive(const JobView &job, const std::vector<Wait> &waits,
                                                       const RankSet &members);

} // namespace laggard
