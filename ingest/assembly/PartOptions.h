// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ingest/OpenOptions.h"
#include "trace/Trace.h"

namespace laggard {

/// Sets `trace.part` to what is asked for, as far as it is less than the trace. `start`: when the trace begins. Throws ReadError
/// if that is nothing.
void setPart(const OpenOptions &options, Tick start, Trace &trace);

/// When all has been read: says which part was read, as far as it is less than the trace. Throws ReadError if it is nothing.
void settlePart(const OpenOptions &options, Trace &trace);

/// Notes messages that were received before they were sent, if there are any.
void noteReversedMessages(Trace &trace);

} // namespace laggard
