// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/progress/ReducedEdges.h"

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/strong_components.hpp>

#include <algorithm>

namespace laggard {
namespace {

bool isWait(const ProgressEdge &edge) { return edge.dependence == ProgressEdge::Dependence::Waits; }

/// The component of each node; a component has a smaller number than those that wait for it.
std::vector<std::uint32_t> componentsOf(const ProgressGraph &graph, std::uint32_t &count) {
    boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS> waits(graph.nodes.size());
    for (const ProgressEdge &edge : graph.edges)
        if (isWait(edge))
            boost::add_edge(edge.from, edge.to, waits);
    std::vector<std::uint32_t> component(graph.nodes.size());
    count = graph.nodes.empty()
                ? 0
                : static_cast<std::uint32_t>(boost::strong_components(
                      waits, boost::make_iterator_property_map(component.begin(), boost::get(boost::vertex_index, waits))));
    return component;
}

} // namespace

std::vector<std::uint32_t> essentialEdges(const ProgressGraph &graph) {
    std::uint32_t count = 0;
    const std::vector<std::uint32_t> component = componentsOf(graph, count);
    std::vector<std::vector<std::uint32_t>> next(count); // components that one waits for, in falling order
    for (const ProgressEdge &edge : graph.edges)
        if (isWait(edge) && component[edge.from] != component[edge.to])
            next[component[edge.from]].push_back(component[edge.to]);
    std::vector<std::vector<std::uint32_t>> kept(count);
    std::vector<std::vector<bool>> reaches(count); // those before it
    for (std::uint32_t c = 0; c < count; ++c) {
        std::sort(next[c].begin(), next[c].end(), std::greater<>());
        next[c].erase(std::unique(next[c].begin(), next[c].end()), next[c].end());
        reaches[c].resize(c, false);
        for (const std::uint32_t to : next[c]) { // the nearest first: what it waits for follows
            if (reaches[c][to])
                continue;
            kept[c].push_back(to);
            reaches[c][to] = true;
            for (std::uint32_t further = 0; further < to; ++further)
                if (reaches[to][further])
                    reaches[c][further] = true;
        }
        std::sort(kept[c].begin(), kept[c].end());
    }
    std::vector<std::uint32_t> essential;
    for (std::uint32_t e = 0; e < graph.edges.size(); ++e) {
        const ProgressEdge &edge = graph.edges[e];
        const std::uint32_t from = component[edge.from];
        const std::uint32_t to = component[edge.to];
        if (!isWait(edge) || from == to || std::binary_search(kept[from].begin(), kept[from].end(), to))
            essential.push_back(e);
    }
    return essential;
}

} // namespace laggard
