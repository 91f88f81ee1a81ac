// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/verdict/Blame.h"

#include <algorithm>

namespace laggard {
namespace {

bool isRunning(const Process &process) { return process.end.kind == ProcessEnd::Kind::Running; }

} // namespace

void chooseLeastProgressed(ProgressGraph &progress, RankSet ranks, double confidence) {
    for (ProgressNode &node : progress.nodes)
        node.leastProgressed =
            !node.ranks.empty() && std::includes(ranks.begin(), ranks.end(), node.ranks.begin(), node.ranks.end());
    progress.leastProgressed = std::move(ranks);
    progress.confidence = confidence;
}

WaitForGraph withNamed(WaitForGraph waits, const RankSet &ranks) {
    waits.verdict.kind = ranks.empty() ? WaitForVerdict::Kind::Unknown : WaitForVerdict::Kind::Deadlock;
    waits.verdict.ranks = ranks;
    return waits;
}

bool wereEnded(const Trace &trace) {
    return !trace.processes.empty() && std::ranges::all_of(trace.processes, [](const Process &process) {
        return process.end.kind == ProcessEnd::Kind::Killed || process.end.kind == ProcessEnd::Kind::Exited ||
               process.end.kind == ProcessEnd::Kind::Signalled;
    });
}

Blame settleBlame(const Trace &trace, const Verdict &verdict, bool isEnd, ProgressGraph &progress) {
    if (verdict.state == Verdict::State::Crashed) {
        const auto crash =
            std::ranges::find_if(verdict.findings, [](const Finding &finding) { return finding.method == "crash"; });
        if (crash == verdict.findings.end() || crash->ranks != verdict.crashed) // then it comes from what the waits tell
            return Blame::Unchanged;
        chooseLeastProgressed(progress, crash->ranks, crash->score);
        return Blame::Crashed;
    }
    if (!isEnd || (verdict.state != Verdict::State::Hung && verdict.state != Verdict::State::Running))
        return Blame::Unchanged;
    if (verdict.state == Verdict::State::Hung) {
        progress.confidence = std::min(progress.confidence, verdict.confidence); // how long it has lasted counts as well
        if (trace.enqueues || trace.isSummary || progress.leastProgressed.empty() || !verdict.findings.empty())
            return Blame::Unchanged;
        chooseLeastProgressed(progress, {}, 0);
        return Blame::Nobody;
    }
    if (const bool ended = wereEnded(trace); ended || std::ranges::any_of(trace.processes, isRunning)) {
        chooseLeastProgressed(progress, {}, 0);
        return ended ? Blame::RanWhenKilled : Blame::Runs;
    }
    progress.confidence = std::min(progress.confidence, verdict.confidence);
    return Blame::Unchanged;
}

} // namespace laggard
