// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ingest/MemoryEstimate.h"

namespace laggard::calltrace {

/// The call trace at `path`: a file, or a folder of them. docs/call-traces.md.
[[nodiscard]] std::vector<std::string> find(const std::string &path);

/// Reads function-call traces in the textual form of thesis Figure 4.1. Processes are ranks in order of host and process
/// number. What could not be read is in the trace's warnings. Throws ReadError and Cancelled.
[[nodiscard]] TracePtr open(const std::string &path, const OpenOptions &options, const Work &work);

/// What reading it would cost, judged by the beginnings and ends of the files: a process that only shows in the middle of one is
/// missed. Throws as `open` does.
[[nodiscard]] TraceOutline outline(const std::string &path, const Work &work);

} // namespace laggard::calltrace
