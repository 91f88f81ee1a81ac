// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/verdict/Blame.h"

#include <algorithm>

namespace laggard {
namespace {

void choose(ProgressGraph &progress, RankSet ranks, double confidence, std::string why) {
    for (ProgressNode &node : progress.nodes)
        node.leastProgressed =
            !node.ranks.empty() && std::includes(ranks.begin(), ranks.end(), node.ranks.begin(), node.ranks.end());
    progress.leastProgressed = std::move(ranks);
    progress.confidence = confidence;
    progress.why = std::move(why);
}

bool isRunning(const Process &process) { return process.end.kind == ProcessEnd::Kind::Running; }

} // namespace

bool wereEnded(const Trace &trace) {
    return !trace.processes.empty() && std::ranges::all_of(trace.processes, [](const Process &process) {
        return process.end.kind == ProcessEnd::Kind::Killed || process.end.kind == ProcessEnd::Kind::Exited ||
               process.end.kind == ProcessEnd::Kind::Signalled;
    });
}

void settleBlame(const Trace &trace, const Verdict &verdict, bool isEnd, ProgressGraph &progress) {
    if (verdict.state == Verdict::State::Crashed) {
        const auto crash =
            std::ranges::find_if(verdict.findings, [](const Finding &finding) { return finding.method == "crash"; });
        if (crash != verdict.findings.end() && crash->ranks == verdict.crashed) // else it comes from what the waits tell
            choose(progress, crash->ranks, crash->score, crash->why);
    } else if (verdict.state == Verdict::State::Hung && isEnd && !trace.enqueues && !trace.isSummary &&
               !progress.leastProgressed.empty() && verdict.findings.empty()) {
        choose(progress, {}, 0, "nothing tells who holds the others up: nobody can be singled out");
    } else if (verdict.state == Verdict::State::Running && isEnd && wereEnded(trace)) {
        choose(progress, {}, 0, "the job ran when it was killed: nobody is known to have held the others up");
    } else if (verdict.state == Verdict::State::Running && isEnd && std::ranges::any_of(trace.processes, isRunning)) {
        choose(progress, {}, 0, "the job runs: nobody is known to hold the others up");
    } else if (verdict.state == Verdict::State::Running && isEnd) {
        progress.confidence = std::min(progress.confidence, verdict.confidence);
    }
}

} // namespace laggard
