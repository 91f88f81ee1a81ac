// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "collect/inject/Census.h"
#include "collect/inject/Spec.h"

#include <cstdint>
#include <string>
#include <vector>

namespace laggard::collect {

/// A fault with nothing left open: the instance-th event of a kind on a rank.
struct FaultPlan {
    FaultKind kind = FaultKind::Census;
    std::int32_t rank = 0;
    FaultPlace place = FaultPlace::Before; ///< for loops and threads
    std::string operation;                 ///< instances of this operation are counted; empty: those of all operations
    std::string function;                  ///< by name; empty: all functions, or one by module and offset
    Census::Function censusFunction;       ///< with an empty module: none
    std::uint64_t instance = 1;            ///< from 1, counted since MPI_Init has returned
    double seconds = 1;
    std::string error; ///< why there can be no fault
};

/// Rank first: a census is of a rank.
[[nodiscard]] std::int32_t drawRank(const FaultSpec &spec, std::int32_t size);

/// The same for the same arguments. `census` of the rank, or nullptr. `hasFunctions`: the program has instrumented functions.
[[nodiscard]] FaultPlan drawPlan(const FaultSpec &spec, std::int32_t size, const Census *census, bool hasFunctions);

/// Faults strike there only when they are told to.
[[nodiscard]] bool isDrawn(const std::string &operation);

} // namespace laggard::collect
