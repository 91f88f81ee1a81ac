// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/progress/LeastProgressed.h"

#include "trace/Phrases.h"
#include "trace/Quantity.h"

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/strong_components.hpp>

#include <algorithm>
#include <numeric>
#include <queue>

namespace laggard {
namespace {

using Nodes = std::vector<std::uint32_t>;
using Graph = std::vector<Nodes>; ///< by node, the nodes it waits for

constexpr double certain = 0.95; // a wait that is less sure counts as a guess

bool isWait(const ProgressEdge &edge) { return edge.dependence == ProgressEdge::Dependence::Waits; }
/// A wait that tells who has made less progress: the rule does not count messages.
bool tellsOrder(const ProgressEdge &edge) { return isWait(edge) && edge.kind != ProgressEdge::Kind::PointToPoint; }

template <typename Chosen> Graph graphOf(std::size_t nodes, const std::vector<ProgressEdge> &edges, Chosen chosen) {
    Graph graph(nodes);
    for (const ProgressEdge &edge : edges)
        if (chosen(edge))
            graph[edge.from].push_back(edge.to);
    return graph;
}

std::vector<bool> reachableFrom(std::uint32_t start, const Graph &graph) {
    std::vector<bool> reached(graph.size(), false);
    reached[start] = true;
    for (Nodes open{start}; !open.empty();) {
        const std::uint32_t node = open.back();
        open.pop_back();
        for (const std::uint32_t next : graph[node])
            if (!reached[next]) {
                reached[next] = true;
                open.push_back(next);
            }
    }
    return reached;
}

/// The strongly connected component of each node; a component has a smaller number than those that lead to it.
Nodes components(const Graph &graph, std::size_t &count) {
    boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS> copy(graph.size());
    for (std::uint32_t from = 0; from < graph.size(); ++from)
        for (const std::uint32_t to : graph[from])
            boost::add_edge(from, to, copy);
    Nodes component(graph.size());
    count = graph.empty() ? 0
                          : boost::strong_components(copy, boost::make_iterator_property_map(
                                                               component.begin(), boost::get(boost::vertex_index, copy)));
    return component;
}

RankSet ranksOf(const Nodes &chosen, const std::vector<ProgressNode> &nodes) {
    RankSet ranks;
    for (const std::uint32_t node : chosen)
        ranks.insert(ranks.end(), nodes[node].ranks.begin(), nodes[node].ranks.end());
    std::sort(ranks.begin(), ranks.end());
    return ranks;
}

/// How surely the ranks outside `chosen` wait for it, on average.
double confidenceIn(const Nodes &chosen, const std::vector<ProgressNode> &nodes, const std::vector<ProgressEdge> &edges) {
    std::vector<std::vector<const ProgressEdge *>> waiting(nodes.size());
    for (const ProgressEdge &edge : edges)
        if (isWait(edge))
            waiting[edge.to].push_back(&edge);
    std::vector<double> surest(nodes.size(), 0);
    std::priority_queue<std::pair<double, std::uint32_t>> open;
    for (const std::uint32_t node : chosen) {
        surest[node] = 1;
        open.emplace(1.0, node);
    }
    while (!open.empty()) {
        const auto [sureness, node] = open.top();
        open.pop();
        if (sureness < surest[node])
            continue;
        for (const ProgressEdge *edge : waiting[node]) {
            const double reached = std::min(sureness, edge->confidence);
            if (reached > surest[edge->from]) {
                surest[edge->from] = reached;
                open.emplace(reached, edge->from);
            }
        }
    }
    double sum = 0;
    std::size_t others = 0;
    for (std::uint32_t node = 0; node < nodes.size(); ++node)
        if (std::find(chosen.begin(), chosen.end(), node) == chosen.end()) {
            others += nodes[node].ranks.size();
            sum += surest[node] * static_cast<double>(nodes[node].ranks.size());
        }
    if (chosen.empty())
        return 0;
    if (others == 0)
        return ranksOf(chosen, nodes).size() == 1 ? 1 : 0; // nobody is told apart from them
    return sum / static_cast<double>(others) / static_cast<double>(chosen.size());
}

bool isCertainCycleMaterial(const Wait &wait) {
    return wait.kind == Wait::Kind::PointToPoint && wait.confidence >= certain && (!wait.anyOf || wait.on.size() == 1);
}

/// Ranks on cycles of certain point-to-point waits. Each wait is a vertex between those who wait and those they wait for.
RankSet deadlocked(const std::vector<Wait> &waits) {
    Rank ranks = 0;
    for (const Wait &wait : waits)
        for (const RankSet *set : {&wait.waiters, &wait.on})
            ranks = set->empty() ? ranks : std::max(ranks, set->back() + 1);
    Graph graph(ranks + waits.size());
    for (std::uint32_t w = 0; w < waits.size(); ++w) {
        if (!isCertainCycleMaterial(waits[w]))
            continue;
        for (const Rank rank : waits[w].waiters)
            graph[rank].push_back(ranks + w);
        graph[ranks + w] = waits[w].on;
    }
    std::size_t count = 0;
    const Nodes component = components(graph, count);
    std::vector<std::size_t> members(count, 0);
    for (Rank rank = 0; rank < ranks; ++rank)
        ++members[component[rank]];
    RankSet result;
    for (Rank rank = 0; rank < ranks; ++rank)
        if (members[component[rank]] > 1)
            result.push_back(rank);
    return result;
}

double weakestWaitWithin(const RankSet &ranks, const std::vector<Wait> &waits) {
    const auto meets = [&ranks](const RankSet &others) {
        return std::any_of(others.begin(), others.end(),
                           [&](Rank r) { return std::binary_search(ranks.begin(), ranks.end(), r); });
    };
    double weakest = 1;
    for (const Wait &wait : waits)
        if (isCertainCycleMaterial(wait) && meets(wait.waiters) && meets(wait.on))
            weakest = std::min(weakest, wait.confidence);
    return weakest;
}

/// Nodes at the end of the longest chain of certain waits; empty if there are none.
Nodes endsOfLongestChain(std::size_t nodes, const std::vector<ProgressEdge> &edges) {
    const Graph graph =
        graphOf(nodes, edges, [](const ProgressEdge &e) { return isWait(e) && e.observed && e.confidence >= certain; });
    std::size_t count = 0;
    const Nodes component = components(graph, count);
    std::vector<Nodes> members(count);
    for (std::uint32_t node = 0; node < nodes; ++node)
        members[component[node]].push_back(node);
    std::vector<std::size_t> length(count, 0); // length of the longest chain that ends in the component
    for (std::size_t c = count; c-- > 0;)
        for (const std::uint32_t node : members[c])
            for (const std::uint32_t next : graph[node])
                if (component[next] != c)
                    length[component[next]] = std::max(length[component[next]], length[c] + 1);
    const std::size_t longest = count == 0 ? 0 : *std::max_element(length.begin(), length.end());
    Nodes ends;
    for (std::uint32_t node = 0; node < nodes && longest > 0; ++node)
        if (length[component[node]] == longest)
            ends.push_back(node);
    return ends;
}

/// Candidates without those that wait point-to-point for a non-candidate of another branch; says so in `why`.
Nodes withoutOtherBranches(const Nodes &candidates, const std::vector<ProgressNode> &nodes,
                           const std::vector<ProgressEdge> &edges, std::string &why) {
    const Graph collective = graphOf(nodes.size(), edges, tellsOrder);
    Nodes kept;
    for (const std::uint32_t candidate : candidates) {
        const auto reason = std::find_if(edges.begin(), edges.end(), [&](const ProgressEdge &edge) {
            return edge.from == candidate && isWait(edge) && edge.kind == ProgressEdge::Kind::PointToPoint &&
                   !std::binary_search(candidates.begin(), candidates.end(), edge.to) &&
                   !reachableFrom(candidate, collective)[edge.to] && !reachableFrom(edge.to, collective)[candidate];
        });
        if (reason == edges.end())
            kept.push_back(candidate);
        else
            why.append(1, ' ').append(capitalised(describeRankSet(nodes[candidate].ranks)) +
                                      " dropped out: waiting point-to-point for " + describeRankSet(nodes[reason->to].ranks) +
                                      " in another branch.");
    }
    return kept;
}

LeastProgressedDecision byEvidence(const Nodes &candidates, const std::vector<ProgressNode> &nodes,
                                   const std::vector<ProgressEdge> &edges, const std::vector<Wait> &waits, std::string why) {
    if (const RankSet cycle = deadlocked(waits); !cycle.empty())
        return {cycle, weakestWaitWithin(cycle, waits),
                why + " By evidence: " + describeRankSet(cycle) + " wait for each other point-to-point in a cycle, a deadlock."};
    if (const Nodes ends = endsOfLongestChain(nodes.size(), edges); !ends.empty())
        return {ranksOf(ends, nodes), confidenceIn(ends, nodes, edges),
                why + " By evidence: the longest chain of certain waits ends at " + describeRankSet(ranksOf(ends, nodes)) + "."};
    if (candidates.empty())
        return {{}, 0, why + " No wait is certain either: nobody can be singled out."};
    if (candidates.size() == nodes.size())
        return {{}, 0, why + " No wait is certain either: nobody can be singled out."};
    return {ranksOf(candidates, nodes), confidenceIn(candidates, nodes, edges),
            why + " No wait is certain either, so all of them stay."};
}

} // namespace

LeastProgressedDecision leastProgressed(const std::vector<ProgressNode> &nodes, const std::vector<ProgressEdge> &edges,
                                        const std::vector<Wait> &waits) {
    if (nodes.empty())
        return {{}, 0, "No rank is in the graph."};
    std::vector<bool> waitsInCollective(nodes.size(), false);
    for (const ProgressEdge &edge : edges)
        if (tellsOrder(edge))
            waitsInCollective[edge.from] = true;
    Nodes candidates;
    for (std::uint32_t node = 0; node < nodes.size(); ++node)
        if (!waitsInCollective[node])
            candidates.push_back(node);
    if (candidates.empty())
        return byEvidence({}, nodes, edges, waits,
                          "Every group of ranks seems to wait for another in a collective: the rule finds no "
                          "least progressed one.");
    const RankSet ranks = ranksOf(candidates, nodes);
    if (nodes.size() == 1 && ranks.size() > 1)
        return {{}, 0, "All ranks are in the same place, and none is known to wait for another: nobody can be singled out."};
    if (candidates.size() == 1)
        return {ranks, confidenceIn(candidates, nodes, edges),
                nodes.size() == 1 ? "There is no other rank."
                                  : "Of all groups of ranks only " + describeRankSet(ranks) + " wait" +
                                        (ranks.size() == 1 ? "s" : "") + " for no other in a collective."};
    std::string why = capitalised(describeRankSet(ranks)) + ", in " + plural(candidates.size(), "group") +
                      ", wait for no other in a collective.";
    const Nodes kept = withoutOtherBranches(candidates, nodes, edges, why);
    if (kept.empty())
        return byEvidence(candidates, nodes, edges, waits, why + " That leaves none.");
    if (kept.size() == candidates.size())
        return byEvidence(candidates, nodes, edges, waits, why + " The rule cannot choose among them.");
    return {ranksOf(kept, nodes), confidenceIn(kept, nodes, edges),
            why + " That leaves " + describeRankSet(ranksOf(kept, nodes)) + "."};
}

} // namespace laggard
