// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/Trace.h"
#include "trace/Work.h"

#include <optional>
#include <string>

namespace laggard {

/// A collective in which what members gave is not what members had room for, which MPI forbids also where it is less. Of
/// operations with an amount for each pair a recording has each member's sum only: then that is all that is known, and nobody is
/// `odd`.
struct TotalsMisfit {
    CollectiveOperation operation = CollectiveOperation::Unknown;
    CommunicatorId communicator = none;
    std::uint32_t ordinal = 0; ///< among the communicator's collectives of this operation, from 0
    std::uint64_t given = 0;   ///< bytes, by all members that give
    std::uint64_t room = 0;    ///< bytes, of all members that get
    RankSet odd;               ///< members whose own amount is another than the others'; empty: not known who
    std::uint64_t oddBytes = 0;
    std::uint64_t usualBytes = 0;
    CallPathId callPath = none; ///< path of an odd member's call, else of any member's
    std::uint64_t later = 0;    ///< further collectives of which this is true
};

/// The first such collective among those that all members completed. For traces of which all calls are known (recordings, whole).
/// Linear in the records. Throws Cancelled.
[[nodiscard]] std::optional<TotalsMisfit> findTotalsMisfit(const Trace &trace, const Work &work);

/// A sentence without its full stop.
[[nodiscard]] std::string describe(const Trace &trace, const TotalsMisfit &misfit);

} // namespace laggard
