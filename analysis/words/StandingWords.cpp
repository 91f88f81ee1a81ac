// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/words/StandingWords.h"

#include "analysis/verdict/Describe.h"
#include "analysis/verdict/StandingJob.h"
#include "analysis/verdict/Standstill.h"
#include "analysis/words/Whereabouts.h"
#include "trace/MainThread.h"
#include "trace/Quantity.h"

#include <algorithm>
#include <map>

namespace laggard {
namespace {

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
    for (const Rank rank : standingRanks(waits))
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
std::string whoStopped(const Trace &trace, const RankSet &stopped) {
    const bool is = trace.processes[stopped.front()].end.kind == ProcessEnd::Kind::Running;
    const bool one = stopped.size() == 1;
    return capitalised(describeRankSet(stopped)) +
           (is    ? one ? " is" : " are"
            : one ? " was"
                  : " were") +
           " stopped (SIGSTOP, or a debugger)";
}

} // namespace

std::string describeStanding(const Trace &trace, const WaitForGraph &waits) {
    const RankSet ranks = standingRanks(waits);
    return (ranks.size() == trace.processes.size() ? "All ranks" : "All ranks that have not finished") +
           std::string(" stand in MPI since ") + describeDuration(trace.seconds(lastChange(waits))) + " (" +
           places(trace, waits, ranks) +
           "), and nothing tells which of them holds the others up: nobody can be "
           "singled out.";
}

std::string describeStopped(const Trace &trace, const WaitForGraph &waits) {
    const RankSet stopped = stoppedRanks(trace);
    return whoStopped(trace, stopped) + ": " + places(trace, waits, stopped) + ".";
}

std::string withHowItEnded(const Trace &trace, const WaitForGraph &waits, Verdict::Stopped stopped, const std::string &summary) {
    std::string text = summary;
    if (stopped == Verdict::Stopped::Named) // the verdict says where they are
        text = whoStopped(trace, stoppedRanks(trace)) + ". " + summary;
    else if (stopped == Verdict::Stopped::Added)
        text = describeStopped(trace, waits) +
               (tellsNobody(trace, waits) ? " The others wait in MPI (" + places(trace, waits, standingRanks(waits)) + ")."
                                          : ' ' + summary);
    const std::optional<TimeRange> standstill = standstillBeforeEnd(trace);
    if (standstill && waits.at < standstill->end)
        text = "It has hung since " + describeDuration(trace.seconds(standstill->begin)) + ", and was killed at " +
               describeDuration(trace.seconds(endOfProcesses(trace))) + " (what followed the standstill is left out). " + text;
    return text;
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
