// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ingest/MemoryEstimate.h"
#include "ingest/OpenOptions.h"
#include "trace/Trace.h"
#include "trace/Work.h"

#include <string>
#include <vector>

namespace laggard::flightrecorder {

/// What is to be opened for `path`, a file or folder, judged by content.
[[nodiscard]] std::vector<std::string> find(const std::string &path);

/// Reads the dumps of PyTorch's Flight Recorder in a folder, or those that go with a file: docs/flight-recorder.md. Ranks whose
/// dump is missing or cannot be read have no location. Throws ReadError and Cancelled.
[[nodiscard]] TracePtr open(const std::string &path, const OpenOptions &options, const Work &work);

[[nodiscard]] TraceOutline outline(const std::string &path, const Work &work);

} // namespace laggard::flightrecorder
