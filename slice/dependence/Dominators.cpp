// SPDX-License-Identifier: GPL-3.0-or-later
#include "slice/dependence/Dominators.h"

#include <algorithm>

namespace laggard::slice {

namespace {

constexpr std::uint32_t unreached = ~std::uint32_t{0};

std::vector<std::uint32_t> postOrder(const Graph &graph, std::uint32_t root, std::vector<bool> &seen) {
    std::vector<std::uint32_t> order;
    std::vector<std::pair<std::uint32_t, std::size_t>> open{{root, 0}};
    seen[root] = true;
    while (!open.empty()) {
        auto &[node, next] = open.back();
        if (next == graph[node].size()) {
            order.push_back(node);
            open.pop_back();
            continue;
        }
        const auto to = graph[node][next++];
        if (!seen[to]) {
            seen[to] = true;
            open.emplace_back(to, 0);
        }
    }
    return order;
}

} // namespace

std::vector<std::uint32_t> immediateDominators(const Graph &graph, std::uint32_t root) {
    std::vector<bool> seen(graph.size(), false);
    const auto order = postOrder(graph, root, seen);
    std::vector<std::uint32_t> number(graph.size(), unreached), dominator(graph.size(), unreached);
    for (std::uint32_t i = 0; i < order.size(); ++i)
        number[order[i]] = i;
    Graph predecessors(graph.size());
    for (const auto node : order)
        for (const auto to : graph[node])
            predecessors[to].push_back(node);
    dominator[root] = root;
    for (bool changed = true; changed;) {
        changed = false;
        for (auto at = order.rbegin(); at != order.rend(); ++at) {
            if (*at == root)
                continue;
            auto common = unreached;
            for (auto from : predecessors[*at]) {
                if (dominator[from] == unreached)
                    continue;
                for (auto other = common; common != unreached && from != other;) {
                    while (number[from] < number[other])
                        from = dominator[from];
                    while (number[other] < number[from])
                        other = dominator[other];
                }
                common = from;
            }
            if (common != dominator[*at]) {
                dominator[*at] = common;
                changed = true;
            }
        }
    }
    return dominator;
}

Graph reverseWithExit(const Graph &graph) {
    const auto exit = static_cast<std::uint32_t>(graph.size());
    Graph reversed(graph.size() + 1);
    for (std::uint32_t node = 0; node < exit; ++node) {
        for (const auto to : graph[node])
            reversed[to].push_back(node);
        if (graph[node].empty())
            reversed[exit].push_back(node);
    }
    std::vector<bool> seen(reversed.size(), false);
    (void)postOrder(reversed, exit, seen);
    // For what cannot reach the end, it is the node met last from the entry: the far end of an endless loop.
    std::vector<bool> fromEntry(graph.size(), false);
    for (const auto node : postOrder(graph, 0, fromEntry))
        if (!seen[node]) {
            reversed[exit].push_back(node);
            (void)postOrder(reversed, node, seen);
        }
    return reversed;
}

} // namespace laggard::slice
