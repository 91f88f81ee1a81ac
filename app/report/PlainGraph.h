// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/progress/ProgressGraph.h"

#include <string>
#include <vector>

namespace laggard {

/// The progress-dependence graph as text and lines, for builds without a library that paints.
struct PlainGraph {
    struct Node {
        std::vector<std::string> lines; ///< ranks, what they are in, where
        bool isLeastProgressed = false;
        bool isComputing = false;
    };
    struct Edge {
        std::uint32_t from = 0;
        std::uint32_t to = 0;
        bool isUndefined = false; ///< the order of the two is not known
        bool isObserved = false;
        std::string label; ///< how sure, where that is less than certain
    };
    std::string title;
    std::vector<Node> nodes;
    std::vector<Edge> edges;
};

/// `allEdges`: also waits that follow from others. `seconds`: the moment.
[[nodiscard]] PlainGraph plainGraph(const ProgressGraph &graph, bool allEdges, double seconds);

/// In the DOT language, UTF-8.
[[nodiscard]] std::string dotOf(const PlainGraph &graph);

/// What laggard-layout is asked, and the picture that its answer makes (docs/layout-protocol.md). svgOf throws std::runtime_error
/// where the answer is none.
[[nodiscard]] std::string layoutQuestion(const PlainGraph &graph);
[[nodiscard]] std::string svgOf(const PlainGraph &graph, const std::string &answer);

} // namespace laggard
