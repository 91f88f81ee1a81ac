// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/Communication.h"
#include "trace/Ids.h"

#include <cstdint>

namespace laggard {

/// An operation that a process has handed to its device (a collective or message of NCCL and its like), and that is not complete.
/// Operations of one communicator are carried out in order. Flight Recorder dumps only (docs/flight-recorder.md).
struct QueuedOperation {
    enum class Kind : std::uint8_t { Collective, Send, Receive };
    Kind kind = Kind::Collective;
    bool started = false;      ///< the device was seen to have begun it
    CollectiveKind collective; ///< for Collective: as on entry; its communicator counts for messages, too
    Rank peer = none;          ///< for Send and Receive; `none`: not known
    /// From 0. A collective's number on the communicator, or a message's among the rank's own on the communicator. Messages of
    /// one batch, which the device carries out together, have the same.
    std::uint32_t number = 0;
    std::uint64_t elements = none64; ///< that all members must agree about; none64: not known, or they need not
    Tick enqueued = 0;
    CallPathId callPath = none; ///< path of the call that enqueued it

    static constexpr std::uint64_t none64 = ~std::uint64_t{0};
    [[nodiscard]] CommunicatorId communicator() const { return collective.communicator; }
    bool operator==(const QueuedOperation &) const = default;
};

/// Messages of a rank on a communicator of two, where both members count alike: how many it has enqueued, and seen complete.
struct QueuedMessages {
    CommunicatorId communicator = none;
    std::uint32_t enqueued = 0;
    std::uint32_t completed = 0;
    bool operator==(const QueuedMessages &) const = default;
};

} // namespace laggard
