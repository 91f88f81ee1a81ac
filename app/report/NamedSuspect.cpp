// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/report/NamedSuspect.h"

#include <algorithm>

namespace laggard {

Suspect suspectOf(const Report &report) {
    Suspect suspect;
    CallPathId path = none;
    if (!report.progress.leastProgressed.empty()) {
        suspect.ranks = report.progress.leastProgressed;
        const auto named = std::find_if(report.progress.nodes.begin(), report.progress.nodes.end(),
                                        [](const ProgressNode &node) { return node.leastProgressed; });
        if (named != report.progress.nodes.end())
            path = named->callPath;
    } else if (!report.verdict.findings.empty()) {
        suspect.ranks = report.verdict.findings.front().ranks;
        path = report.verdict.findings.front().callPath;
    }
    std::sort(suspect.ranks.begin(), suspect.ranks.end());
    if (path < report.trace->callPaths.size() && suspect.ranks.size() < report.trace->processes.size())
        suspect.region = report.trace->callPaths[path].region;
    return suspect;
}

} // namespace laggard
