// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/waitfor/WaitForGraph.h"

#include <optional>
#include <vector>

namespace laggard {

class JobView;

/// Of the two ends of a message whose tag does not fit, the one that did otherwise in three or more earlier rounds, while the
/// other does as ever: the sender's call has always sent the tag that is awaited, and never this one to anybody; or the receiver
/// has always received the tag that was sent, and never the one that it asks for. Nothing where tags change, or where the
/// beginning of either is lost, or where the same call on another rank sends the tag as well: then it has changed for all.
/// Linear in the messages of both, and of at most 256 other ranks.
[[nodiscard]] std::optional<Rank> oddEndByTag(const JobView &job, const MisfitMessage &misfit);

/// The same for tags that are numbers, and rise or fall by the same each time: the end whose row of them has one other step,
/// while that of the other one, with the tag that it asks for, has none. Three equal steps or more of each. Linear in their
/// messages.
[[nodiscard]] std::optional<Rank> oddEndByTagStep(const JobView &job, const MisfitMessage &misfit);

/// Of two ranks that each wait for a message of the other, with tags that are numbers: the one whose tag is one step from that of
/// its last receive from the other which never came before, while that of the other is as most often. Ten receives or more of
/// each. `made` is the call that asks. Linear in their messages.
[[nodiscard]] std::optional<HabitBreak> oddOfTwoByTagStep(const JobView &job, const std::vector<Wait> &waits, const RankSet &two);

} // namespace laggard
