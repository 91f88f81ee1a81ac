// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/RankSet.h"
#include "trace/Trace.h"
#include "trace/Work.h"

#include <optional>

namespace laggard {

/// A message that was sent as numbers of one type and received as numbers of another, which MPI does not notice (MPI 3.1 §3.3.1).
struct TypeMisfit {
    Rank sender = none;
    Rank receiver = none;
    CallPathId sendPath = none;    ///< with the datatype that it was sent as
    CallPathId receivePath = none; ///< of the call that posted the receive
    std::uint64_t later = 0;       ///< further such messages
    /// The two calls' other messages: those of the receiving call that were of its type, and those of the sending one that were
    /// received as they were sent, on any rank. Who has some of these is not the odd one.
    std::uint64_t fitReceives = 0;
    std::uint64_t fitSends = 0;
};

/// The first such message. Only messages count whose both ends name a predefined datatype, by calls that do nothing but send, or
/// receive. Linear in rows and messages; eight bytes a message while it looks. Throws Cancelled.
[[nodiscard]] std::optional<TypeMisfit> findTypeMisfit(const Trace &trace, const Work &work);

} // namespace laggard
