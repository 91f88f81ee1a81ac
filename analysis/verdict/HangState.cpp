// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/verdict/HangState.h"

#include "analysis/verdict/QueueState.h"
#include "analysis/verdict/Standstill.h"

#include <algorithm>

namespace laggard {
namespace {

using Kind = WaitForVerdict::Kind;

/// The last event of any rank, or the start of the trace.
Tick lastEventOf(const Trace &trace) {
    Tick last = trace.range.begin;
    for (const Location &location : trace.locations)
        if (location.eventCount != 0)
            last = std::max(last, location.lastEvent);
    return last;
}

constexpr double shortest = 0.5; // seconds: as often, processes give a sign of life

/// A recording shows a job at a moment, also one that runs. Waits that have only just begun are not a hang, and in a job that
/// goes on while its files are read, one after the other, they may be none.
bool isStill(const Trace &trace, const WaitForGraph &waits, const std::optional<Overdue> &overdue) {
    if (!trace.tellsOpenCalls || waits.verdict.kind == Kind::Mismatch)
        return true;
    // Seconds: as long as a process must be silent for the recorder to take its stacks (Monitor). It decides between "running"
    // and "hung" with less than even alone. Whoever told the recorder to notice sooner has decided it.
    constexpr double quiet = 3;
    const double silent = trace.seconds(waits.at) - trace.seconds(waits.verdict.since);
    if (silent < shortest)
        return false;
    // Who computes may come: where it took as long before, or nearly, it is no hang.
    if (!overdue || overdue->rank == none || overdue->isOfFunction)
        return !overdue || overdue->than == Overdue::Than::Long;
    // Who makes calls in quick succession that bring nothing does no long work.
    const std::vector<IdleLoop> &loops = waits.verdict.loops;
    if (!loops.empty() && std::ranges::none_of(loops, &IdleLoop::mayWork))
        return overdue->than == Overdue::Than::Long || overdue->than == Overdue::Than::New;
    return (overdue->than == Overdue::Than::Long && silent >= 2 * shortest) ||
           (overdue->than == Overdue::Than::New && (silent >= quiet || overdue->isNoticed));
}

} // namespace

std::optional<Overdue> overdueNamed(const Trace &trace, const WaitForGraph &waits) {
    if (showsQueues(trace, waits))
        return std::nullopt; // how long it took before tells nothing of what was enqueued now
    const bool mayGoOn = waits.verdict.kind == Kind::Computing || areAsking(trace, waits) ||
                         (waits.verdict.kind == Kind::StuckInCall && !trace.tellsOpenCalls);
    return mayGoOn && !trace.isSummary ? std::optional(overdueOf(trace, waits)) : std::nullopt;
}

bool isAtEnd(const Trace &trace, const WaitForGraph &waits) {
    return waits.at >= lastEventOf(trace) || (!trace.part.time && waits.at >= momentToJudge(trace));
}

bool mayHaveBeenEnded(const Trace &trace, const std::optional<Overdue> &overdue) {
    return !trace.tellsOpenCalls && overdue && overdue->than != Overdue::Than::Long;
}

Verdict::State stateOf(const Trace &trace, const WaitForGraph &waits, const std::optional<Overdue> &overdue) {
    if (showsQueues(trace, waits))
        return queueStateOf(waits);
    if (waits.verdict.kind == Kind::Finished)
        return Verdict::State::Finished;
    // A moment in the middle of a job that went on afterwards is not a hang, whoever waited then.
    if (!isAtEnd(trace, waits))
        return Verdict::State::Running;
    if (standsInMpi(trace, waits))
        return Verdict::State::Hung;
    if (waits.verdict.kind == Kind::Unknown)
        return waits.waits.empty() ||
                       (trace.tellsOpenCalls && trace.seconds(waits.at) - trace.seconds(waits.lastEvent) < shortest)
                   ? Verdict::State::Running
                   : Verdict::State::Hung;
    const bool allSpin = !waits.verdict.loops.empty() && waits.verdict.loops.size() == waits.verdict.ranks.size();
    if ((waits.verdict.kind == Kind::Computing || waits.verdict.kind == Kind::StuckInCall) && waits.verdict.waiting == 0 &&
        trace.processes.size() > 1 && !(allSpin && waits.verdict.everybodyWaits))
        return Verdict::State::Running;
    return isStill(trace, waits, overdue) ? Verdict::State::Hung : Verdict::State::Running;
}

} // namespace laggard
