// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/waitfor/WaitForGraph.h"

#include <string>

namespace laggard {

/// The first of the missing sends: that of earlier rounds, that which others sent, or an answer (MissingSend::asked).
[[nodiscard]] std::string summariseMissingSend(const Trace &trace, const WaitForGraph &waits);
/// A rank waits for messages that were sent (WaitForVerdict::lostMessages).
[[nodiscard]] std::string summariseLostMessage(const Trace &trace, const WaitForGraph &waits);
[[nodiscard]] std::string summariseUnanswered(const Trace &trace, const WaitForGraph &waits);

/// The sentences of verdicts about messages that are there and not taken, or that nobody will send: WaitForVerdict::Kind Misfit,
/// NeverReceived and NoSender.
[[nodiscard]] std::string summariseMisfit(const Trace &trace, const WaitForGraph &waits);
[[nodiscard]] std::string summariseUntaken(const Trace &trace, const WaitForGraph &waits);
[[nodiscard]] std::string summariseIntercepted(const Trace &trace, const WaitForGraph &waits);
/// For ranks whose messages those in `by` do not take: " The message of rank 2 is not received: it is in …." Empty if there are
/// none.
[[nodiscard]] std::string describeUntaken(const Trace &trace, const WaitForGraph &waits, const RankSet &by);
/// What each of at most three members of a circle misses of another: "; rank 2 waits for a message of rank 1 …". Empty for more.
[[nodiscard]] std::string describeMissing(const Trace &trace, const WaitForGraph &waits, const RankSet &members);
[[nodiscard]] std::string summariseNoSender(const Trace &trace, const WaitForGraph &waits);

/// "rank 2 waits in … for a message of rank 1 with tag 99, and rank 1 sent one with tag 7 (…), which rank 2 does not ask for".
[[nodiscard]] std::string describeMisfit(const Trace &trace, const WaitForGraph &waits);
/// " A message does not fit: ….", where the verdict has one; else empty.
[[nodiscard]] std::string misfitClause(const Trace &trace, const WaitForGraph &waits);

} // namespace laggard
