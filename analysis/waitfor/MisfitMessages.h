// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/waitfor/JobView.h"
#include "analysis/waitfor/WaitForGraph.h"

#include <optional>

namespace laggard {

/// Messages that the open receive of `rank` (also in MPI_Wait and the like) waits for, and which were sent and not received.
/// Empty where the rank was seen not to have got into the MPI library.
[[nodiscard]] std::vector<LostMessage> lostMessages(const JobView &job, Rank rank);

/// Messages of one sender to one receiver that do not fit.
struct Misfits {
    MisfitMessage first; ///< the one sent first, as far as that is known
    bool isOnly = true;  ///< there are no others with another tag or communicator
};

/// Messages that nobody takes, and that differ from what one of `receivers` waits for and one of `senders` has not sent (both
/// sorted) by tag or communicator; if there is none, by their sender alone. Nothing if there are such between several pairs.
/// Messages whose sender is still in the call that sends them count only if there are no others.
[[nodiscard]] std::optional<Misfits> findMisfits(const JobView &job, const RankSet &senders, const RankSet &receivers);

/// A message such as one of `receivers` waits for, which one of `senders` sent to another rank that does not ask for it; nothing
/// if there are several.
[[nodiscard]] std::optional<MisfitMessage> findMisdirected(const JobView &job, const RankSet &senders, const RankSet &receivers);

/// True if the receiver has never taken a message such as it waits for from this sender, but has taken such as was sent.
[[nodiscard]] bool isNewToReceiver(const JobView &job, const MisfitMessage &misfit);

} // namespace laggard
