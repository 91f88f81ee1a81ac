// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/units/CallNames.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <tuple>

namespace laggard {

CallNames::CallNames(const Trace &trace)
    : m_trace(trace), m_sites(trace.callPaths.size()), m_names(trace.callPaths.size()), m_nodes(trace.callPaths.size()) {
    for (const Region &region : trace.regions)
        m_files.push_back(withoutFolders(region.file));
    std::map<std::tuple<CallPathId, std::string_view, std::string_view, std::uint32_t>, CallPathId> nodes;
    for (CallPathId path = 0; path < trace.callPaths.size(); ++path) {
        if (const CallSite *site = trace.siteOf(path))
            m_sites[path] = withoutFolders(site->file) + ':' + std::to_string(site->line);
        m_names[path] = callName(trace.region(path).name, m_sites[path]);
        // A caller has a smaller number, and is known.
        m_nodes[path] =
            nodes.try_emplace({nodeOfParent(path), m_names[path], file(path), trace.region(path).line}, path).first->second;
    }
}

CallModel::Stack CallNames::stack(CallPathId path) const {
    CallModel::Stack stack;
    for (; path != none; path = m_trace.callPaths[path].parent)
        stack.push_back(m_names[path]);
    std::reverse(stack.begin(), stack.end());
    return stack;
}

std::vector<CallModel::Stack> CallNames::stacks(const std::vector<CallPathId> &paths) const {
    std::vector<CallModel::Stack> stacks;
    stacks.reserve(paths.size());
    for (const CallPathId path : paths)
        stacks.push_back(stack(path));
    std::sort(stacks.begin(), stacks.end());
    stacks.erase(std::unique(stacks.begin(), stacks.end()), stacks.end());
    return stacks;
}

} // namespace laggard
