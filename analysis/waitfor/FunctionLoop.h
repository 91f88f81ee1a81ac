// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/waitfor/WaitForGraph.h"

#include <optional>

namespace laggard {

class JobView;

/// The outermost open function of a computing rank that has called another one again and again since `since`.
/// Nothing for ranks that stand, of which functions are not recorded, or that made fewer than three such calls. Linear in the
/// records since then.
[[nodiscard]] std::optional<FunctionLoop> functionLoopOf(const JobView &job, Rank rank, Tick since);

} // namespace laggard
