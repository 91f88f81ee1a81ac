// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/units/CallNames.h"

#include <algorithm>

namespace laggard {

CallNames::CallNames(const Trace &trace) : m_trace(trace), m_sites(trace.callPaths.size()), m_names(trace.callPaths.size()) {
    for (CallPathId path = 0; path < trace.callPaths.size(); ++path) {
        if (const CallSite *site = trace.siteOf(path))
            m_sites[path] = site->file.substr(site->file.rfind('/') + 1) + ':' + std::to_string(site->line);
        m_names[path] = callName(trace.region(path).name, m_sites[path]);
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
