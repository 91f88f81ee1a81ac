// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/verdict/StandingJob.h"

#include "analysis/verdict/Describe.h"
#include "analysis/verdict/Standstill.h"

namespace laggard {

RankSet standingRanks(const WaitForGraph &waits) {
    RankSet ranks;
    for (Rank rank = 0; rank < waits.activities.size(); ++rank)
        if (const Activity::Kind kind = waits.activities[rank].kind;
            kind != Activity::Kind::Finished && kind != Activity::Kind::Unknown)
            ranks.push_back(rank);
    return ranks;
}

bool tellsNobody(const Trace &trace, const WaitForGraph &waits) {
    const WaitForVerdict &verdict = waits.verdict;
    const bool namesAll =
        verdict.kind == WaitForVerdict::Kind::StuckInCall && verdict.waiting == 0 && stoppedRanks(trace).empty();
    const bool knowsNothing = verdict.kind == WaitForVerdict::Kind::Unknown && waits.waits.empty();
    return (namesAll || knowsNothing) && standingRanks(waits).size() > 1 && standsInMpi(trace, waits);
}

void addStopped(const Trace &trace, const WaitForGraph &waits, Verdict &verdict) {
    constexpr double seen = 0.9; // the process was seen to be stopped, but not since when
    const RankSet stopped = stoppedRanks(trace);
    if (stopped.empty())
        return;
    verdict.stopped = Verdict::Stopped::Named;
    if (!verdict.findings.empty() && verdict.findings.front().ranks == stopped)
        return;
    verdict.stopped = Verdict::Stopped::Added;
    const CallPathId path = waits.activities[stopped.front()].callPath;
    const Frame place = placeOf(trace, path, waits.activities[stopped.front()].site);
    verdict.findings.insert(verdict.findings.begin(), {.method = "progress",
                                                       .ranks = stopped,
                                                       .function = path == none ? std::string() : trace.region(path).name,
                                                       .file = place.file,
                                                       .line = place.line,
                                                       .isDefinition = place.isDefinition,
                                                       .score = seen,
                                                       .callPath = path,
                                                       .of = Finding::Of::Stopped});
    if (tellsNobody(trace, waits))
        verdict.confidence = seen;
}

} // namespace laggard
