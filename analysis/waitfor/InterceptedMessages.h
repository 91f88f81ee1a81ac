// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/waitfor/JobView.h"
#include "analysis/waitfor/WaitForGraph.h"

#include <optional>

namespace laggard {

/// The latest such message at one of `receivers` since the receive that now waits was last served; nothing if there is none. Only
/// recordings tell how receives were posted.
[[nodiscard]] std::optional<InterceptedMessage> findIntercepted(const JobView &job, const RankSet &receivers);

/// The only one of `receivers` that waits for a message of a rank while an earlier receive of its own, which it does not wait
/// for, asks for the same and has one (MPI 3.1 §3.5: that one is served first), if it never before completed such receives in
/// another order than that in which it posted them. Else an earlier one of the same rank and communicator with another tag
/// (`leftTag`), if ten or more of these were completed in that order before. Only recordings tell how receives were posted.
[[nodiscard]] std::optional<InterceptedMessage> findAbandoned(const JobView &job, const RankSet &receivers);

/// True if the matched probe `taken`, of a thread of rank `to` whose events these are, has taken the message that `from` still
/// waits to be received: no later one of the kind was begun since. Linear in the sends of `from`.
[[nodiscard]] bool isProbeOf(const JobView &job, Rank from, const AwaitedSend &send, const LocationEvents &events,
                             const TakenMessage &taken);

} // namespace laggard
