// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/waitfor/Snapshot.h"
#include "trace/JobState.h"
#include "trace/Trace.h"
#include "trace/Work.h"

#include <vector>

namespace laggard {

/// Messages that were sent but not received at the moment, by sender, each list sorted by peer, communicator and tag.
[[nodiscard]] std::vector<std::vector<MessageCount>> unreceivedMessages(const Snapshot &snapshot, const Work &work);

/// All messages that the rank has sent, sorted likewise, with how many of them may be held back: of a share of a trace, where it
/// is not known which of them were received.
[[nodiscard]] std::vector<MessageCount> sentMessages(const Snapshot &snapshot, Rank rank);

/// True if the message of this send was received at or before `at`.
[[nodiscard]] bool isReceived(const Trace &trace, LocationIndex sender, std::uint32_t send, Tick at);

} // namespace laggard
