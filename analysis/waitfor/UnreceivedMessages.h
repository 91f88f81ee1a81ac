// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/Trace.h"
#include "trace/Work.h"

#include <vector>

namespace laggard {

/// Messages that were sent but not received at a moment, by sender.
class UnreceivedMessages {
  public:
    UnreceivedMessages(const Trace &trace, Tick at, const Work &work);

    /// Messages on their way from a rank to another with this communicator and tag; `anyTag`: with any tag.
    [[nodiscard]] std::uint32_t count(Rank from, Rank to, CommunicatorId communicator, std::uint32_t tag, bool anyTag) const;

    /// True if the message of this send of the rank's main thread was received at or before `at`.
    [[nodiscard]] static bool isReceived(const Trace &trace, LocationIndex sender, std::uint32_t send, Tick at);

  private:
    struct Channel {
        Rank to;
        CommunicatorId communicator;
        std::uint32_t tag;
        std::uint32_t messages;
    };
    std::vector<std::vector<Channel>> m_channels; // by sender, sorted by receiver
};

} // namespace laggard
