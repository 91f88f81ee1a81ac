// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/verdict/Verdict.h"

#include "analysis/verdict/Blame.h"
#include "analysis/verdict/Crash.h"
#include "analysis/verdict/DamagedRanks.h"
#include "analysis/verdict/Departure.h"
#include "analysis/verdict/Describe.h"
#include "analysis/verdict/FailedCalls.h"
#include "analysis/verdict/HabitSummary.h"
#include "analysis/verdict/HangState.h"
#include "analysis/verdict/HeadlineFacts.h"
#include "analysis/verdict/MessageSummary.h"
#include "analysis/verdict/OtherThreads.h"
#include "analysis/verdict/Overdue.h"
#include "analysis/verdict/QueueSummary.h"
#include "analysis/verdict/RequestSummary.h"
#include "analysis/verdict/StandingJob.h"
#include "analysis/verdict/Standstill.h"
#include "analysis/verdict/WaitSummary.h"
#include "analysis/verdict/Whereabouts.h"
#include "analysis/waitfor/ActiveThread.h"
#include "trace/Quantity.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>

namespace laggard {
namespace {

using Kind = WaitForVerdict::Kind;

/// Ranks in one place.
struct Place {
    CallPathId path = none;
    CallSiteId site = none; ///< where in the function, if all were seen at the same line
    RankSet ranks;
};

/// Ranks in the same place together, in the order in which they come first.
std::vector<Place> byPlace(const WaitForGraph &waits, const RankSet &ranks) {
    std::vector<Place> groups;
    std::map<CallPathId, std::size_t> groupOf;
    for (const Rank rank : ranks) {
        const Activity &activity = waits.activities[rank];
        const auto [group, isNew] = groupOf.try_emplace(activity.callPath, groups.size());
        if (isNew)
            groups.push_back({activity.callPath, activity.site, {}});
        Place &place = groups[group->second];
        place.site = place.site == activity.site ? place.site : CallSiteId{none};
        place.ranks.push_back(rank);
    }
    return groups;
}

/// What each named rank is in: "rank 9 in A; ranks 10 and 11 in B".
std::string placesOf(const Trace &trace, const WaitForGraph &waits, const RankSet &ranks) {
    constexpr std::size_t mostPlaces = 4;
    const auto groups = byPlace(waits, ranks);
    std::vector<std::string> parts;
    for (std::size_t i = 0; i < groups.size() && i < mostPlaces; ++i)
        parts.push_back(describeRankSet(groups[i].ranks) + " in " +
                        describeWhereabouts(trace, waits, groups[i].ranks, groups[i].site));
    if (groups.size() > mostPlaces)
        parts.emplace_back("others elsewhere");
    return joined(parts, "; ");
}

/// The one call that all these ranks are in; nothing if there are several.
std::optional<std::string> commonPlace(const Trace &trace, const WaitForGraph &waits, const RankSet &ranks) {
    const auto groups = byPlace(waits, ranks);
    return groups.size() == 1 ? std::optional(describeWhereabouts(trace, waits, groups.front().ranks, groups.front().site))
                              : std::nullopt;
}

std::string summariseMissingSend(const Trace &trace, const WaitForGraph &waits) {
    const MissingSend &missing = waits.verdict.missingSends.front();
    std::string text = capitalised(describeRankSet({missing.from})) + " never sent to " + describeRankSet({missing.to}) +
                       " the message that it sent at this point of earlier rounds" +
                       (missing.times == 0   ? std::string()
                        : missing.times == 1 ? std::string(" (once before)")
                                             : " (" + plural(missing.times, "time") + " before)") +
                       ": " + describeCall(trace, missing.callPath) + ", due at " + describeDuration(trace.seconds(missing.due)) +
                       ". ";
    text += capitalised(describeRankSet({missing.to})) + " is in " + describeCall(trace, waits.activities[missing.to].callPath) +
            (waits.verdict.waiting <= 1 ? "." : "; in all, " + plural(waits.verdict.waiting, "other rank") + " wait for it.");
    return text + misfitClause(trace, waits);
}

/// A rank waits for messages that were sent: nobody can tell whether they are lost or the rank does not take them.
std::string summariseLostMessage(const Trace &trace, const WaitForGraph &waits) {
    const WaitForVerdict &verdict = waits.verdict;
    const std::vector<LostMessage> &lost = verdict.lostMessages;
    const Rank to = lost.front().to;
    if (verdict.ranks.size() > 1) // the sender is still inside, too
        return "Rank " + std::to_string(lost.front().from) + " is still in " +
               describeCall(trace, waits.activities[lost.front().from].callPath) + ", which sends the message that " +
               describeRankSet({to}) + " waits for in " + describeCall(trace, waits.activities[to].callPath) +
               ": one of them is stuck in its call, and which cannot be told; " + waitersClause(trace, waits) + ".";
    RankSet senders;
    for (const LostMessage &message : lost)
        senders.push_back(message.from);
    std::sort(senders.begin(), senders.end());
    senders.erase(std::unique(senders.begin(), senders.end()), senders.end());
    std::string text = capitalised(describeRankSet({to})) + " is in " + describeCall(trace, waits.activities[to].callPath) + ", ";
    if (senders.size() == 1) {
        text += "and the message of " + describeRankSet(senders) + " that it waits for has not arrived though it was sent";
        if (lost.front().callPath != none)
            text += " (" + describeCall(trace, lost.front().callPath) + ", at " +
                    describeDuration(trace.seconds(lost.front().sent)) + ")";
        text += ": the message is missing, or the rank is stuck in the call; ";
    } else {
        text += "and waits for messages of " + describeRankSet(senders) +
                ", all of which were sent: one is missing, or the rank is stuck in the call; ";
    }
    return text + waitersClause(trace, waits) + ".";
}

/// ", having returned from … at …, which the others are still in", where that is known.
std::string departureClause(const Trace &trace, const WaitForGraph &waits) {
    const std::optional<Departure> departure = departureOf(trace, waits, waits.verdict.ranks.front());
    if (!departure)
        return ", at " + describeDuration(trace.seconds(waits.activities[waits.verdict.ranks.front()].since));
    return ": at " + describeDuration(trace.seconds(departure->returned)) + " it returned from " +
           describeCall(trace, departure->callPath) + ", which the others are still in";
}

/// Those first whose message another of them does not take: they say what is missing.
RankSet sendersFirst(const WaitForGraph &waits) {
    RankSet ranks = waits.verdict.ranks;
    std::ranges::stable_partition(ranks, [&](Rank rank) {
        return std::ranges::any_of(waits.waits, [&](const Wait &wait) {
            return wait.isSend && contains(wait.waiters, rank) &&
                   std::ranges::any_of(wait.on, [&](Rank on) { return contains(waits.verdict.ranks, on); });
        });
    });
    return ranks;
}

std::string summariseDeadlock(const Trace &trace, const WaitForGraph &waits) {
    const WaitForVerdict &verdict = waits.verdict;
    constexpr std::size_t mostCycles = 3;
    std::string text =
        "Deadlock: " + describeRankSet(verdict.cycles.empty() ? verdict.ranks : verdict.cycles.front()) + " wait for each other";
    for (std::size_t i = 1; i < verdict.cycles.size() && i < mostCycles; ++i)
        text += (i == 1 ? ", and so do " : ", and ") + describeRankSet(verdict.cycles[i]);
    if (verdict.cycles.size() > mostCycles)
        text += ", and " + plural(verdict.cycles.size() - mostCycles, "further group");
    if (verdict.ranks.size() == 1)
        text = capitalised(describeRankSet(verdict.ranks)) + " waits for itself";
    text += " (" + placesOf(trace, waits, sendersFirst(waits)) + ")" + describeMissing(trace, waits, verdict.ranks) +
            (verdict.waiting == 0 ? "." : "; " + waitersClause(trace, waits) + ".");
    return text + misfitClause(trace, waits);
}

/// ", after MPI_Bcast (solve.c:12)": the last MPI call of the named ranks, which are in one function, where that function has
/// made it itself and no nearer place in it is known.
std::string lastCallClause(const Trace &trace, const WaitForGraph &waits, const ProgressGraph &progress) {
    std::optional<CallPathId> after;
    for (const Rank rank : waits.verdict.ranks) {
        const std::uint32_t number = rank < progress.models.stateOfRank.size() ? progress.models.stateOfRank[rank] : none;
        if (number == none || waits.activities[rank].site != none || !isExactPlace(trace, waits, rank))
            return {};
        const ModelState &state = progress.models.states[number];
        if (state.kind != ModelState::Kind::Computation || (after && *after != state.callPath))
            return {};
        after = state.callPath;
    }
    if (!after || *after == none || trace.callPaths[*after].parent == none ||
        trace.callPaths[*after].parent != waits.activities[waits.verdict.ranks.front()].callPath)
        return {};
    return ", after " + nameWithPlace(trace, *after);
}

/// True for ranks in calls of which the trace does not tell whom they wait for.
bool isUnclear(const WaitForGraph &waits) {
    return std::ranges::all_of(waits.verdict.ranks, [&](Rank rank) {
        const Activity &activity = waits.activities[rank];
        return activity.need == Activity::Need::Unclear && activity.kind != Activity::Kind::OtherMpi;
    });
}

/// " Rank 1 ended with status 3, which counts as a failure." of ranks that have been through MPI_Finalize.
std::string describeStatus(const Trace &trace) {
    RankSet failed;
    std::int32_t status = 0;
    for (Rank rank = 0; rank < trace.processes.size(); ++rank)
        if (const ProcessEnd &end = trace.processes[rank].end; end.kind == ProcessEnd::Kind::Exited && end.value != 0) {
            status = failed.empty() ? end.value : status;
            if (end.value == status)
                failed.push_back(rank);
        }
    return failed.empty() ? std::string()
                          : " " + capitalised(describeRankSet(failed)) + " ended with status " + std::to_string(status) +
                                ", which counts as a failure.";
}

std::string summarise(const Trace &trace, const WaitForGraph &waits, const ProgressGraph &progress) {
    if (showsQueues(trace, waits))
        return summariseQueues(trace, waits);
    const WaitForVerdict &verdict = waits.verdict;
    const std::string who = capitalised(describeRankSet(verdict.ranks));
    const bool one = verdict.ranks.size() == 1;
    const std::optional<std::string> place = commonPlace(trace, waits, verdict.ranks);
    switch (verdict.kind) {
    case Kind::Finished:
        if (trace.part.ranks)
            return capitalised(describeRankSet(*trace.part.ranks)) + " left their last call.";
        // The end of a damaged rank may be what was lost: it is not claimed.
        if (const auto unknown = std::count_if(waits.activities.begin(), waits.activities.end(),
                                               [](const Activity &a) { return a.kind == Activity::Kind::Unknown; });
            unknown != 0)
            return "The job finished, as far as can be read: " +
                   describeCount(waits.activities.size() - static_cast<std::size_t>(unknown)) + " of " +
                   plural(trace.processes.size(), "rank") + " left their last call.";
        return "The job finished: " +
               (trace.processes.size() == 1   ? std::string("its only process")
                : trace.processes.size() == 2 ? std::string("both ranks")
                                              : "all " + plural(trace.processes.size(), "rank")) +
               " left " + (trace.processes.size() == 1 ? "its" : "their") + " last call." + describeStatus(trace);
    case Kind::Computing:
        if (!verdict.loops.empty())
            return summariseLoops(trace, waits);
        if (const std::string lock = one ? lockWaitClause(trace, waits, verdict.ranks.front()) : std::string(); !lock.empty())
            return who + " has made the least progress: " + lock + ", and " + waitersClause(trace, waits) + ".";
        if (const CallPathId path = waits.activities[verdict.ranks.front()].callPath;
            path != none && isWaitForThreads(trace.region(path).name))
            return who + (one ? " has" : " have") +
                   " made the least progress: " + (one ? "its main thread waits" : "main threads wait") +
                   " for another thread, in " + (place ? *place : placesOf(trace, waits, verdict.ranks)) + ", and " +
                   waitersClause(trace, waits) + ".";
        return who + (one ? " has" : " have") + " made the least progress: " +
               (place ? (one ? "it is in " : "they are in ") + *place + functionLoopClause(trace, waits) +
                            lastCallClause(trace, waits, progress)
                      : placesOf(trace, waits, verdict.ranks)) +
               ", and " + waitersClause(trace, waits) + ".";
    case Kind::StuckInCall:
        if (!verdict.lostMessages.empty())
            return summariseLostMessage(trace, waits);
        if (isUnclear(waits))
            return who + (one ? " does" : " do") + " not come out of " +
                   (place ? *place : placesOf(trace, waits, verdict.ranks)) + ", and whom " + (one ? "it waits" : "they wait") +
                   " for there is not known; " + waitersClause(trace, waits) + ".";
        return who + (one ? " is" : " are") + " stuck " +
               (place ? "in " + *place : "(" + placesOf(trace, waits, verdict.ranks) + ")") + ", though nothing recorded holds " +
               (one ? "it" : "them") + " up; " + waitersClause(trace, waits) + ".";
    case Kind::Mismatch:
        return "The ranks disagree about a collective: " + verdict.why + '.' + describeParting(trace, verdict);
    case Kind::LeftEarly:
        return who + " left early" + departureClause(trace, waits) + collectivesClause(trace, waits) + "; " +
               waitersClause(trace, waits) + waitersPlace(trace, waits) + "." + describeUntaken(trace, waits, verdict.ranks);
    case Kind::NeverReceived:
        return summariseUntaken(trace, waits);
    case Kind::Misfit:
        return summariseMisfit(trace, waits);
    case Kind::Intercepted:
        return summariseIntercepted(trace, waits);
    case Kind::NoSender:
        return summariseNoSender(trace, waits);
    case Kind::LeftOut:
        return summariseLeftOut(trace, waits);
    case Kind::OddReceive:
        return summariseOddReceive(trace, waits);
    case Kind::MissingSend:
        if (!verdict.missingSends.empty())
            return summariseMissingSend(trace, waits);
        [[fallthrough]];
    case Kind::Deadlock:
        return summariseDeadlock(trace, waits);
    case Kind::NoDump:
    case Kind::Unknown:
        break;
    }
    if (progress.leastProgressed.empty())
        return "Nobody can be singled out: " +
               (waits.verdict.why.empty() ? "the trace does not tell who holds the others up" : waits.verdict.why) + '.';
    return "The waits do not tell who holds the others up; by their progress through the code, " +
           describeRankSet(progress.leastProgressed) + " made the least.";
}

/// Whom the others waited for in a job that is not told to hang: " Rank 4 in assemble (fem.c:88): 5 ranks wait for it in
/// MPI_Bcast. It has not been there before: whether it would have come cannot be told."
std::string describeLateness(const Trace &trace, const WaitForGraph &waits, const Overdue &overdue) {
    if (overdue.rank == none || waits.verdict.waiting == 0 || overdue.than == Overdue::Than::Usual)
        return {};
    const std::string text = " " + capitalised(placesOf(trace, waits, waits.verdict.ranks)) + ": " + waitersClause(trace, waits);
    if (overdue.than == Overdue::Than::Unusual)
        return text + ", for longer than ever before, though not for twice as long.";
    return text + ". " + capitalised(describeRankSet({overdue.rank})) +
           (overdue.earlier == 0 ? " has not been" : " has rarely been") +
           " there before: whether it would have come cannot be told.";
}

RankSet unfinishedRanks(const WaitForGraph &waits) {
    RankSet ranks;
    for (Rank rank = 0; rank < waits.activities.size(); ++rank)
        if (waits.activities[rank].kind != Activity::Kind::Finished && waits.activities[rank].kind != Activity::Kind::Unknown)
            ranks.push_back(rank);
    return ranks;
}

/// Who waited for whom at a moment at which nobody is known to be held up for good: facts, and no blame.
std::string summariseRunning(const Trace &trace, const WaitForGraph &waits) {
    const WaitForVerdict &verdict = waits.verdict;
    const RankSet ranks = unfinishedRanks(waits);
    const bool atEnd = isAtEnd(trace, waits);
    const std::string when = describeDuration(trace.seconds(waits.at));
    if (atEnd && wereEnded(trace))
        return "The job was still running when its processes ended, at " + when + ". " + describeLongestWait(trace, waits);
    std::string text = atEnd ? "The job was still running when the trace ends, at " + when + ". "
                             : "The job was still running at " + when + ", and went on afterwards. ";
    if (verdict.kind == Kind::Deadlock && !verdict.ranks.empty())
        return text + capitalised(describeRankSet(verdict.ranks)) + " waited for each other then (" +
               placesOf(trace, waits, verdict.ranks) + ").";
    if (!verdict.ranks.empty() && verdict.waiting != 0) {
        const std::optional<std::string> place = commonPlace(trace, waits, verdict.ranks);
        return text + capitalised(plural(verdict.waiting, "rank")) + " waited for " + describeRankSet(verdict.ranks) + " then (" +
               (place ? "in " + *place : placesOf(trace, waits, verdict.ranks)) + ").";
    }
    if (ranks.size() == 1)
        return text + capitalised(describeRankSet(ranks)) + " was in " + *commonPlace(trace, waits, ranks) + ".";
    const std::optional<std::string> place = commonPlace(trace, waits, ranks);
    text += place ? capitalised(describeRankSet(ranks)) + " were all in " + *place : capitalised(placesOf(trace, waits, ranks));
    text += "; none is known to have waited for another.";
    if (const CallPathId path = waits.activities[ranks.front()].callPath;
        atEnd && place && path != none && trace.region(path).isMpi())
        text += " Whether that call would have returned cannot be told.";
    return text;
}

Finding makeFinding(const Trace &trace, RankSet ranks, CallPathId path, CallSiteId site, double score, std::string why) {
    Finding finding;
    finding.method = "progress";
    finding.ranks = std::move(ranks);
    finding.score = score;
    finding.why = std::move(why);
    finding.callPath = path;
    if (path != none)
        finding.function = trace.region(path).name;
    const CallSite place = placeOf(trace, path, site);
    finding.file = place.file;
    finding.line = place.line;
    return finding;
}

Finding makeFinding(const Crash &crash) {
    return {.method = "crash",
            .ranks = crash.ranks,
            .function = crash.function,
            .file = crash.file,
            .line = crash.line,
            .score = crash.confidence,
            .callPath = crash.callPath,
            .why = crash.what};
}

std::vector<Finding> findingsOf(const Trace &trace, const WaitForGraph &waits, const ProgressGraph &progress) {
    std::vector<Finding> findings;
    for (const MissingSend &missing : waits.verdict.missingSends)
        findings.push_back(makeFinding(trace, {missing.from}, missing.callPath, none, missing.confidence, missing.evidence));
    if (const std::optional<LeftOutAct> &act = waits.verdict.leftOut; act && act->callPath != none)
        findings.push_back(makeFinding(trace, {act->debtor}, act->callPath, none, act->confidence, waits.verdict.why));
    for (const ProgressNode &node : progress.nodes)
        if (node.leastProgressed)
            findings.push_back(makeFinding(trace, node.ranks, node.callPath, waits.activities[node.ranks.front()].site,
                                           progress.confidence,
                                           progress.why + (node.isExact ? "" : "; the place is in or below that function")));
    std::stable_sort(findings.begin(), findings.end(), [](const Finding &a, const Finding &b) { return a.score > b.score; });
    return findings;
}

/// "Only ranks 0-3 of 64, from 1 s to 2 s, were read."
std::string describePart(const Trace &trace) {
    std::string text = "Only ";
    if (trace.part.ranks)
        text += describeRankSet(*trace.part.ranks) + " of " + describeCount(trace.processes.size());
    else
        text += "the time";
    if (trace.part.time)
        text += (trace.part.ranks ? ", from " : " from ") + describeDuration(trace.seconds(trace.part.time->begin)) + " to " +
                describeDuration(trace.seconds(trace.part.time->end)) + (trace.part.ranks ? "," : "");
    const bool one = !trace.part.ranks || trace.part.ranks->size() == 1;
    return text + (one ? " was read: " : " were read: ") + "this rests on a part of the trace.";
}

/// The threads that the verdict speaks of.
std::vector<OtherThread> threadsToName(const Trace &trace, const WaitForGraph &waits, Verdict::State state) {
    std::vector<OtherThread> threads;
    if (state != Verdict::State::Finished && isAtEnd(trace, waits))
        threads = findOtherThreads(trace, waits);
    const RankSet &named = waits.verdict.ranks;
    if (state != Verdict::State::Running && !named.empty())
        std::erase_if(threads,
                      [&](const OtherThread &thread) { return !std::binary_search(named.begin(), named.end(), thread.rank); });
    return threads;
}

RankSet ranksOf(const std::vector<OtherThread> &threads) {
    RankSet ranks;
    for (const OtherThread &thread : threads)
        if (ranks.empty() || ranks.back() != thread.rank)
            ranks.push_back(thread.rank);
    return ranks;
}

/// MPI ended a rank for an error in a collective about which the ranks disagree: whom it found it at may be any of them.
bool comesFromMismatch(const Trace &trace, const WaitForGraph &waits, const Crash &crash) {
    const RankSet &odd = waits.verdict.ranks;
    if (waits.verdict.kind != Kind::Mismatch || crash.first == none || trace.processes[crash.first].end.mpiError.empty())
        return false;
    return std::ranges::any_of(waits.waits, [&](const Wait &wait) {
        return wait.kind == Wait::Kind::Collective && std::ranges::binary_search(wait.waiters, crash.first) &&
               std::ranges::any_of(wait.on, [&](Rank rank) { return std::ranges::binary_search(odd, rank); });
    });
}

} // namespace

std::string_view name(Verdict::State state) {
    switch (state) {
    case Verdict::State::Finished:
        return "finished";
    case Verdict::State::Running:
        return "running";
    case Verdict::State::Hung:
        return "hung";
    case Verdict::State::Crashed:
        return "crashed";
    }
    return "running";
}

Verdict judge(const Trace &trace, const WaitForGraph &waits, const ProgressGraph &progress) {
    Verdict verdict;
    const std::optional<Crash> crash = findCrash(trace, waits);
    const std::optional<Overdue> overdue = crash ? std::nullopt : overdueNamed(trace, waits);
    verdict.state = crash ? Verdict::State::Crashed : stateOf(trace, waits, overdue);
    verdict.confidence = waits.verdict.kind == Kind::Unknown ? progress.confidence : waits.verdict.confidence;
    if (crash) {
        verdict.summary = crash->summary;
        verdict.confidence = crash->confidence;
        verdict.crashed = crash->ranks;
        if (comesFromMismatch(trace, waits, *crash)) {
            verdict.summary = summarise(trace, waits, progress) + ' ' + verdict.summary;
            verdict.crashed = waits.verdict.ranks;
        }
    } else if (verdict.state == Verdict::State::Running && unfinishedRanks(waits).empty()) {
        verdict.summary = describeNothingKnown(trace);
        verdict.confidence = 0;
    } else if (verdict.state == Verdict::State::Running && showsQueues(trace, waits)) {
        verdict.summary = summariseQueues(trace, waits);
        verdict.confidence = 0; // of nobody anything is said
    } else if (verdict.state == Verdict::State::Running) {
        verdict.summary = summariseRunning(trace, waits);
        // That nobody waits is what a job looks like that runs, and one whose waits are not recorded.
        if (isAtEnd(trace, waits))
            verdict.confidence = std::min(verdict.confidence, 0.5);
        if (overdue && isAtEnd(trace, waits))
            verdict.summary += describeLateness(trace, waits, *overdue);
    } else {
        verdict.summary = summarise(trace, waits, progress);
    }
    if (!crash && verdict.state == Verdict::State::Hung && tellsNobody(trace, waits))
        verdict = describeStanding(trace, waits);
    if (verdict.state == Verdict::State::Hung && mayHaveBeenEnded(trace, overdue)) {
        verdict.confidence = std::min(verdict.confidence, Overdue::undecided);
        verdict.summary += " The trace ends there: the job may as well have been ended while it ran.";
    } else if (verdict.state == Verdict::State::Hung && overdue) {
        verdict.confidence = std::min(verdict.confidence, overdue->confidence);
        verdict.summary += describeNewness(*overdue);
    }
    if (!crash)
        verdict.summary += describeLimits(trace) + describeFailedCalls(trace, waits.at);
    verdict.threads = threadsToName(trace, waits, verdict.state);
    if (verdict.state == Verdict::State::Hung && !crash)
        verdict.summary += describeRequests(trace, waits);
    if (verdict.state == Verdict::State::Hung)
        verdict.summary += describeAwaitedThreads(trace, waits, waits.verdict.ranks);
    if (const std::string threads = describeThreads(trace, verdict.threads, ranksOf(verdict.threads)); !threads.empty())
        verdict.summary += " Beside the main thread, " + threads + ".";
    if (const RankSet damaged = damagedRanks(trace); !damaged.empty()) {
        verdict.fromDamaged = true;
        // The ranks that are not known may be those that count; elsewhere what is lost may tell another story.
        if (!crash)
            verdict.confidence = std::min(verdict.confidence, waits.verdict.kind == Kind::Unknown ? 0.5 : mostWithDamage);
        verdict.summary += " Some events of " + describeRankSet(damaged) + " could not be read, so take this with care.";
    } else if (const std::string loss = describeLoss(trace); !loss.empty()) {
        verdict.fromDamaged = true;
        verdict.confidence = std::min(verdict.confidence, mostWithDamage);
        verdict.summary += loss;
    }
    verdict.summary += describeLeftOut(trace);
    if (trace.isPartial()) {
        verdict.fromPart = true;
        verdict.summary += ' ' + describePart(trace);
    }
    // A job that was ended while it went on accuses nobody: who waited for whom just then is in the summary.
    const bool wentOn = verdict.state == Verdict::State::Running && isAtEnd(trace, waits);
    if (verdict.state != Verdict::State::Finished && !wentOn && !tellsNobody(trace, waits))
        std::ranges::move(findingsOf(trace, waits, progress), std::back_inserter(verdict.findings));
    constexpr double noBlame = 0.3; // whoever is waited for in a job that runs does what it should
    if (verdict.state == Verdict::State::Running)
        for (Finding &finding : verdict.findings)
            finding.score = std::min(finding.score, noBlame);
    if (verdict.state == Verdict::State::Hung && overdue)
        for (Finding &finding : verdict.findings)
            finding.score = std::min(finding.score, verdict.confidence);
    if (verdict.state == Verdict::State::Hung)
        addHowItEnded(trace, waits, verdict);
    std::stable_sort(verdict.findings.begin(), verdict.findings.end(),
                     [](const Finding &a, const Finding &b) { return a.score > b.score; });
    if (crash && !comesFromMismatch(trace, waits, *crash))
        verdict.findings.insert(verdict.findings.begin(), makeFinding(*crash));
    verdict.facts = factsOf(trace, waits, progress, verdict);
    return verdict;
}

} // namespace laggard
