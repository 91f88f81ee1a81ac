// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/words/VerdictWords.h"

#include "analysis/verdict/Describe.h"
#include "analysis/verdict/HangState.h"
#include "analysis/verdict/LeftFunction.h"
#include "analysis/verdict/QueueState.h"
#include "analysis/verdict/StandingJob.h"
#include "analysis/waitfor/ActiveThread.h"
#include "analysis/waitfor/CommunicatorNames.h"
#include "analysis/words/CrashWords.h"
#include "analysis/words/FailedCalls.h"
#include "analysis/words/HabitSummary.h"
#include "analysis/words/LossWords.h"
#include "analysis/words/MessageSummary.h"
#include "analysis/words/QueueSummary.h"
#include "analysis/words/RequestSummary.h"
#include "analysis/words/StandingWords.h"
#include "analysis/words/ThreadWords.h"
#include "analysis/words/WaitSummary.h"
#include "analysis/words/Whereabouts.h"
#include "trace/MpiCall.h"
#include "trace/Phrases.h"
#include "trace/Quantity.h"

#include <algorithm>
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

/// ", having returned from … at …, which the others are still in", where that is known.
std::string departureClause(const Trace &trace, const WaitForGraph &waits) {
    const std::optional<LeftFunction> left = functionLeftBy(trace, waits, waits.verdict.ranks.front());
    if (!left)
        return ", at " + describeDuration(trace.seconds(waits.activities[waits.verdict.ranks.front()].since));
    return ": at " + describeDuration(trace.seconds(left->returned)) + " it returned from " +
           describeCall(trace, left->callPath) + ", which the others are still in";
}

/// Those first whose message another of them does not take: they say what is missing.
RankSet sendersFirst(const WaitForGraph &waits) {
    RankSet ranks = waits.verdict.ranks;
    std::stable_partition(ranks.begin(), ranks.end(), [&](Rank rank) {
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
    // That a message went to another rank than the one that waits for it tells most of why.
    if (verdict.misfit && verdict.misfit->awaitedBy != none)
        return misfitClause(trace, waits).substr(1) + ' ' + text;
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

bool isWithoutEvents(const Trace &trace, const WaitForGraph &waits, Rank rank) {
    const LocationEvents *events = trace.mainEvents(rank);
    return waits.activities[rank].kind == Activity::Kind::NotStarted && (events == nullptr || events->track.empty());
}

/// When the rank's main thread returned from MPI_Finalize; openEnd: it did not.
Tick finalizedAt(const Trace &trace, Rank rank) {
    const LocationEvents *events = trace.mainEvents(rank);
    for (std::size_t row = events == nullptr ? 0 : events->track.size(); row-- > 0;)
        if (const Region &region = trace.region(events->track.callPath[row]); region.isMpi())
            return mpiCallOf(region).kind == MpiCall::Kind::Finalize ? events->track.end[row] : Tick{openEnd};
    return openEnd;
}

/// " The process of rank 2 was still there 9.3 s after MPI_Finalize, and was killed."
std::string describeOutlived(const Trace &trace) {
    constexpr double worthSaying = 2; // seconds: what a process takes to end by itself, also where the machine is busy
    RankSet ranks;
    double most = 0;
    for (Rank rank = 0; rank < trace.processes.size(); ++rank) {
        const ProcessEnd &end = trace.processes[rank].end;
        const Tick finalized = finalizedAt(trace, rank);
        const bool wasEnded = end.kind == ProcessEnd::Kind::Killed || end.kind == ProcessEnd::Kind::Signalled;
        const double lived = finalized < end.time ? trace.seconds(end.time) - trace.seconds(finalized) : 0;
        if (!wasEnded || lived < worthSaying)
            continue;
        ranks.push_back(rank);
        most = std::max(most, lived);
    }
    if (ranks.empty())
        return {};
    const bool one = ranks.size() == 1;
    return std::string(one ? " The process of " : " The processes of ") + describeRankSet(ranks) +
           (one ? " was still there " : " were still there ") + describeDuration(most) + " after MPI_Finalize, and " +
           (one ? "was" : "were") + " ended from outside: what follows MPI_Finalize did not end.";
}

std::string summariseWaits(const Trace &trace, const WaitForGraph &waits, const ProgressGraph &progress);

/// What the waits alone say says something of each of those whom they name; else it is that nothing tells them apart.
bool tellsWhy(WaitForVerdict::Kind kind) {
    return kind != Kind::HabitBreak && kind != Kind::Computing && kind != Kind::StuckInCall && kind != Kind::Unknown;
}

/// "It is in MPI_Recv, called from f (a.c:3)"; of several in different places "They stand in different places: rank 9 in A; …".
std::string whereTheyAre(const Trace &trace, const WaitForGraph &waits, const RankSet &ranks) {
    if (const std::optional<std::string> place = commonPlace(trace, waits, ranks))
        return (ranks.size() == 1 ? "It is in " : "They are in ") + *place;
    return "They stand in different places: " + placesOf(trace, waits, ranks);
}

/// Of several whom the waits name, one broke with its habits: that, and then how they hold each other up.
std::string summariseNarrowed(const Trace &trace, const WaitForGraph &waits, const ProgressGraph &progress) {
    const WaitForVerdict &verdict = waits.verdict;
    const HabitBreak &habit = *verdict.habitBreak;
    const std::string text = capitalised(describeHabitBreak(trace, habit)) + ". ";
    if (habit.isKept && verdict.waiting == 0)
        return text + whereTheyAre(trace, waits, verdict.ranks) + '.';
    if (tellsWhy(verdict.kind)) {
        WaitForGraph before = waits;
        before.verdict.ranks = habit.amongst;
        before.verdict.waiting = habit.waiting;
        before.verdict.habitBreak.reset();
        return text + summariseWaits(trace, before, progress);
    }
    if (!verdict.loops.empty() && verdict.waiting == 0)
        return text + "Since " + describeDuration(trace.seconds(verdict.since)) + " " + describeRankSet(habit.amongst) +
               " spin in loops of MPI calls that return and bring nothing, " + describeRankSet(verdict.ranks) + " in " +
               describeCall(trace, verdict.loops.front().calls.front()) + " (" + plural(verdict.loops.front().turns, "time") +
               ").";
    return text + whereTheyAre(trace, waits, verdict.ranks) + "; " + waitersClause(trace, waits) + ".";
}

/// " Ranks 4 and 6 wait for it in the same call on communicator 3 (of ranks 4-7)." of one that takes part in a collective with
/// others than those do who stand where it stands.
std::string elsewhereClause(const Trace &trace, const WaitForGraph &waits) {
    const RankSet &named = waits.verdict.ranks;
    if (named.size() != 1)
        return {};
    const CallPathId path = waits.activities[named.front()].callPath;
    for (const Wait &wait : waits.waits)
        if (wait.kind == Wait::Kind::Collective && wait.on == named && wait.communicator != none &&
            wait.mismatch == Wait::Mismatch::None && path != none && std::ranges::all_of(wait.waiters, [&](Rank rank) {
                return waits.activities[rank].callPath != none && trace.isSameCall(waits.activities[rank].callPath, path);
            }))
            return ' ' + capitalised(describeRankSet(wait.waiters)) + (wait.waiters.size() == 1 ? " waits" : " wait") +
                   " for it in the same call on " + describeCommunicator(trace, wait.communicator) + '.';
    return {};
}

std::string summariseWaits(const Trace &trace, const WaitForGraph &waits, const ProgressGraph &progress) {
    if (showsQueues(trace, waits))
        return summariseQueues(trace, waits);
    const WaitForVerdict &verdict = waits.verdict;
    const std::string who = capitalised(describeRankSet(verdict.ranks));
    const bool one = verdict.ranks.size() == 1;
    const std::optional<std::string> place = commonPlace(trace, waits, verdict.ranks);
    if (verdict.heldLock)
        return summariseHeldLock(trace, waits);
    if (verdict.habitBreak && verdict.habitBreak->amongst != verdict.ranks)
        return summariseNarrowed(trace, waits, progress);
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
               " left " + (trace.processes.size() == 1 ? "its" : "their") + " last call." + describeStatus(trace) +
               describeOutlived(trace);
    case Kind::Computing:
        if (!verdict.loops.empty())
            return summariseLoops(trace, waits);
        if (std::ranges::all_of(verdict.ranks, [&](Rank rank) { return isWithoutEvents(trace, waits, rank); }))
            return who + (one ? " has" : " have") +
                   " not come to MPI_Init, with which its recording would begin: " + waitersClause(trace, waits) + ".";
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
        return "The ranks disagree about a collective: " + verdict.why + '.' + elsewhereClause(trace, waits) +
               describeParting(trace, verdict);
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
    case Kind::HabitBreak:
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
    if (overdue.earlier == 0 && !knowsFunctions(trace, waits, overdue.rank))
        return text + ". Whether it has been there before is not recorded, nor whether it would have come.";
    return text + ". " + capitalised(describeRankSet({overdue.rank})) +
           (overdue.earlier == 0 ? " has not been" : " has rarely been") +
           " there before: whether it would have come cannot be told.";
}

/// Who waited for whom at a moment at which nobody is known to be held up for good: facts, and no blame.
std::string summariseRunning(const Trace &trace, const WaitForGraph &waits) {
    const WaitForVerdict &verdict = waits.verdict;
    const RankSet ranks = standingRanks(waits);
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

/// " Rank 2 has not been there before: this may also be long work." Empty where nothing speaks for it.
std::string describeNewness(const Trace &trace, const WaitForGraph &waits, const Overdue &overdue) {
    if (overdue.rank == none)
        return {};
    if (overdue.than == Overdue::Than::Long && overdue.confidence < 0.5)
        return " It was never there for so long, but this may also be work that comes now and then.";
    if (overdue.than != Overdue::Than::New)
        return {};
    if (overdue.isNewToAll)
        return " The others are not in their usual rounds either: this may also be long work.";
    if (overdue.earlier == 0 && !knowsFunctions(trace, waits, overdue.rank))
        return " Whether " + describeRankSet({overdue.rank}) +
               " has been there before is not recorded: this may also be long work.";
    const std::string who = " " + capitalised(describeRankSet({overdue.rank})) + " has ";
    return who +
           (overdue.earlier == 0   ? "not been there before"
            : overdue.earlier == 1 ? "been there only once before"
                                   : "been there only twice before") +
           ": this may also be long work.";
}

RankSet ranksOf(const std::vector<OtherThread> &threads) {
    RankSet ranks;
    for (const OtherThread &thread : threads)
        if (ranks.empty() || ranks.back() != thread.rank)
            ranks.push_back(thread.rank);
    return ranks;
}

/// What is said at the beginning.
std::string beginningOf(const Trace &trace, const WaitForGraph &waits, const ProgressGraph &progress, const Verdict &verdict) {
    switch (verdict.basis) {
    case Verdict::Basis::Crash:
        return describe(trace, waits, *verdict.crash);
    case Verdict::Basis::CrashByMismatch:
        return summariseWaits(trace, waits, progress) + ' ' + describe(trace, waits, *verdict.crash);
    case Verdict::Basis::NothingKnown:
        return describeNothingKnown(trace);
    case Verdict::Basis::Running:
        return summariseRunning(trace, waits) +
               (verdict.overdue && isAtEnd(trace, waits) ? describeLateness(trace, waits, *verdict.overdue) : std::string());
    case Verdict::Basis::Standing:
        return describeStanding(trace, waits);
    case Verdict::Basis::Waits:
        break;
    }
    return summariseWaits(trace, waits, progress);
}

std::string summaryOf(const Trace &trace, const WaitForGraph &waits, const ProgressGraph &progress, const Verdict &verdict) {
    const bool hangs = verdict.state == Verdict::State::Hung;
    std::string text = beginningOf(trace, waits, progress, verdict);
    const std::optional<HabitBreak> &habit = waits.verdict.habitBreak;
    const bool addsHabit = hangs && habit && habit->amongst == waits.verdict.ranks;
    // Who listens to all may well do nothing else: what it did not do before is told first.
    const bool beginsWithHabit = addsHabit && waits.verdict.kind == Kind::NoSender;
    if (beginsWithHabit)
        text = capitalised(describeHabitBreak(trace, *habit)) + ". " + text;
    if (hangs && mayHaveBeenEnded(trace, verdict.overdue))
        text += " The trace ends there: the job may as well have been ended while it ran.";
    else if (hangs && verdict.overdue &&
             std::ranges::none_of(waits.verdict.ranks, [&](Rank rank) { return isWithoutEvents(trace, waits, rank); }))
        text += describeNewness(trace, waits, *verdict.overdue);
    if (!verdict.crash)
        text += describeLimits(trace) + describeFailedCalls(trace, waits.at);
    if (hangs)
        text += describeRequests(trace, waits) + describeAwaitedThreads(trace, waits, waits.verdict.ranks);
    if (const std::string threads = describeThreads(trace, verdict.threads, ranksOf(verdict.threads)); !threads.empty())
        text += " Beside the main thread, " + threads + ".";
    if (addsHabit && !beginsWithHabit)
        text += ' ' + capitalised(describeHabitBreak(trace, *habit)) + '.';
    text += lossClause(trace) + describeLeftOut(trace) + partClause(trace);
    return hangs ? withHowItEnded(trace, waits, verdict.stopped, text) : text;
}

/// Why the rank is named; where another finding says that, since when it stands there.
std::string reasonOfNode(const Trace &trace, const WaitForGraph &waits, const ProgressGraph &progress, const Verdict &verdict,
                         const ProgressNode &node) {
    const std::optional<HabitBreak> &habit = waits.verdict.habitBreak;
    const bool isByHabit = habit && habit->amongst != waits.verdict.ranks;
    const bool isSaid = progress.why == waits.verdict.why && std::ranges::any_of(verdict.findings, [&](const Finding &each) {
                            return each.of == Finding::Of::LeftOut || each.of == Finding::Of::HeldLock ||
                                   (isByHabit && each.of == Finding::Of::HabitBreak);
                        });
    const Tick since = node.ranks.empty() || node.ranks.front() >= waits.activities.size()
                           ? openEnd
                           : waits.activities[node.ranks.front()].since;
    const std::string reason =
        isSaid && since < waits.at && node.ranks.size() == 1
            ? describeRankSet(node.ranks) + " has been there since " + describeDuration(trace.seconds(since))
            : progress.why;
    return reason + (node.isExact ? "" : "; the place is in or below that function");
}

std::string reasonOf(const Trace &trace, const WaitForGraph &waits, const ProgressGraph &progress, const Verdict &verdict,
                     const Finding &finding) {
    switch (finding.of) {
    case Finding::Of::MissingSend:
        return waits.verdict.missingSends[finding.item].evidence;
    case Finding::Of::LeftOut:
        return waits.verdict.why;
    case Finding::Of::HeldLock:
        return "the lock was taken here, and not given back; " + describeRankSet(waits.verdict.heldLock->waiters) +
               (waits.verdict.heldLock->waiters.size() == 1 ? " waits for it" : " wait for it");
    case Finding::Of::HabitBreak:
        return describeHabitBreak(trace, *waits.verdict.habitBreak);
    case Finding::Of::Node:
        return reasonOfNode(trace, waits, progress, verdict, progress.nodes[finding.item]);
    case Finding::Of::Crash:
        return describeEndOf(trace, waits, *verdict.crash);
    case Finding::Of::Stopped:
        return describeStopped(trace, waits);
    case Finding::Of::Standing:
    case Finding::Of::Other:
        break;
    }
    return finding.why;
}

} // namespace

Verdict judgeInWords(const Trace &trace, const WaitForGraph &waits, const ProgressGraph &progress) {
    Verdict verdict = judge(trace, waits, progress);
    verdict.summary = summaryOf(trace, waits, progress, verdict);
    for (Finding &finding : verdict.findings)
        finding.why = reasonOf(trace, waits, progress, verdict, finding);
    return verdict;
}

std::string describe(Blame blame, const Verdict &verdict) {
    switch (blame) {
    case Blame::Crashed:
        return verdict.findings.front().why;
    case Blame::Nobody:
        return "nothing tells who holds the others up: nobody can be singled out";
    case Blame::RanWhenKilled:
        return "the job ran when it was killed: nobody is known to have held the others up";
    case Blame::Runs:
        return "the job runs: nobody is known to hold the others up";
    case Blame::Unchanged:
        break;
    }
    return {};
}

std::string reasonByWaits(const Verdict &verdict, const WaitForVerdict &waits) {
    const bool isAboutOthers =
        verdict.state == Verdict::State::Crashed && !verdict.crashed.empty() &&
        !std::includes(waits.ranks.begin(), waits.ranks.end(), verdict.crashed.begin(), verdict.crashed.end());
    return isAboutOthers ? std::string() : waits.why;
}

} // namespace laggard
