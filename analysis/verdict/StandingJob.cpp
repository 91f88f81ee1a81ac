// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/verdict/StandingJob.h"

#include "analysis/verdict/Describe.h"
#include "analysis/verdict/Standstill.h"
#include "analysis/verdict/Whereabouts.h"
#include "trace/MainThread.h"
#include "trace/Quantity.h"

#include <algorithm>
#include <map>

namespace laggard {
namespace {

RankSet standing(const WaitForGraph &waits) {
    RankSet ranks;
    for (Rank rank = 0; rank < waits.activities.size(); ++rank)
        if (const Activity::Kind kind = waits.activities[rank].kind;
            kind != Activity::Kind::Finished && kind != Activity::Kind::Unknown)
            ranks.push_back(rank);
    return ranks;
}

std::string places(const Trace &trace, const WaitForGraph &waits, const RankSet &ranks) {
    constexpr std::size_t mostPlaces = 4;
    std::map<CallPathId, RankSet> byPath;
    for (const Rank rank : ranks)
        byPath[waits.activities[rank].callPath].push_back(rank);
    std::string text;
    std::size_t shown = 0;
    for (const auto &[path, those] : byPath) {
        if (shown++ == mostPlaces)
            return text + "; others elsewhere";
        text += (shown == 1 ? "" : "; ") + describeRankSet(those) + " in " +
                describeWhereabouts(trace, waits, those, waits.activities[those.front()].site);
    }
    return text;
}

Tick lastChange(const WaitForGraph &waits) {
    Tick since = 0;
    for (const Rank rank : standing(waits))
        since = std::max(since, waits.activities[rank].since);
    return since;
}

/// When the last process was seen alive.
Tick endOfProcesses(const Trace &trace) {
    Tick end = 0;
    for (const Process &process : trace.processes)
        end = std::max(end, process.end.time);
    return end;
}

/// "Rank 1 was stopped (SIGSTOP, or a debugger)"
std::string describeStopped(const Trace &trace, const RankSet &stopped) {
    const bool is = trace.processes[stopped.front()].end.kind == ProcessEnd::Kind::Running;
    const bool one = stopped.size() == 1;
    std::string text = describeRankSet(stopped);
    text[0] = 'R';
    return text + (is ? one ? " is" : " are" : one ? " was" : " were") + " stopped (SIGSTOP, or a debugger)";
}

} // namespace

bool tellsNobody(const Trace &trace, const WaitForGraph &waits) {
    const WaitForVerdict &verdict = waits.verdict;
    const bool namesAll =
        verdict.kind == WaitForVerdict::Kind::StuckInCall && verdict.waiting == 0 && stoppedRanks(trace).empty();
    const bool knowsNothing = verdict.kind == WaitForVerdict::Kind::Unknown && waits.waits.empty();
    return (namesAll || knowsNothing) && standing(waits).size() > 1 && standsInMpi(trace, waits);
}

Verdict describeStanding(const Trace &trace, const WaitForGraph &waits) {
    constexpr double confidence = 0.2; // that it hangs is sure; of who holds it up nothing is known
    const RankSet ranks = standing(waits);
    Verdict verdict;
    verdict.state = Verdict::State::Hung;
    verdict.confidence = confidence;
    verdict.summary = (ranks.size() == trace.processes.size() ? "All ranks" : "All ranks that have not finished") +
                      std::string(" stand in MPI since ") + describeDuration(trace.seconds(lastChange(waits))) + " (" +
                      places(trace, waits, ranks) +
                      "), and nothing tells which of them holds the others up: nobody can be "
                      "singled out.";
    return verdict;
}

namespace {

void addStopped(const Trace &trace, const WaitForGraph &waits, Verdict &verdict) {
    constexpr double seen = 0.9; // the process was seen to be stopped, but not since when
    const RankSet stopped = stoppedRanks(trace);
    if (stopped.empty())
        return;
    // Where the verdict names them anyway, it says where they are.
    if (!verdict.findings.empty() && verdict.findings.front().ranks == stopped) {
        verdict.summary = describeStopped(trace, stopped) + ". " + verdict.summary;
        return;
    }
    const std::string text = describeStopped(trace, stopped) + ": " + places(trace, waits, stopped) + ".";
    const CallPathId path = waits.activities[stopped.front()].callPath;
    const CallSite place = placeOf(trace, path, waits.activities[stopped.front()].site);
    verdict.findings.insert(verdict.findings.begin(), {.method = "progress",
                                                       .ranks = stopped,
                                                       .function = path == none ? std::string() : trace.region(path).name,
                                                       .file = place.file,
                                                       .line = place.line,
                                                       .score = seen,
                                                       .callPath = path,
                                                       .why = text});
    if (tellsNobody(trace, waits)) {
        verdict.confidence = seen;
        verdict.summary = text + " The others wait in MPI (" + places(trace, waits, standing(waits)) + ").";
    } else {
        verdict.summary = text + ' ' + verdict.summary;
    }
}

} // namespace

void addHowItEnded(const Trace &trace, const WaitForGraph &waits, Verdict &verdict) {
    addStopped(trace, waits, verdict);
    const std::optional<TimeRange> standstill = standstillBeforeEnd(trace);
    if (standstill && waits.at < standstill->end)
        verdict.summary = "It has hung since " + describeDuration(trace.seconds(standstill->begin)) + ", and was killed at " +
                          describeDuration(trace.seconds(endOfProcesses(trace))) +
                          " (what followed the standstill is left out). " + verdict.summary;
}

std::string describeLeftOut(const Trace &trace) {
    const RankSet without = ranksWithoutMainThread(trace);
    if (without.empty())
        return {};
    return " Of " + describeRankSet(without) +
           " there are events of other threads than the main one only: " + (without.size() == 1 ? "it is" : "they are") +
           " left out of all comparisons.";
}

std::string describeNothingKnown(const Trace &trace) {
    std::uint64_t others = 0;
    for (const Process &process : trace.processes)
        for (const LocationIndex location : process.locations)
            others += location == process.mainLocation ? 0 : trace.locations[location].eventCount;
    if (others == 0)
        return "No rank has events that could be read, so the trace does not tell what became of the job.";
    return "Of no rank's main thread there are events that could be read; those of other threads (" + plural(others, "event") +
           ") do not tell what became of the job.";
}

} // namespace laggard
