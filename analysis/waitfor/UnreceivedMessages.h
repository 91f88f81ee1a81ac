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

/// True if the message of this send was received at or before `at`.
[[nodiscard]] bool isReceived(const Trace &trace, LocationIndex sender, std::uint32_t send, Tick at);

} // namespace laggard
