// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/compare/Counterparts.h"

#include <string>

namespace laggard {

Counterparts::Counterparts(const Trace &from, const Trace &to) : m_ranks(to.processes.size()) {
    std::unordered_map<std::string, RegionId> named;
    for (RegionId region = 0; region < to.regions.size(); ++region)
        named.emplace(to.regions[region].name, region);
    std::vector<RegionId> first; // by region of `to`: the first of that name
    for (const Region &region : to.regions)
        first.push_back(named.at(region.name));
    for (const Region &region : from.regions) {
        const auto found = named.find(region.name);
        m_regions.push_back(found == named.end() ? none : found->second);
    }
    // Calls from other lines are other paths: the first of those with the same names stands for all.
    std::unordered_map<std::uint64_t, CallPathId> paths;
    std::vector<CallPathId> leading;
    for (CallPathId path = 0; path < to.callPaths.size(); ++path) {
        const CallPath &call = to.callPaths[path];
        const CallPathId parent = call.parent == none ? none : leading[call.parent];
        leading.push_back(paths.try_emplace(std::uint64_t{parent} << 32U | first[call.region], path).first->second);
    }
    for (CallPathId path = 0; path < from.callPaths.size(); ++path) {
        const CallPath &call = from.callPaths[path];
        const CallPathId parent = call.parent == none ? none : m_paths[call.parent];
        const RegionId region = m_regions[call.region];
        const auto found = region == none ? paths.end() : paths.find(std::uint64_t{parent} << 32U | region);
        m_paths.push_back(found == paths.end() ? parent : found->second);
    }
}

Selection Counterparts::selection(const Selection &selection) const {
    Selection there;
    for (const Rank rank : selection.ranks)
        if (rank < m_ranks)
            there.ranks.push_back(rank);
    there.region = region(selection.region);
    there.callPath = callPath(selection.callPath);
    return there;
}

} // namespace laggard
