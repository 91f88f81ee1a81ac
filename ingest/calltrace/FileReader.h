// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ingest/calltrace/Files.h"
#include "trace/CallPathTable.h"
#include "trace/Location.h"

#include <functional>
#include <map>
#include <set>

namespace laggard::calltrace {

/// Stamps of a file as ticks of the trace.
struct ClockMap {
    std::uint64_t ticksPerSecond = 0; ///< the file's; 0: stamps are ticks
    Tick shift = 0;                   ///< added
    [[nodiscard]] Tick operator()(Tick stamp) const;
};

/// What the threads of one process in a file recorded.
struct FileProcess {
    std::int32_t pid = 0;
    std::vector<Location> locations; ///< main thread first: the one with the process's number, else the smallest number
};

/// What a file holds.
struct FileContent {
    std::vector<FileProcess> processes;   ///< by pid
    std::vector<std::uint64_t> addresses; ///< functions, in order of first sight; regions of `callPaths` are positions in it
    CallPathTable callPaths;
    std::vector<Warning> warnings;
    std::map<std::string, std::uint64_t> unshown;
};

/// Reads the records of a file; only those of the processes `wanted`, if given. `advanced(bytes)` is called from time to time.
/// Throws ReadError and Cancelled.
[[nodiscard]] FileContent readFile(const TraceFile &file, const ClockMap &clock, const std::set<std::int32_t> *wanted,
                                   const Work &work, const std::function<void(std::uint64_t)> &advanced);

/// What can be told of a file without reading it whole, from its beginning and its end; or, read whole, for certain.
struct FileGlance {
    std::set<std::int32_t> pids;
    std::set<std::pair<std::int32_t, std::uint64_t>> threads;
    Tick first = openEnd; ///< stamps
    Tick last = 0;
};
[[nodiscard]] FileGlance glanceAt(const TraceFile &file, bool whole, const Work &work);

} // namespace laggard::calltrace
