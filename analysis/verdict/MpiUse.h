// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/verdict/TypeMisfit.h"
#include "analysis/waitfor/CollectiveDisagreement.h"
#include "analysis/waitfor/CollectiveTotals.h"
#include "trace/RankSet.h"
#include "trace/Work.h"

#include <optional>
#include <vector>

namespace laggard {

/// A use of MPI that is an error by the standard, and that did not stop the job by itself: members of a communicator that
/// disagree about a collective they completed, a message that nobody received, a request that nobody waited for, a message
/// received as something else than it was sent as.
struct MpiUseError {
    enum class Kind : std::uint8_t { Disagreement, Unreceived, Unfinished, OtherType };
    Kind kind = Kind::Disagreement;
    RankSet ranks; ///< in a disagreement those that are odd, or all; empty where that is not known; the sender, then the
                   ///< receiver; whose request it is; of another type: the odd one, or sender and receiver
    CallPathId callPath = none; ///< for the first of them: the call that is odd, that sent, that posted
    std::optional<CollectiveDisagreement> disagreement = {}; ///< for a disagreement, where members recorded what they took it for
    std::optional<TotalsMisfit> totals = {};                 ///< for a disagreement about amounts alone
    std::optional<TypeMisfit> type = {};                     ///< for OtherType
    std::uint32_t tag = 0;                                   ///< the message's tag
    std::uint64_t others = 0;                                ///< further messages or requests of which this is true
};

/// The first of each kind. `hasFinished`: messages and requests are left over only by a job that has come to its end. Recordings
/// of which nothing is lost only. Throws Cancelled.
[[nodiscard]] std::vector<MpiUseError> findMpiUseErrors(const Trace &trace, bool hasFinished, const Work &work);

} // namespace laggard
