// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/waitfor/JobView.h"

namespace laggard {

/// A kind of message, by whom it is for.
struct SentKind {
    Rank to = none;
    CommunicatorId communicator = none;
    std::uint32_t tag = none; ///< `none`: any
};

/// True if the rank may be on its way to its next message of this kind: since the last one it has made the call in which it
/// stands no more often than between two such messages before. Whoever left the message out, and went on, makes it once more.
/// Where it has sent one only, what came before that one counts; where none, what `others` did before their first.
///
/// Linear in the calls and messages of these ranks.
[[nodiscard]] bool mayStillCome(const JobView &job, Rank rank, const SentKind &kind, const RankSet &others);

} // namespace laggard
