// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/Trace.h"

#include <optional>

namespace laggard {

/// A message that is larger than the buffer of the receive that it belongs to: an error (MPI 3.1 §3.2.4), for which MPI ends the
/// job unless the program has asked for error codes.
struct Truncation {
    Rank from = none;
    Rank to = none;
    std::uint32_t tag = 0;
    std::uint64_t bytes = 0;    ///< the message's size
    std::uint64_t room = 0;     ///< bytes of the buffer
    Tick sent = 0;              ///< when the send was begun
    CallPathId sender = none;   ///< the call that sent it; `none` outside all calls
    CallPathId receiver = none; ///< the call in which the receiver was
};

/// The first such message that a rank was to get in the call in which it ended. Receives from anybody or with any tag say
/// nothing, nor do ranks with lost events, and only recordings know the size of buffers.
[[nodiscard]] std::optional<Truncation> findTruncation(const Trace &trace);

} // namespace laggard
