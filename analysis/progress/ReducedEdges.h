// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/progress/ProgressGraph.h"

#include <vector>

namespace laggard {

/// The edges (positions in `graph.edges`, in order) that say all: a wait that follows from others is left out (transitive
/// reduction). Kept are undefined edges, and waits within a cycle, where every one may be the one that matters. At most O(nodes ·
/// edges) steps.
[[nodiscard]] std::vector<std::uint32_t> essentialEdges(const ProgressGraph &graph);

} // namespace laggard
