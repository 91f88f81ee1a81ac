// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/stacks/Hosts.h"

#include <numeric>
#include <unordered_map>

namespace laggard {

std::vector<HostRanks> ranksByHost(const Trace &trace, const RankSet &ranks) {
    std::vector<HostRanks> hosts;
    std::unordered_map<std::string, std::size_t> positions;
    for (const Rank rank : ranks) {
        if (rank >= trace.processes.size())
            continue;
        std::string host = trace.hostOf(rank);
        const auto [position, isNew] = positions.try_emplace(host, hosts.size());
        if (isNew)
            hosts.push_back({std::move(host), {}});
        hosts[position->second].ranks.push_back(rank);
    }
    return hosts;
}

std::vector<HostRanks> ranksByHost(const Trace &trace) {
    RankSet all(trace.processes.size());
    std::iota(all.begin(), all.end(), Rank{0});
    return ranksByHost(trace, all);
}

} // namespace laggard
