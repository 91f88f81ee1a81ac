// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/waitfor/FunctionLoop.h"

#include "analysis/waitfor/JobView.h"

#include <algorithm>
#include <map>

namespace laggard {
namespace {

constexpr std::uint64_t fewestPasses = 3; ///< as for habits (Judge): what was done once or twice is no loop

} // namespace

std::optional<FunctionLoop> functionLoopOf(const JobView &job, Rank rank, Tick since) {
    const Activity &activity = job.activity(rank);
    const LocationIndex location = job.location(rank);
    if (activity.kind != Activity::Kind::Computing || activity.row == none || location >= job.trace.locations.size())
        return std::nullopt;
    const Track &track = job.trace.locations[location].events.track;
    std::map<std::uint32_t, std::map<CallPathId, std::uint64_t>> turns; // by open function, outermost first, and what it calls
    for (std::uint32_t open = activity.row; open != none; open = track.parent[open])
        turns[open];
    const auto first = std::upper_bound(track.start.begin(), track.start.end(), since);
    for (auto row = static_cast<std::uint32_t>(first - track.start.begin());
         row < track.size() && track.start[row] <= job.state.at; ++row)
        if (const auto open = turns.find(track.parent[row]); open != turns.end())
            ++open->second[track.callPath[row]];
    for (const auto &[open, calls] : turns) {
        const auto most = std::ranges::max_element(calls, {}, [](const auto &entry) { return entry.second; });
        if (most != calls.end() && most->second >= fewestPasses)
            return FunctionLoop{rank, since, most->second, track.callPath[open], most->first};
    }
    return std::nullopt;
}

} // namespace laggard
