// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/Trace.h"
#include "trace/Work.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace laggard {

/// How a trace is to be read. Empty so far: every reader reads everything.
struct OpenOptions {};

/// A kind of input that can be opened as a Trace.
struct Format {
    std::string_view name; ///< for people ("OTF2")
    /// The files that this format would open if asked for `path` (a file or folder that exists), judged by content. A file that
    /// belongs to a trace may answer with the trace's main file. Never throws on bad content.
    std::vector<std::string> (*find)(const std::string &path);
    /// Opens a file that `find` has given. Throws ReadError and Cancelled.
    TracePtr (*open)(const std::string &file, const OpenOptions &options, const Work &work);
};

/// All formats, in the order in which they are asked.
[[nodiscard]] std::span<const Format> formats();

/// Opens what a job left behind: the main file of a trace (under any name), one of its other files, or a folder that holds one
/// trace. The format is told from the content. Throws ReadError with one sentence that names the path and the reason, and
/// Cancelled.
[[nodiscard]] TracePtr openTrace(const std::string &path, const OpenOptions &options, const Work &work);

} // namespace laggard
