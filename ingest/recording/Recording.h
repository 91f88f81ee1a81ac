// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ingest/MemoryEstimate.h"

namespace laggard::recording {

/// The recording at `path`: the folder of a job's files, or one of them. docs/recording-format.md.
[[nodiscard]] std::vector<std::string> find(const std::string &path);

/// Reads the files of a job. It may still run, hang, or have been killed: what was recorded until now is read. What could not be
/// read is in the trace's warnings. Throws ReadError if no file can be used, and Cancelled.
[[nodiscard]] TracePtr open(const std::string &path, const OpenOptions &options, const Work &work);

/// Reads the recording and writes functions and lines of its code into its folder (SymbolFile.h), so that it can be read where
/// its programs are not. `askDebugServers` as in OpenOptions. Throws as `open` does, and std::system_error if it cannot be
/// written.
void keepSymbols(const std::string &path, bool askDebugServers, const Work &work);

/// What reading it would cost. Throws as `open` does.
[[nodiscard]] TraceOutline outline(const std::string &path, const Work &work);

} // namespace laggard::recording
