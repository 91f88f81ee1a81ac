// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/stacks/CallPrefixTree.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <numeric>
#include <unordered_map>

namespace laggard {
namespace {

void add(RankSet &ranks, const RankSet &more) { ranks.insert(ranks.end(), more.begin(), more.end()); }

/// Puts call paths into the tree, callers first.
class Builder {
  public:
    Builder(const CallPathTable &callPaths, CallPrefixTree &tree) : m_callPaths(callPaths), m_tree(tree) {}

    std::uint32_t node(CallPathId path) {
        if (path == none)
            return 0;
        if (const auto known = m_nodes.find(path); known != m_nodes.end())
            return known->second;
        const std::uint32_t parent = node(m_callPaths[path].parent);
        const auto made = static_cast<std::uint32_t>(m_tree.nodes.size());
        m_tree.nodes.push_back({path, parent, {}, {}, {}});
        m_tree.nodes[parent].children.push_back(made);
        m_nodes.emplace(path, made);
        return made;
    }

  private:
    const CallPathTable &m_callPaths;
    CallPrefixTree &m_tree;
    std::unordered_map<CallPathId, std::uint32_t> m_nodes;
};

} // namespace

CallPrefixTree buildCallPrefixTree(const CallPathTable &callPaths, const std::vector<Activity> &activities,
                                   const RankSet &ranks) {
    RankSet asked = ranks;
    if (asked.empty()) {
        asked.resize(activities.size());
        std::iota(asked.begin(), asked.end(), Rank{0});
    }
    CallPrefixTree tree;
    Builder builder(callPaths, tree);
    std::map<Activity::Kind, RankSet> withoutCall;
    for (const Rank rank : asked) {
        if (rank >= activities.size())
            continue;
        const Activity &activity = activities[rank];
        if (activity.callPath == none)
            withoutCall[activity.kind].push_back(rank);
        else
            tree.nodes[builder.node(activity.callPath)].innermost.push_back(rank);
    }
    // Children come after their parents: backwards, every node is complete before it is added to its parent.
    for (std::size_t i = tree.nodes.size(); i-- > 0;) {
        CallPrefixNode &node = tree.nodes[i];
        add(node.ranks, node.innermost);
        std::sort(node.ranks.begin(), node.ranks.end());
        if (node.parent != none)
            add(tree.nodes[node.parent].ranks, node.ranks);
    }
    for (CallPrefixNode &node : tree.nodes)
        std::sort(node.children.begin(), node.children.end(), [&](std::uint32_t a, std::uint32_t b) {
            const RankSet &left = tree.nodes[a].ranks;
            const RankSet &right = tree.nodes[b].ranks;
            return left.size() != right.size() ? left.size() > right.size() : left.front() < right.front();
        });
    for (auto &[kind, idle] : withoutCall)
        tree.withoutCall.push_back({kind, std::move(idle)});
    return tree;
}

} // namespace laggard
