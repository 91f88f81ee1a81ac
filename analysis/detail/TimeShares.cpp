// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/detail/TimeShares.h"

#include "trace/Parallel.h"

#include <algorithm>

namespace laggard {
namespace {

constexpr std::uint8_t notMpi = mpiRoles;

using Sums = std::vector<std::array<double, mpiRoles>>; ///< ticks, by step

/// Adds a stretch of time, given in steps and their fractions.
void addStretch(Sums &sums, double from, double to, std::size_t role) {
    auto step = static_cast<std::size_t>(from);
    const std::size_t last = std::min(sums.size() - 1, static_cast<std::size_t>(to));
    for (; step <= last; ++step) {
        const auto begin = static_cast<double>(step);
        sums[step][role] += std::max(0.0, std::min(to, begin + 1) - std::max(from, begin));
    }
}

} // namespace

std::size_t TimeShares::stepAt(Tick time) const {
    const double part = static_cast<double>(std::clamp(time, range.begin, range.end) - range.begin) /
                        static_cast<double>(std::max<Tick>(1, range.length()));
    return std::min(steps.size() - 1, static_cast<std::size_t>(part * static_cast<double>(steps.size())));
}

TimeShares timeShares(const Trace &trace, const Work &work, std::size_t steps) {
    TimeShares shares;
    shares.range = trace.range;
    std::vector<std::uint8_t> roleOfPath(trace.callPaths.size(), notMpi);
    std::vector<std::uint8_t> roleOfRegion(trace.regions.size(), notMpi);
    for (RegionId region = 0; region < trace.regions.size(); ++region)
        if (trace.regions[region].isMpi())
            roleOfRegion[region] = static_cast<std::uint8_t>(mpiRoleOf(trace.regions[region].name));
    for (CallPathId path = 0; path < roleOfPath.size(); ++path)
        roleOfPath[path] = roleOfRegion[trace.callPaths[path].region];

    const double perTick = static_cast<double>(steps) / static_cast<double>(std::max<Tick>(1, trace.range.length()));
    const auto at = [&](Tick time) { return static_cast<double>(time - trace.range.begin) * perTick; };
    const std::size_t workers = std::max<std::size_t>(1, work.threadCount());
    std::vector<Sums> byWorker(workers, Sums(steps));
    forEachParallel(trace.processes.size(), work, [&](std::size_t rank, unsigned worker) {
        const LocationEvents *events = trace.mainEvents(static_cast<Rank>(rank));
        if (events == nullptr)
            return;
        const Track &track = events->track;
        const LocationIndex main = trace.processes[rank].mainLocation;
        Tick outerEnd = 0;
        for (std::uint32_t row = 0; row < track.size(); ++row) {
            const std::uint8_t role = roleOfPath[track.callPath[row]];
            if (role == notMpi || track.start[row] < outerEnd)
                continue;
            outerEnd = std::min(track.isOpen(row) ? trace.knownEnd(main) : track.end[row], trace.range.end);
            addStretch(byWorker[worker], at(std::max(track.start[row], trace.range.begin)), at(outerEnd), role);
        }
    });
    std::size_t ranks = 0;
    for (Rank rank = 0; rank < trace.processes.size(); ++rank)
        ranks += trace.mainEvents(rank) != nullptr && trace.isRead(rank) ? 1 : 0;
    shares.steps.resize(steps);
    for (std::size_t step = 0; step < steps && ranks > 0; ++step)
        for (std::size_t role = 0; role < mpiRoles; ++role) {
            double sum = 0;
            for (const Sums &part : byWorker)
                sum += part[step][role];
            shares.steps[step][role] = static_cast<float>(std::min(1.0, sum / static_cast<double>(ranks)));
        }
    return shares;
}

} // namespace laggard
