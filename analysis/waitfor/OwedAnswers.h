// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/waitfor/JobView.h"
#include "analysis/waitfor/WaitForGraph.h"

#include <optional>
#include <vector>

namespace laggard {

/// The only rank that owes answers: messages with one tag that are each sent to whom a message with another tag on the same
/// communicator came from, once for each, in ten exchanges or more of all ranks, and three or more of its own. It is due for more
/// than a second, and ten times as long as ever. Who waits for an answer itself may owe one because of that, and so may who waits
/// for somebody else than those who wait for it. Told is the one that is due for longest. Nothing where several
/// ranks could be the one. Whole recordings and archives only.
/// Linear in the latest messages. Throws Cancelled.
[[nodiscard]] std::optional<MissingSend> onlyOwedAnswer(const JobView &job, const std::vector<Wait> &waits, const Work &work);

} // namespace laggard
