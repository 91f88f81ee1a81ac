// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/waitfor/WaitComponents.h"

#include <algorithm>
#include <boost/graph/compressed_sparse_row_graph.hpp>
#include <boost/graph/strong_components.hpp>
#include <map>
#include <queue>

namespace laggard {
namespace {

using Graph = boost::compressed_sparse_row_graph<boost::directedS>;
using Edge = std::pair<std::uint32_t, std::uint32_t>;
using Lists = std::vector<std::vector<std::uint32_t>>;

/// Nodes: ranks, then one for each wait. A rank leads to its waits, a wait to those waited for.
std::vector<Edge> edgesOf(std::size_t rankCount, const std::vector<Wait> &waits) {
    std::vector<Edge> edges;
    for (std::size_t w = 0; w < waits.size(); ++w) {
        const auto node = static_cast<std::uint32_t>(rankCount + w);
        for (const Rank rank : waits[w].waiters)
            edges.emplace_back(rank, node);
        for (const Rank rank : waits[w].on)
            edges.emplace_back(node, rank);
    }
    return edges;
}

Lists sourcesOf(std::size_t nodeCount, const std::vector<Edge> &edges) {
    Lists sources(nodeCount);
    for (const auto &[from, to] : edges)
        sources[to].push_back(from);
    return sources;
}

std::size_t countWaiting(std::size_t rankCount, const Lists &sources, const RankSet &ranks, std::vector<std::uint32_t> &seenBy,
                         std::uint32_t stamp) {
    std::vector<std::uint32_t> open(ranks.begin(), ranks.end());
    for (const Rank rank : ranks)
        seenBy[rank] = stamp;
    std::size_t waiting = 0;
    while (!open.empty()) {
        const std::uint32_t node = open.back();
        open.pop_back();
        for (const std::uint32_t source : sources[node])
            if (seenBy[source] != stamp) {
                seenBy[source] = stamp;
                waiting += source < rankCount ? 1 : 0;
                open.push_back(source);
            }
    }
    return waiting;
}

} // namespace

std::vector<WaitEnd> findWaitEnds(std::size_t rankCount, const std::vector<Wait> &waits) {
    const std::size_t nodeCount = rankCount + waits.size();
    const std::vector<Edge> edges = edgesOf(rankCount, waits);
    const Graph graph(boost::edges_are_unsorted_multi_pass, edges.begin(), edges.end(), nodeCount);
    std::vector<std::size_t> componentOf(nodeCount);
    const std::size_t count = boost::strong_components(
        graph, boost::make_iterator_property_map(componentOf.begin(), boost::get(boost::vertex_index, graph)));
    std::vector<bool> isBottom(count, true);
    std::vector<bool> isAwaited(count, false);
    for (const auto &[from, to] : edges) {
        if (componentOf[from] != componentOf[to])
            isBottom[componentOf[from]] = false;
        isAwaited[componentOf[to]] = true;
    }
    std::map<std::size_t, WaitEnd> bottoms;
    for (Rank rank = 0; rank < rankCount; ++rank)
        if (const std::size_t component = componentOf[rank]; isBottom[component] && isAwaited[component])
            bottoms[component].ranks.push_back(rank);
    const Lists sources = sourcesOf(nodeCount, edges);
    std::vector<std::uint32_t> seenBy(nodeCount, none);
    std::map<std::vector<std::uint32_t>, std::size_t> known; // single ranks awaited in the same waits weigh the same
    std::uint32_t stamp = 0;
    std::vector<WaitEnd> ends;
    for (auto &[component, end] : bottoms) {
        const bool single = end.ranks.size() == 1;
        const auto same = single ? known.find(sources[end.ranks.front()]) : known.end();
        end.waiting = same != known.end() ? same->second : countWaiting(rankCount, sources, end.ranks, seenBy, stamp++);
        if (single)
            known.emplace(sources[end.ranks.front()], end.waiting);
        ends.push_back(std::move(end));
    }
    std::sort(ends.begin(), ends.end(), [](const WaitEnd &a, const WaitEnd &b) {
        return a.waiting != b.waiting ? a.waiting > b.waiting : a.ranks < b.ranks;
    });
    return ends;
}

void describeWaiting(std::size_t rankCount, const std::vector<Wait> &waits, WaitEnd &end) {
    const Lists sources = sourcesOf(rankCount + waits.size(), edgesOf(rankCount, waits));
    std::vector<double> best(sources.size(), -1); // widest path, as Dijkstra finds it
    std::priority_queue<std::pair<double, std::uint32_t>> open;
    for (const Rank rank : end.ranks) {
        best[rank] = 1;
        open.emplace(1, rank);
    }
    while (!open.empty()) {
        const auto [confidence, node] = open.top();
        open.pop();
        if (confidence < best[node])
            continue;
        for (const std::uint32_t source : sources[node]) {
            const double through = source < rankCount ? confidence : std::min(confidence, waits[source - rankCount].confidence);
            if (through > best[source]) {
                best[source] = through;
                open.emplace(through, source);
            }
        }
    }
    end.waitingRanks.clear();
    double sum = 0;
    for (Rank rank = 0; rank < rankCount; ++rank)
        if (best[rank] >= 0 && !std::binary_search(end.ranks.begin(), end.ranks.end(), rank)) {
            end.waitingRanks.push_back(rank);
            sum += best[rank];
        }
    end.waiting = end.waitingRanks.size();
    end.confidence = end.waiting == 0 ? 0 : sum / static_cast<double>(end.waiting);
}

} // namespace laggard
