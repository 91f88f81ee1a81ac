// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/Region.h"

#include <cstdint>
#include <vector>

namespace laggard::bench {

/// The functions of the made-up program, in the order of `functions()`.
enum class Function : std::uint32_t {
    Main,
    TimeStep,
    ExchangeHalo,
    Pack,
    Unpack,
    ComputeFlux,
    UpdateCells,
    Residual,
    LowerSweep,
    UpperSweep,
    RecvPlane,
    Relax,
    SendPlane,
    RunBatch,
    PrepareTasks,
    DispatchTasks,
    ServeTasks,
    ComputeKernel,
    StoreResult,
    Solve,    // the first of the nested functions
    Parallel, // the OpenMP region around a threaded function
    MpiInit,
    MpiCommRank,
    MpiCommSize,
    MpiCommSplit,
    MpiIsend,
    MpiIrecv,
    MpiWaitall,
    MpiSend,
    MpiRecv,
    MpiAllreduce,
    MpiBcast,
    MpiBarrier,
    MpiFinalize,
    FirstNested // then two alternatives for each level below Solve
};

inline constexpr std::uint32_t nestedLevels = 12;

/// The function called at `level` (from 0) below Solve; each level has two.
[[nodiscard]] Function nestedFunction(std::uint32_t level, std::uint32_t alternative);

/// All functions: name, file, line, role and paradigm.
[[nodiscard]] const std::vector<Region> &functions();

} // namespace laggard::bench
