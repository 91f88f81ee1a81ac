// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/detail/CallStatistics.h"

#include "trace/Parallel.h"

#include <algorithm>

namespace laggard {
namespace {

Tick addClamped(Tick a, Tick b) { return a > openEnd - b ? openEnd : a + b; }

/// Statistics by call path of one location, in the window. Calls at the same path do not overlap, so nothing overflows here;
/// exclusive times may be below zero in between, and wrap around correctly.
class LocationStatistics {
  public:
    LocationStatistics(const Trace &trace, TimeRange window, std::vector<RegionStatistics> &byPath)
        : m_trace(trace), m_window(window), m_byPath(byPath) {}

    void add(LocationIndex location) {
        const Track &track = m_trace.locations[location].events.track;
        m_isDamaged = m_trace.locations[location].damaged;
        m_end = m_trace.knownEnd(location);
        const auto begin = std::lower_bound(track.start.begin(), track.start.end(), m_window.begin);
        const auto end = std::upper_bound(begin, track.start.end(), m_window.end);
        // Calls that began earlier and reach into the window are the callers open at its beginning.
        std::uint32_t row = begin == track.start.begin() ? none : static_cast<std::uint32_t>(begin - track.start.begin() - 1);
        for (; row != none; row = track.parent[row])
            if (track.end[row] > m_window.begin)
                addCall(track, row);
        const auto past = static_cast<std::uint32_t>(end - track.start.begin());
        for (row = static_cast<std::uint32_t>(begin - track.start.begin()); row < past; ++row)
            addCall(track, row);
    }

  private:
    void addCall(const Track &track, std::uint32_t row) {
        const bool open = track.isOpen(row);
        const Tick start = std::max(track.start[row], m_window.begin);
        const Tick end = std::min(open ? m_end : track.end[row], m_window.end);
        const Tick ticks = end > start ? end - start : 0;
        RegionStatistics &own = m_byPath[track.callPath[row]];
        own.count += 1;
        own.open += open && !m_isDamaged;
        own.inclusive += ticks;
        own.exclusive += ticks;
        if (track.parent[row] != none)
            m_byPath[track.callPath[track.parent[row]]].exclusive -= ticks;
    }

    const Trace &m_trace;
    const TimeRange m_window;
    bool m_isDamaged = false; ///< of the location at hand
    Tick m_end = 0;           ///< when its open calls end
    std::vector<RegionStatistics> &m_byPath;
};

/// By call path: whether the function is among its own callers.
std::vector<bool> recursivePaths(const Trace &trace) {
    std::vector<bool> recursive(trace.callPaths.size());
    for (CallPathId path = 0; path < trace.callPaths.size(); ++path) {
        const RegionId region = trace.callPaths[path].region;
        for (CallPathId caller = trace.callPaths[path].parent; caller != none && !recursive[path];
             caller = trace.callPaths[caller].parent)
            recursive[path] = trace.callPaths[caller].region == region;
    }
    return recursive;
}

} // namespace

std::vector<RegionStatistics> callStatistics(const Trace &trace, TimeRange window, const RankSet &ranks, const Work &work) {
    std::vector<LocationIndex> locations;
    for (const Rank rank : ranks)
        if (rank < trace.processes.size())
            locations.insert(locations.end(), trace.processes[rank].locations.begin(), trace.processes[rank].locations.end());

    const std::vector<bool> recursive = recursivePaths(trace);
    const std::size_t workers = std::max<std::size_t>(1, work.threadCount());
    std::vector<std::vector<RegionStatistics>> byWorker(workers, std::vector<RegionStatistics>(trace.regions.size()));
    std::vector<std::vector<RegionStatistics>> byPath(workers, std::vector<RegionStatistics>(trace.callPaths.size()));
    forEachParallel(locations.size(), work, [&](std::size_t i, unsigned worker) {
        std::vector<RegionStatistics> &paths = byPath[worker];
        std::fill(paths.begin(), paths.end(), RegionStatistics());
        LocationStatistics(trace, window, paths).add(locations[i]);
        for (CallPathId path = 0; path < paths.size(); ++path) {
            RegionStatistics &region = byWorker[worker][trace.callPaths[path].region];
            region.count += paths[path].count;
            region.open += paths[path].open;
            region.exclusive = addClamped(region.exclusive, paths[path].exclusive);
            if (!recursive[path])
                region.inclusive = addClamped(region.inclusive, paths[path].inclusive);
        }
    });

    std::vector<RegionStatistics> total(trace.regions.size());
    for (const std::vector<RegionStatistics> &part : byWorker) {
        for (RegionId region = 0; region < total.size(); ++region) {
            total[region].count += part[region].count;
            total[region].open += part[region].open;
            total[region].inclusive = addClamped(total[region].inclusive, part[region].inclusive);
            total[region].exclusive = addClamped(total[region].exclusive, part[region].exclusive);
        }
    }
    return total;
}

} // namespace laggard
