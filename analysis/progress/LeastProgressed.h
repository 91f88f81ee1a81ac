// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/progress/ProgressGraph.h"

#include <vector>

namespace laggard {

/// The LP rule (PDI §4.3): nodes that wait for no other in a collective or, which PDI does not have, in a loop. Of several, those
/// are dropped that wait point-to-point for a node which is not one of them and lies in another branch (no path of such waits
/// between the two). Where that leaves none or all, the evidence decides: a cycle of certain point-to-point waits is a deadlock
/// and named; else the end of the longest chain of certain waits. All nodes are never named: nobody can be singled out then.
///
/// Confidence: how surely the other ranks wait for those named, on average over the ranks (each counts with the weakest wait on
/// its surest way to them), shared among the nodes named.
[[nodiscard]] LeastProgressedDecision leastProgressed(const std::vector<ProgressNode> &nodes,
                                                      const std::vector<ProgressEdge> &edges, const std::vector<Wait> &waits);

} // namespace laggard
