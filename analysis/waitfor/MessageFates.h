// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/Ids.h"

#include <cstdint>

namespace laggard {

/// What became of a message.
struct MessageFate {
    bool isReceived = false;
    /// When the receiver entered the call that posted the receive; 0: not known. If it was received.
    Tick asked = 0;
};

/// What became of messages whose receivers' events are elsewhere: where only a share of the ranks was read (docs/nodes.md).
class MessageFates {
  public:
    virtual ~MessageFates() = default;
    /// Of record `send` among the sends of `sender`.
    [[nodiscard]] virtual MessageFate of(LocationIndex sender, std::uint32_t send) const = 0;
};

struct Trace;

/// When the receiver entered the call that posted the receive of record `receive` of this location; 0: not known.
[[nodiscard]] Tick askedForAt(const Trace &trace, LocationIndex receiver, std::uint32_t receive);

} // namespace laggard
