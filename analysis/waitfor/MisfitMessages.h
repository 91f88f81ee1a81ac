// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/waitfor/JobView.h"
#include "analysis/waitfor/WaitForGraph.h"

#include <optional>

namespace laggard {

/// Messages that the open receive of `rank` (also in MPI_Wait and the like) waits for, and which were sent and not received.
/// Empty where the rank was seen not to have got into the MPI library.
[[nodiscard]] std::vector<LostMessage> lostMessages(const JobView &job, Rank rank);

/// The only such message that one of `senders` sent to one of `receivers` (both sorted); nothing if there are several. One whose
/// sender is still in the call that sends it counts only if there is no other.
[[nodiscard]] std::optional<MisfitMessage> findMisfitMessage(const JobView &job, const RankSet &senders,
                                                             const RankSet &receivers);

/// True if the receiver has never taken a message such as it waits for from this sender, but has taken such as was sent. False
/// where there are no events (model dumps).
[[nodiscard]] bool isNewToReceiver(const JobView &job, const MisfitMessage &misfit);

} // namespace laggard
