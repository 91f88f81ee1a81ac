// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ingest/calltrace/Symbols.h"
#include "trace/Ids.h"
#include "trace/Warning.h"
#include "trace/Work.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace laggard::calltrace {

/// What comments at the beginning of a file say (docs/call-traces.md).
struct FileHeader {
    std::string host;
    std::string program;
    std::optional<std::uint64_t> ticksPerSecond;
    std::optional<std::uint64_t> zeroUtc; ///< nanoseconds since 1970 at which the stamps are 0
    std::uint64_t loadAddress = 0;        ///< what addresses lie above those of the symbol file
};

/// One file of a call trace.
struct TraceFile {
    std::string path;
    FileHeader header;
    std::string host; ///< by the header, the folder or the file's name; empty where none of them says
    std::uint64_t bytes = 0;
    std::shared_ptr<const SymbolTable> symbols; ///< never nullptr
    std::string symbolPath;                     ///< empty: there is none
};

/// The files that are opened together.
struct TraceFiles {
    std::vector<TraceFile> files; ///< by path
    std::vector<Warning> warnings;
};

/// True if one of the first lines of the file is a record of a call.
[[nodiscard]] bool isCallTrace(const std::string &path);

/// The call traces in a folder and in the folders in it; those of the folders only if it has none itself.
[[nodiscard]] std::vector<std::string> callTracesIn(const std::string &folder);

/// The file, or the files of the folder, at `path`, with their headers, hosts and symbols. Throws ReadError and Cancelled.
[[nodiscard]] TraceFiles surveyFiles(const std::string &path, const Work &work);

/// Orders "n2" before "n10".
[[nodiscard]] bool comesBefore(const std::string &a, const std::string &b);

} // namespace laggard::calltrace
