// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/progress/CollapsedGraph.h"

#include "analysis/progress/ReducedEdges.h"

#include <algorithm>
#include <deque>
#include <map>
#include <tuple>
#include <utility>

namespace laggard {
namespace {

using Nodes = std::vector<std::uint32_t>;

/// By node: the only one that it waits for; `none` for roots.
Nodes parentsOf(const ProgressGraph &graph) {
    Nodes parent(graph.nodes.size(), none);
    std::vector<bool> hasSeveral(graph.nodes.size(), false);
    for (const std::uint32_t e : essentialEdges(graph)) {
        const ProgressEdge &edge = graph.edges[e];
        if (edge.dependence != ProgressEdge::Dependence::Waits || edge.from == edge.to || parent[edge.from] == edge.to)
            continue;
        if (parent[edge.from] == none)
            parent[edge.from] = edge.to;
        else
            hasSeveral[edge.from] = true;
    }
    for (std::uint32_t node = 0; node < parent.size(); ++node)
        if (hasSeveral[node] || graph.nodes[node].leastProgressed)
            parent[node] = none;
    // A circle hangs on nothing: its members are roots.
    Nodes seenFrom(parent.size(), none);
    for (std::uint32_t start = 0; start < parent.size(); ++start) {
        std::uint32_t node = start;
        while (node != none && seenFrom[node] == none) {
            seenFrom[node] = start;
            node = parent[node];
        }
        while (node != none && seenFrom[node] == start && parent[node] != none)
            node = std::exchange(parent[node], none);
    }
    return parent;
}

/// Which nodes are drawn with their children; what hangs on the others is one node.
class Opening {
  public:
    Opening(const ProgressGraph &graph, const Nodes &parent) : m_children(parent.size()), m_isOpen(parent.size(), false) {
        for (std::uint32_t node = 0; node < parent.size(); ++node)
            if (parent[node] != none)
                m_children[parent[node]].push_back(node);
            else
                (graph.nodes[node].leastProgressed ? m_roots.insert(m_roots.begin(), node) : m_roots.insert(m_roots.end(), node));
    }

    std::vector<bool> choose(std::size_t most, const OpenedNodes &user) {
        std::size_t drawn = 0;
        for (const std::uint32_t root : m_roots)
            drawn += 1 + (m_children[root].empty() ? 0 : 1);
        std::deque<std::uint32_t> next(m_roots.begin(), m_roots.end());
        while (!next.empty()) {
            const std::uint32_t node = next.front();
            next.pop_front();
            const std::size_t more = costOf(node);
            const bool wanted = user.opened.contains(node);
            if (m_children[node].empty() || user.closed.contains(node) || (!wanted && drawn + more > most))
                continue;
            m_isOpen[node] = true;
            drawn += more;
            next.insert(next.end(), m_children[node].begin(), m_children[node].end());
        }
        return m_isOpen;
    }

  private:
    /// How many nodes more are drawn when it is opened.
    [[nodiscard]] std::size_t costOf(std::uint32_t node) const {
        std::size_t drawn = 0;
        for (const std::uint32_t child : m_children[node])
            drawn += 1 + (m_children[child].empty() ? 0 : 1);
        return drawn == 0 ? 0 : drawn - 1;
    }

    std::vector<Nodes> m_children;
    std::vector<bool> m_isOpen;
    Nodes m_roots; ///< the least progressed first
};

ProgressNode together(const ProgressGraph &whole, const Nodes &nodes) {
    ProgressNode node = whole.nodes[nodes.front()];
    for (const std::uint32_t each : nodes) {
        const ProgressNode &part = whole.nodes[each];
        if (each != nodes.front())
            node.ranks.insert(node.ranks.end(), part.ranks.begin(), part.ranks.end());
        node.damaged |= part.damaged;
        // What all have in common: the outer calls.
        const auto differ = std::mismatch(node.stack.rbegin(), node.stack.rend(), part.stack.rbegin(), part.stack.rend(),
                                          [](const Frame &a, const Frame &b) { return a.function == b.function; });
        node.stack.erase(node.stack.begin(), differ.first.base());
        if (part.callPath != node.callPath)
            node.callPath = none;
    }
    std::sort(node.ranks.begin(), node.ranks.end());
    return node;
}

void joinEdges(const ProgressGraph &whole, CollapsedGraph &collapsed) {
    std::map<std::tuple<std::uint32_t, std::uint32_t, ProgressEdge::Kind, ProgressEdge::Dependence>, std::uint32_t> surest;
    for (std::uint32_t e = 0; e < whole.edges.size(); ++e) {
        const ProgressEdge &edge = whole.edges[e];
        const std::uint32_t from = collapsed.drawn[edge.from];
        const std::uint32_t to = collapsed.drawn[edge.to];
        if (from == to && edge.from != edge.to)
            continue;
        const auto [known, isNew] = surest.try_emplace({from, to, edge.kind, edge.dependence}, e);
        if (!isNew && whole.edges[known->second].confidence < edge.confidence)
            known->second = e;
    }
    for (const auto &[ends, e] : surest) {
        collapsed.graph.edges.push_back(whole.edges[e]);
        collapsed.graph.edges.back().from = std::get<0>(ends);
        collapsed.graph.edges.back().to = std::get<1>(ends);
        collapsed.edges.push_back(e);
    }
}

} // namespace

CollapsedGraph collapse(const ProgressGraph &whole, std::size_t most, const OpenedNodes &user) {
    const Nodes parent = parentsOf(whole);
    const std::vector<bool> isOpen = Opening(whole, parent).choose(most, user);
    // The outermost closed node on the way to the root holds what hangs on it.
    const auto holderOf = [&](std::uint32_t node) {
        std::uint32_t holder = none;
        for (std::uint32_t above = parent[node]; above != none; above = parent[above])
            if (!isOpen[above])
                holder = above;
        return holder;
    };
    std::map<std::uint32_t, Nodes> held;
    CollapsedGraph collapsed;
    collapsed.drawn.resize(whole.nodes.size(), none);
    for (std::uint32_t node = 0; node < whole.nodes.size(); ++node) {
        const std::uint32_t holder = holderOf(node);
        if (holder != none)
            held[holder].push_back(node);
    }
    std::map<std::uint32_t, std::uint32_t> groupOfFirst; // groups stand where their lowest node would
    for (const auto &[holder, nodes] : held)
        groupOfFirst[nodes.front()] = holder;
    const auto add = [&](const Nodes &nodes, std::uint32_t waitsFor) {
        const auto number = static_cast<std::uint32_t>(collapsed.nodes.size());
        for (const std::uint32_t node : nodes)
            collapsed.drawn[node] = number;
        collapsed.graph.nodes.push_back(nodes.size() == 1 ? whole.nodes[nodes.front()] : together(whole, nodes));
        collapsed.nodes.push_back(nodes);
        collapsed.waitsFor.push_back(nodes.size() == 1 ? none : waitsFor);
    };
    for (std::uint32_t node = 0; node < whole.nodes.size(); ++node)
        if (const auto group = groupOfFirst.find(node); group != groupOfFirst.end())
            add(held[group->second], group->second);
        else if (holderOf(node) == none)
            add({node}, none);
    joinEdges(whole, collapsed);
    ProgressGraph &graph = collapsed.graph;
    graph.at = whole.at;
    graph.leastProgressed = whole.leastProgressed;
    graph.confidence = whole.confidence;
    graph.why = whole.why;
    graph.namedByWaits = whole.namedByWaits;
    graph.probabilistic = whole.probabilistic;
    graph.finished = whole.finished;
    graph.unknown = whole.unknown;
    graph.models.states = whole.models.states;
    return collapsed;
}

} // namespace laggard
