// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ingest/OpenOptions.h"
#include "trace/ModelDump.h"
#include "trace/Trace.h"
#include "trace/Work.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace laggard {

struct TraceOutline;

/// What was opened: a trace, or a model dump.
struct Opened {
    TracePtr trace;    ///< for a dump its `job`: ranks and call paths, no events
    ModelDumpPtr dump; ///< nullptr for a trace
};

/// A kind of input: a trace, or a model dump. One of `open` and `openDump` is there.
struct Format {
    std::string_view name; ///< for people ("OTF2")
    /// The files that this format would open if asked for `path` (a file or folder that exists), judged by content. A file that
    /// belongs to a trace may answer with the trace's main file. Never throws on bad content.
    std::vector<std::string> (*find)(const std::string &path);
    /// Opens a file that `find` has given. Throws ReadError and Cancelled.
    TracePtr (*open)(const std::string &file, const OpenOptions &options, const Work &work);
    /// What reading such a file would cost (ingest/MemoryEstimate.h). Throws ReadError and Cancelled.
    TraceOutline (*outline)(const std::string &file, const Work &work);
    ModelDumpPtr (*openDump)(const std::string &file, const Work &work) = nullptr;
};

/// All formats, in the order in which they are asked.
[[nodiscard]] std::span<const Format> formats();

/// What `openInput` would open: the file, its format, and what else is there and cannot be opened. Throws as `openTrace` does.
struct Located {
    std::string file;
    const Format *format = nullptr;
    std::vector<Warning> others;
};
[[nodiscard]] Located locateInput(const std::string &path, const Work &work);

/// Opens what a job left behind, trace or model dump. For a dump, `options` do not count: it is read whole. Throws as `openTrace`
/// does.
[[nodiscard]] Opened openInput(const std::string &path, const OpenOptions &options, const Work &work);

/// Opens what a job left behind: the main file of a trace (under any name), one of its other files, or a folder that holds one
/// trace. The format is told from the content. Throws ReadError with one sentence that names the path and the reason, and
/// Cancelled.
[[nodiscard]] TracePtr openTrace(const std::string &path, const OpenOptions &options, const Work &work);

} // namespace laggard
