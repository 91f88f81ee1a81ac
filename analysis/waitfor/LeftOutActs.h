// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/waitfor/JobView.h"
#include "analysis/waitfor/WaitForGraph.h"

#include <optional>
#include <vector>

namespace laggard {

/// Among the acts that ranks of `members` (sorted) owe to others of them by `waits`, those that the debtor did in each of its
/// rounds so far and has not done in this one; at most one for each debtor.
///
/// A round lies between two calls at the path of the call that the debtor is in now or, if there are too few, of its last one
/// before. Of at most sixteen rounds all but one must have the act, and this one less often than any other; of n others the
/// confidence is (n + 1) / (n + 2), the rule of succession.
/// A debtor in a call that it never made before has left its rounds; that counts where several wait for it that are in theirs.
/// Acts are messages sent (with the awaited tag, if it has been that in earlier rounds) and received, collectives of the awaited
/// communicator, and the calls that end an epoch or a lock. Empty for model dumps.
[[nodiscard]] std::vector<LeftOutAct> leftOutActs(const JobView &job, const std::vector<Wait> &waits, const RankSet &members);

/// For a `wait` for a message of any of several ranks: the message of the only one of these that sent its creditor one in each of
/// its rounds so far, and none in this one. Nothing if the others have no such habit or are not in a call: then one of them may
/// owe it.
[[nodiscard]] std::optional<LeftOutAct> onlyLeftOutSend(const JobView &job, const Wait &wait);

/// The only one of `among` that did not start a persistent request, or mark a partition ready, as often in its present round as
/// in each round before: `callPath` is that call. The others may wait for what it would have begun.
[[nodiscard]] std::optional<LeftOutAct> onlyLeftOutStart(const JobView &job, const RankSet &among);

/// Of a rank that has made the call `completion` again and again, having started a request by the call `start` each time but
/// once: that one. Nothing for ranks whose beginning was overwritten, and for less than three times.
[[nodiscard]] std::optional<LeftOutAct> startLeftOutOnce(const JobView &job, Rank debtor, CallPathId start,
                                                         CallPathId completion);

} // namespace laggard
