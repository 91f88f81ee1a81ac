// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/delays/CollectiveArrivals.h"

namespace laggard {
namespace {

/// Calls `visit(instance, arrival)` for every completed collective call of a main thread.
template <typename Visit> void forEachArrival(const Trace &trace, const MpiCallTable &calls, Visit visit) {
    for (Rank rank = 0; rank < trace.processes.size(); ++rank) {
        const LocationEvents *events = trace.mainEvents(rank);
        if (events == nullptr)
            continue;
        const CollectiveCalls &all = events->collectives;
        const Track &track = events->track;
        for (std::size_t i = 0; i < all.size(); ++i) {
            if (all.instance[i] == none || all.row[i] == none)
                continue;
            const MpiCall &call = calls[track.callPath[all.row[i]]];
            visit(all.instance[i],
                  Arrival{rank, track.start[all.row[i]], track.end[all.row[i]], !call.isWait() && !call.isPoll()});
        }
    }
}

} // namespace

CollectiveArrivals::CollectiveArrivals(const Trace &trace, const MpiCallTable &calls) : m_begin(trace.collectives.size() + 1, 0) {
    forEachArrival(trace, calls, [this](std::uint32_t instance, const Arrival &) { ++m_begin[instance + 1]; });
    for (std::size_t i = 1; i < m_begin.size(); ++i)
        m_begin[i] += m_begin[i - 1];
    m_all.resize(m_begin.back());
    std::vector<std::uint32_t> next(m_begin.begin(), m_begin.end() - 1);
    forEachArrival(trace, calls, [&](std::uint32_t instance, const Arrival &arrival) { m_all[next[instance]++] = arrival; });
}

} // namespace laggard
