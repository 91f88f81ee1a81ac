// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/RankSet.h"

#include <cstdint>
#include <optional>

namespace laggard {

/// A stretch of time in seconds from the start of the trace.
struct SecondsRange {
    double begin = 0;
    double end = 0;
};

/// Which part of a trace is to be read, and how; by default all of it, from this machine alone. docs/otf2.md, "Reading a part",
/// says what is kept.
struct OpenOptions {
    std::optional<RankSet> ranks;     ///< only the events of these ranks
    std::optional<SecondsRange> time; ///< only what overlaps this time
    /// Recordings: how many bytes of each thread's newest events are read, as if its ring were no larger; 0: all there are.
    std::uint64_t newestEventBytes = 0;
    /// Recordings: ask the servers of DEBUGINFOD_URLS for debug information that this machine lacks. They learn the build-ids.
    bool askDebugServers = false;
};

} // namespace laggard
