// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace/CallPathTable.h"

#include <algorithm>

namespace laggard {

CallPathId CallPathTable::intern(CallPathId parent, RegionId region, CallSiteId site) {
    const auto [entry, isNew] = m_index.try_emplace({parent, region, site}, static_cast<CallPathId>(m_paths.size()));
    if (isNew)
        m_paths.push_back({parent, region, parent == none ? 0 : m_paths[parent].depth + 1, site});
    return entry->second;
}

CallPathId CallPathTable::find(CallPathId parent, RegionId region, CallSiteId site) const {
    const auto entry = m_index.find({parent, region, site});
    return entry == m_index.end() ? none : entry->second;
}

void CallPathTable::truncate(std::size_t size) {
    for (; m_paths.size() > size; m_paths.pop_back())
        m_index.erase({m_paths.back().parent, m_paths.back().region, m_paths.back().site});
}

std::vector<RegionId> CallPathTable::regions(CallPathId id) const {
    std::vector<RegionId> result;
    for (; id != none; id = m_paths[id].parent)
        result.push_back(m_paths[id].region);
    std::reverse(result.begin(), result.end());
    return result;
}

bool CallPathTable::isAncestor(CallPathId ancestor, CallPathId id) const {
    if (ancestor == none)
        return true;
    while (id != none && m_paths[id].depth > m_paths[ancestor].depth)
        id = m_paths[id].parent;
    return id == ancestor;
}

CallPathTable CallPathTable::canonical(std::vector<CallPathId> &renumbering) const {
    std::vector<std::vector<CallPathId>> children(m_paths.size() + 1); // the last entry holds the outermost calls
    for (CallPathId id = 0; id < m_paths.size(); ++id)
        children[m_paths[id].parent == none ? m_paths.size() : m_paths[id].parent].push_back(id);
    for (auto &siblings : children)
        std::sort(siblings.begin(), siblings.end(), [this](CallPathId a, CallPathId b) {
            return std::pair(m_paths[a].region, m_paths[a].site) > std::pair(m_paths[b].region, m_paths[b].site);
        });

    renumbering.assign(m_paths.size(), none);
    CallPathTable result;
    std::vector<CallPathId> stack = children.back();
    while (!stack.empty()) {
        const CallPathId id = stack.back();
        stack.pop_back();
        const CallPathId parent = m_paths[id].parent;
        renumbering[id] = result.intern(parent == none ? none : renumbering[parent], m_paths[id].region, m_paths[id].site);
        stack.insert(stack.end(), children[id].begin(), children[id].end());
    }
    return result;
}

} // namespace laggard
