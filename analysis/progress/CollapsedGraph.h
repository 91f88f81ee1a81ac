// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/progress/ProgressGraph.h"

#include <cstddef>
#include <set>
#include <vector>

namespace laggard {

/// A graph in which chains and sub-trees of waits are one node each.
struct CollapsedGraph {
    ProgressGraph graph; ///< its models have only their states
    /// By node of `graph`: the nodes of the whole graph that it stands for, ascending.
    std::vector<std::vector<std::uint32_t>> nodes;
    /// By node of `graph`: if it stands for several, the node of the whole graph that all of them wait for; else `none`.
    std::vector<std::uint32_t> waitsFor;
    std::vector<std::uint32_t> edges; ///< by edge of `graph`: the surest of those that it stands for
    std::vector<std::uint32_t> drawn; ///< by node of the whole graph: where it is
};

/// Which nodes its user has opened or closed, by number in the whole graph: those that wait for them only are drawn, or are one
/// node.
struct OpenedNodes {
    std::set<std::uint32_t> opened;
    std::set<std::uint32_t> closed;
};

/// Nodes that wait for one other alone hang on it, and form trees. At first what hangs on a root is one node; nodes are opened
/// from the least progressed outwards as long as no more than `most` are drawn. Least-progressed nodes are roots. A graph with no
/// more than `most` nodes stays whole, except for what was closed.
[[nodiscard]] CollapsedGraph collapse(const ProgressGraph &whole, std::size_t most, const OpenedNodes &user);

} // namespace laggard
