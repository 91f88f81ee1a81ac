// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/waitfor/JobView.h"
#include "analysis/waitfor/WaitForGraph.h"

#include <optional>

namespace laggard {

/// Messages that the open receive of `rank` (also in MPI_Wait and the like) waits for, and which were sent and not received.
/// Empty where the rank was seen not to have got into the MPI library.
[[nodiscard]] std::vector<LostMessage> lostMessages(const JobView &job, Rank rank);

/// A message that was sent, and that its receiver does not ask for although it waits for one of the same sender.
struct MisfitMessage {
    Rank from = none;
    Rank to = none;
    std::uint32_t sentTag = 0;
    std::uint32_t awaitedTag = 0;
    bool otherCommunicator = false;
};

/// Of ranks that wait for each other, the only such message between two of them; nothing if there are several.
[[nodiscard]] std::optional<MisfitMessage> findMisfitMessage(const JobView &job, const RankSet &members);

} // namespace laggard
