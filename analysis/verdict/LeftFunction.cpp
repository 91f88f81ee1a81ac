// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/verdict/LeftFunction.h"

#include <algorithm>
#include <unordered_map>

namespace laggard {
namespace {

constexpr std::size_t mostRanks = 256; ///< that are asked where they are

bool waits(const Activity &activity) {
    return activity.kind == Activity::Kind::Collective || activity.kind == Activity::Kind::PointToPoint;
}

/// How many of the ranks that wait have each function of the program open; how many were asked.
std::size_t countOpen(const Trace &trace, const WaitForGraph &graph, std::unordered_map<CallPathId, std::size_t> &open) {
    std::size_t asked = 0;
    for (const Activity &activity : graph.activities) {
        if (!waits(activity) || activity.callPath == none || asked == mostRanks)
            continue;
        ++asked;
        for (CallPathId path = activity.callPath; path != none; path = trace.callPaths[path].parent)
            if (!trace.region(path).isMpi())
                ++open[path];
    }
    return asked;
}

/// When the rank last returned from the call path, if it is not in it at the moment.
std::optional<Tick> lastReturn(const Trace &trace, Tick at, Rank rank, CallPathId path) {
    const LocationEvents *events = trace.mainEvents(rank);
    if (events == nullptr)
        return {};
    const Track &track = events->track;
    for (std::size_t row = track.size(); row-- > 0;)
        if (track.callPath[row] == path && track.start[row] <= at)
            return track.end[row] > at ? std::nullopt : std::optional(track.end[row]);
    return {};
}

} // namespace

std::optional<LeftFunction> functionLeftBy(const Trace &trace, const WaitForGraph &graph, Rank rank) {
    std::unordered_map<CallPathId, std::size_t> open;
    const std::size_t asked = countOpen(trace, graph, open);
    std::optional<LeftFunction> outermost;
    for (const auto &[path, count] : open) {
        if (2 * count <= asked || (outermost && trace.callPaths[path].depth >= trace.callPaths[outermost->callPath].depth))
            continue;
        if (const std::optional<Tick> returned = lastReturn(trace, graph.at, rank, path))
            outermost = LeftFunction{path, *returned};
    }
    return outermost;
}

} // namespace laggard
