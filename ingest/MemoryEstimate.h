// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ingest/Format.h"

#include <cstdint>
#include <string>
#include <vector>

namespace laggard {

/// What opening a trace costs, as far as its definitions and the sizes of its files tell.
struct TraceOutline {
    std::vector<std::uint64_t> eventBytes; ///< by rank: size of its event files
    std::uint64_t otherEventBytes = 0;     ///< events of locations that belong to no rank
    std::uint64_t locations = 0;
    std::uint64_t bufferBytes = 0; ///< that one thread needs to read
    double seconds = 0;            ///< how long the trace lasts; 0 where it does not say
};

/// Outlines what `openTrace` would open. Reads definitions, no events, and asks for the size of every file: some tenths of a
/// second for 32,768 locations. Throws as `openTrace` does.
[[nodiscard]] TraceOutline outlineTrace(const std::string &path, const Work &work);

/// Bytes of memory that reading (a part of) a trace, its analysis and its level of detail take at the highest, beside the
/// program. Right within a factor of 1.5 for traces of calls and messages; too high for traces of other records.
[[nodiscard]] std::uint64_t estimateMemory(const TraceOutline &outline, const OpenOptions &options, unsigned threads);

} // namespace laggard
