// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/waitfor/WaitForGraph.h"

#include <optional>

namespace laggard {

/// What a rank has left that the others are still in.
struct LeftFunction {
    CallPathId callPath = none; ///< the outermost function that the rank has returned from, and most waiting ranks have not
    Tick returned = 0;          ///< when it did
};

/// Where `rank`, which left early, parted from the ranks that are inside MPI calls. Nothing where functions of the program were
/// not recorded.
[[nodiscard]] std::optional<LeftFunction> functionLeftBy(const Trace &trace, const WaitForGraph &waits, Rank rank);

} // namespace laggard
