// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/delays/RepeatingPart.h"

#include "trace/Parallel.h"

#include <algorithm>

namespace laggard {
namespace {

constexpr std::uint32_t fewestEntries = 5; // as of a function that delimits phases (PhaseMarker)

/// Empty ({openEnd, 0}) if nothing is repeated.
TimeRange partOf(const Track &track, const MpiCallTable &calls, std::size_t paths) {
    struct Use {
        std::uint32_t count = 0;
        TimeRange time{openEnd, 0};
    };
    std::vector<Use> uses(paths);
    for (std::uint32_t row = 0; row < track.size(); ++row) {
        const CallPathId path = track.callPath[row];
        const MpiCall &call = calls[path];
        if (!call.isMpi() || call.isPoll() || call.kind == MpiCall::Kind::Init || call.kind == MpiCall::Kind::Finalize)
            continue;
        Use &use = uses[path];
        ++use.count;
        use.time.begin = std::min(use.time.begin, track.start[row]);
        use.time.end = std::max(use.time.end, track.end[row]);
    }
    TimeRange part{openEnd, 0};
    for (const Use &use : uses)
        if (use.count >= fewestEntries)
            part = {std::min(part.begin, use.time.begin), std::max(part.end, use.time.end)};
    return part;
}

} // namespace

std::vector<TimeRange> repeatingParts(const Trace &trace, const MpiCallTable &calls, const Work &work) {
    std::vector<TimeRange> parts(trace.processes.size(), {openEnd, 0});
    forEachParallel(parts.size(), work, [&](std::size_t rank, unsigned) {
        if (const LocationEvents *events = trace.mainEvents(static_cast<Rank>(rank)))
            parts[rank] = partOf(events->track, calls, trace.callPaths.size());
    });
    TimeRange all{openEnd, 0};
    for (const TimeRange &part : parts)
        all = {std::min(all.begin, part.begin), std::max(all.end, part.end)};
    if (all.begin == openEnd)
        all = {0, openEnd};
    for (TimeRange &part : parts)
        part = part.begin == openEnd ? all : part;
    return parts;
}

} // namespace laggard
