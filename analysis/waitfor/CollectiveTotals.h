// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/waitfor/PairAmounts.h"
#include "trace/Trace.h"
#include "trace/Work.h"

#include <optional>
#include <string>

namespace laggard {

/// A collective in which what members gave is not what members had room for, which MPI forbids also where it is less.
struct TotalsMisfit {
    CollectiveOperation operation = CollectiveOperation::Unknown;
    CommunicatorId communicator = none;
    std::uint32_t ordinal = 0; ///< among the communicator's collectives of this operation, from 0
    AmountMisfit amounts;
    RankSet odd; ///< members whose own amount is another than the others', where an amount is the same for all; else those
                 ///< between whom it does not fit; empty: not known who
    std::uint64_t oddBytes = 0;
    std::uint64_t usualBytes = 0; ///< both 0: the amounts are not the same for all
    Rank giver = none;            ///< as in `amounts`
    Rank taker = none;
    CallPathId callPath = none; ///< path of an odd member's call, else of any member's
    std::uint64_t later = 0;    ///< further collectives of which this is true
};

/// The first such collective among those that all members completed. For traces of which all calls are known (recordings, whole).
/// Linear in the records. Throws Cancelled.
[[nodiscard]] std::optional<TotalsMisfit> findTotalsMisfit(const Trace &trace, const Work &work);

/// "rank 2 gives rank 4 8,000 bytes less than it has room for", of the ranks between whom amounts do not fit, where known; else
/// of all members together.
[[nodiscard]] std::string describeAmounts(const AmountMisfit &amounts, Rank giver, Rank taker);

} // namespace laggard
