// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/report/NamedSuspect.h"

#include <algorithm>

namespace laggard {

namespace {

/// Since the first of the ranks named has been where it is.
TimeRange sinceEntry(const Report &report, const RankSet &ranks) {
    Tick since = openEnd;
    for (const Rank rank : ranks)
        if (rank < report.waits.activities.size())
            since = std::min(since, report.waits.activities[rank].since);
    return {since == openEnd ? 0 : since, openEnd};
}

/// When the best finding's function was not as it should be. Other methods than that of phases look at the whole run.
TimeRange changedDuring(const Report &report, const Finding &finding) {
    if (finding.method != "phases" || !finding.time || !report.models)
        return {0, openEnd};
    const bool isLasting = report.models->verdict.kind == SemiMarkovVerdict::Kind::Permanent;
    return {finding.time->begin, isLasting ? openEnd : std::max(finding.time->end, finding.time->begin + 1)};
}

} // namespace

Suspect suspectOf(const Report &report) {
    Suspect suspect;
    CallPathId path = none;
    if (!report.progress.leastProgressed.empty()) {
        suspect.ranks = report.progress.leastProgressed;
        const auto named = std::find_if(report.progress.nodes.begin(), report.progress.nodes.end(),
                                        [](const ProgressNode &node) { return node.leastProgressed; });
        if (named != report.progress.nodes.end())
            path = named->callPath;
        suspect.during = sinceEntry(report, suspect.ranks);
    } else if (!report.verdict.findings.empty()) {
        suspect.ranks = report.verdict.findings.front().ranks;
        path = report.verdict.findings.front().callPath;
        suspect.during = changedDuring(report, report.verdict.findings.front());
    }
    std::sort(suspect.ranks.begin(), suspect.ranks.end());
    if (path < report.trace->callPaths.size() && suspect.ranks.size() < report.trace->processes.size())
        suspect.region = report.trace->callPaths[path].region;
    return suspect;
}

} // namespace laggard
