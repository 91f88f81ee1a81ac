// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/ModelDump.h"
#include "trace/Work.h"

#include <string>
#include <vector>

namespace laggard {

/// What a summary of the trace would have told at its end: models of all ranks, where they are, what they wait for, and their
/// semi-Markov models by phase. `phase`: region that delimits phases; empty: found. Throws std::invalid_argument if no rank
/// enters it, and Cancelled.
[[nodiscard]] ModelDump summarise(const TracePtr &trace, const std::string &phase, const Work &work);

/// The requests that a rank has not completed.
[[nodiscard]] std::vector<DumpedRequest> pendingOf(const Trace &trace, Rank rank);

/// All messages that a process has received, by sender, communicator and tag, sorted.
[[nodiscard]] std::vector<MessageCount> receivedMessages(const Trace &trace, Rank rank);

} // namespace laggard
