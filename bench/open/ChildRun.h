// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>

namespace laggard::bench {

/// What a piece of work says of itself.
struct WorkCounts {
    std::uint64_t locations = 0;
    std::uint64_t events = 0;
    std::uint64_t traceBytes = 0; ///< held by the trace's columns, where there is one
};

/// What a piece of work took.
struct RunCost {
    double wallSeconds = 0;
    double cpuSeconds = 0;       ///< user and system, all threads
    std::uint64_t peakBytes = 0; ///< most memory resident at a time
    WorkCounts counts;
};

/// Runs `work` in a process of its own, so that it starts without memory of others. Throws std::runtime_error if the process
/// fails; it has printed why.
RunCost runInChild(const std::function<WorkCounts()> &work);

/// Runs a program with its standard output thrown away. Throws std::runtime_error if it cannot be run or fails.
RunCost runProgram(const char *program, const char *argument);

} // namespace laggard::bench
