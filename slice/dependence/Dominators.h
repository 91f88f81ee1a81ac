// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

namespace laggard::slice {

using Graph = std::vector<std::vector<std::uint32_t>>; ///< by node: where its edges go

/// The closest node that every path from the root goes through; all bits for nodes that no path reaches; the root's is the root
/// (Cooper, Harvey, Kennedy: A Simple, Fast Dominance Algorithm, 2001).
[[nodiscard]] std::vector<std::uint32_t> immediateDominators(const Graph &graph, std::uint32_t root);

/// The edges turned round, with one more node, the last, that leads to each node without successors, and to one node of each
/// loop that has no way out.
[[nodiscard]] Graph reverseWithExit(const Graph &graph);

} // namespace laggard::slice
