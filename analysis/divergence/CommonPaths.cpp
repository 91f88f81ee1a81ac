// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/divergence/CommonPaths.h"

#include "trace/MpiName.h"

#include <algorithm>
#include <set>

namespace laggard {
namespace {

constexpr double leastOverlap = 0.5; // a fault leaves most places that a program calls MPI from; another recorder leaves none

std::string nameOf(const Region &region) {
    const std::string mpi = region.isMpi() ? mpiBaseName(region.name) : std::string();
    return mpi.empty() ? region.name : "MPI_" + mpi;
}

std::set<std::uint32_t> pathsToMpi(const Trace &trace, const std::vector<std::uint32_t> &numbers) {
    std::set<std::uint32_t> paths;
    for (CallPathId path = 0; path < trace.callPaths.size(); ++path)
        if (trace.region(path).isMpi())
            paths.insert(numbers[path]);
    return paths;
}

} // namespace

CommonPaths::CommonPaths(const Trace &here, const Trace &there) {
    number(here, 0);
    number(there, 1);
    m_comparesPaths = overlap(here, there) >= leastOverlap;
}

void CommonPaths::number(const Trace &trace, std::size_t run) {
    for (CallPathId path = 0; path < trace.callPaths.size(); ++path) { // a caller has a smaller number
        const CallPath &call = trace.callPaths[path];
        const auto name = static_cast<std::uint32_t>(m_names.size());
        const std::uint32_t function = m_names.try_emplace(nameOf(trace.regions[call.region]), name).first->second;
        const std::uint32_t parent = call.parent == none ? none : m_whole[run][call.parent];
        const auto next = static_cast<std::uint32_t>(m_paths.size());
        m_function[run].push_back(function);
        m_whole[run].push_back(m_paths.try_emplace(std::uint64_t{parent} << 32U | function, next).first->second);
    }
}

double CommonPaths::overlap(const Trace &here, const Trace &there) const {
    const std::set<std::uint32_t> a = pathsToMpi(here, m_whole[0]);
    const std::set<std::uint32_t> b = pathsToMpi(there, m_whole[1]);
    const auto shared = std::ranges::count_if(a, [&](std::uint32_t path) { return b.contains(path); });
    const std::size_t smaller = std::min(a.size(), b.size());
    return smaller == 0 ? 1 : static_cast<double>(shared) / static_cast<double>(smaller);
}

} // namespace laggard
