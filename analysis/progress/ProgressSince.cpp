// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/progress/ProgressSince.h"

#include <algorithm>
#include <map>

namespace laggard {

std::optional<Tick> progressUnchangedSince(const MomentIndex &index, const ProgressGraph &end, const Work &work) {
    const WaitForGraph waits = buildWaitForGraph(index.waits, end.at, work);
    if (end.leastProgressed.empty() || waits.verdict.kind == WaitForVerdict::Kind::Finished)
        return std::nullopt;
    std::vector<Tick> moments;
    for (const Activity &activity : waits.activities)
        if (activity.kind != Activity::Kind::Unknown && activity.kind != Activity::Kind::NotStarted)
            moments.push_back(activity.since);
    std::sort(moments.begin(), moments.end());
    moments.erase(std::unique(moments.begin(), moments.end()), moments.end());
    const auto namedAt = [&](Tick at) {
        const WaitForGraph then = buildWaitForGraph(index.waits, at, work);
        return buildProgressGraph(index, then, work).leastProgressed;
    };
    std::map<std::size_t, bool> asked;
    const std::size_t first = firstOfFinalStretch(moments.size(), [&](std::size_t i) {
        const auto [entry, isNew] = asked.try_emplace(i, false);
        if (isNew)
            entry->second = namedAt(moments[i]) == end.leastProgressed;
        return entry->second;
    });
    return first == moments.size() ? std::nullopt : std::optional(moments[first]);
}

} // namespace laggard
