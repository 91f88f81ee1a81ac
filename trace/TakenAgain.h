// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/Location.h"

#include <cstddef>
#include <optional>
#include <span>

namespace laggard {

/// Fingerprints (MessageEnds::fingerprint) of the messages of a channel (sender, receiver, communicator, tag) in order, the k-th
/// receive being that of the k-th send. The first receive that took what the one before it had taken already, if those that
/// follow take what belongs to the one before, too: two at least, or all there are. The message came twice. Where a lost one
/// would look the same (contents that alternate), or receives are in another order than sends, nothing is found.
[[nodiscard]] std::optional<std::size_t> firstTakenAgain(std::span<const std::uint32_t> sent,
                                                         std::span<const std::uint32_t> received);

/// False if no message of a channel to `receiver` can have come twice: it has ended, has received as many as were sent, and
/// nothing was left over.
[[nodiscard]] bool canHaveTakenAgain(const Process &receiver, Rank sender, CommunicatorId communicator, std::size_t sends,
                                     std::size_t receives);

} // namespace laggard
