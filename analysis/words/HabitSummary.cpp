// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/words/HabitSummary.h"

#include "analysis/verdict/Describe.h"
#include "analysis/waitfor/CommunicatorNames.h"
#include "analysis/words/MessageSummary.h"
#include "analysis/words/RequestSummary.h"
#include "trace/MpiCall.h"
#include "trace/Quantity.h"

#include <algorithm>

namespace laggard {
namespace {

/// "in each of 7 rounds before".
std::string roundsClause(const LeftOutAct &act) {
    return act.isOver ? plural(act.rounds, "time") + " before" : "in each of " + plural(act.rounds, "round") + " before";
}

std::string describeLeftOut(const Trace &trace, const LeftOutAct &act, Tick at) {
    const std::string call = act.callPath == none ? std::string() : describeCall(trace, act.callPath);
    if (act.what == LeftOutAct::What::Send && act.rounds == 0)
        return "sent all others whom it sends to a last message by " + call + ", and not " + describeRankSet({act.creditor});
    if (act.what == LeftOutAct::What::Receive && act.startedBy != none)
        return "did not start the request that receives the message of " + describeRankSet({act.creditor}) + ", as it did " +
               roundsClause(act) + " (" + describeCall(trace, act.startedBy) + ")";
    if (act.what == LeftOutAct::What::Receive)
        return "did not receive the message of " + describeRankSet({act.creditor}) + ", as it did " + roundsClause(act) +
               (call.empty() ? "" : ", in " + call);
    if (act.isForOthers)
        return "made " + call + ", " + plural(act.rounds, "time") + ", as often as " + describeRankSet({act.creditor}) +
               " asked for it: one of them was not for " + describeRankSet({act.creditor});
    if (act.missed != openEnd)
        return "did not make " + call + ", before it waited for that at " + describeDuration(trace.seconds(act.missed)) +
               "; the other " + plural(act.rounds, "time") + " it did";
    const MpiCall made = act.callPath == none ? MpiCall() : mpiCallOf(trace.region(act.callPath));
    const bool isReady = made.marksPartitions;
    if (isReady || made.startsRequest) {
        const std::string request = describeOnlyRequest(trace, act.debtor, at);
        return (isReady           ? "has not marked as many partitions ready" + request
                : request.empty() ? std::string("has not started as many requests")
                                  : "has not started" + request.substr(std::string(" of").size())) +
               " as it did " + roundsClause(act) + " (" + call + ")";
    }
    return "left out " + (call.empty() ? std::string("a call") : call) + ", which it made " + roundsClause(act);
}

/// ", which it made twice in a row at 2.3 s, as at no other time" of a call that its rank has always followed by another one: it
/// may have made one too many.
std::string twiceInARowClause(const Trace &trace, const WaitForGraph &waits, Rank rank) {
    const LocationEvents *events = trace.mainEvents(rank);
    const CallPathId open = waits.activities[rank].callPath;
    if (events == nullptr || trace.isSummary || waits.activities[rank].thread != none || open == none ||
        trace.processes[rank].eventsFrom != 0)
        return {};
    constexpr std::size_t fewest = 5; // three times otherwise, and these two
    const Track &track = events->track;
    bool wasOpen = false;
    std::size_t times = 0;
    std::size_t repeated = 0;
    Tick when = 0;
    for (std::uint32_t row = 0; row < track.size() && track.start[row] <= waits.at; ++row) {
        if (!isOutermostMpi(trace, track, row))
            continue;
        const bool isOpen = trace.isSameCall(track.callPath[row], open);
        times += isOpen ? 1 : 0;
        repeated += isOpen && wasOpen ? 1 : 0;
        when = isOpen && wasOpen ? track.start[row] : when;
        wasOpen = isOpen;
    }
    return repeated == 1 && times >= fewest
               ? ", which it made twice in a row at " + describeDuration(trace.seconds(when)) + ", as at no other time"
               : std::string();
}

std::string endOf(const WaitForGraph &waits, const std::string &whom = "it") {
    const std::size_t waiting = waits.verdict.waiting;
    return waiting <= 1 ? "." : "; in all, " + plural(waiting, "other rank") + " wait for " + whom + ".";
}

bool waitsFor(const WaitForGraph &waits, Rank rank, Rank other) {
    return std::ranges::any_of(waits.waits, [&](const Wait &wait) {
        return contains(wait.waiters, rank) && contains(wait.on, other) && (!wait.anyOf || wait.on.size() == 1);
    });
}

/// " on communicator 3 (of ranks 0-3)" of the collective that the rank waits in, where the other one is in a call of the same
/// name on another communicator: the names alone would read as a contradiction.
std::string communicatorClause(const Trace &trace, const WaitForGraph &waits, Rank rank, Rank other) {
    const auto collectiveOf = [&](Rank whose) {
        const auto wait = std::ranges::find_if(
            waits.waits, [&](const Wait &each) { return each.kind == Wait::Kind::Collective && contains(each.waiters, whose); });
        return wait == waits.waits.end() ? CommunicatorId{none} : wait->communicator;
    };
    const CallPathId own = waits.activities[rank].callPath;
    const CallPathId others = waits.activities[other].callPath;
    const CommunicatorId communicator = collectiveOf(rank);
    if (own == none || others == none || trace.callPaths[own].region != trace.callPaths[others].region || communicator == none ||
        collectiveOf(other) == communicator)
        return {};
    return " on " + describeCommunicator(trace, communicator);
}

/// Where both stand: " The two wait for each other (a deadlock): rank 3 is in MPI_Ssend, called from f (a.c:1), and so is
/// rank 2."
std::string describeBoth(const Trace &trace, const WaitForGraph &waits, const LeftOutAct &act) {
    const Activity &own = waits.activities[act.debtor];
    const Activity &other = waits.activities[act.creditor];
    const std::string debtor = describeRankSet({act.debtor});
    const std::string creditor = describeRankSet({act.creditor});
    const std::string call = describeCall(trace, own.callPath) + communicatorClause(trace, waits, act.debtor, act.creditor);
    const std::string clause = twiceInARowClause(trace, waits, act.debtor);
    const std::string otherCall =
        describeCall(trace, other.callPath) + communicatorClause(trace, waits, act.creditor, act.debtor);
    if (!waitsFor(waits, act.debtor, act.creditor) || !waitsFor(waits, act.creditor, act.debtor))
        return " It is in " + call + clause + ", and " + creditor + " waits for it in " + otherCall + endOf(waits);
    return " " + capitalised(debtor) + " and " + creditor + " wait for each other (a deadlock): " + debtor + " is in " + call +
           clause + ", and " + (call == otherCall && clause.empty() ? "so is " + creditor : creditor + " is in " + otherCall) +
           endOf(waits, debtor);
}

/// What one message had otherwise: "sent to rank 4"; empty if the calls differ in something else.
std::string differenceOf(const Trace &trace, const HabitBreak &habit) {
    const HabitBreak::Message &did = habit.did;
    const HabitBreak::Message &usual = habit.usual;
    if (habit.made != habit.expected)
        return {};
    if (did.peer == none && did.communicator != none && usual.communicator != none && did.communicator != usual.communicator)
        return "was on " + describeCommunicator(trace, did.communicator) + " and not on " +
               describeCommunicator(trace, usual.communicator);
    if (did.peer == none && did.tag != none && usual.tag != none)
        return "asked for another tag (" + std::to_string(did.tag) + ", and not " + std::to_string(usual.tag) + ")";
    if (did.peer == none)
        return {};
    if (usual.peer != none && did.peer != usual.peer)
        return "sent to " + describeRankSet({did.peer}) + " and not to " + describeRankSet({usual.peer});
    if (did.communicator != usual.communicator)
        return "sent on " + describeCommunicator(trace, did.communicator) + " and not on " +
               describeCommunicator(trace, usual.communicator);
    if (did.tag != usual.tag)
        return "sent to " + describeRankSet({did.peer}) + " with tag " + std::to_string(did.tag) +
               (usual.tag == none ? ", out of the row of tags before," : " and not " + std::to_string(usual.tag));
    return {};
}

/// "rank 6 received a message of rank 5 (tag 3) at 4.1 s …, and has not sent it on".
std::string describeKept(const Trace &trace, const HabitBreak &habit) {
    return describeRankSet({habit.rank}) + " received a message of " + describeRankSet({habit.did.peer}) + " (tag " +
           std::to_string(habit.did.tag) + ") at " + describeDuration(trace.seconds(habit.time)) +
           (habit.after == none ? std::string() : ", in " + describeCall(trace, habit.after)) +
           ", and has sent none on since: each of " + plural(habit.times, "time") + " before it did so within " +
           describeDuration(trace.seconds(habit.longest) - trace.seconds(0)) + ", and no other rank has one";
}

} // namespace

std::string describeHabitBreak(const Trace &trace, const HabitBreak &habit) {
    if (habit.isKept)
        return describeKept(trace, habit);
    const std::string who = describeRankSet({habit.rank});
    const std::string when = " at " + describeDuration(trace.seconds(habit.time));
    const std::string others = habit.share == 1 ? "no other rank did so" : "others did something new as well, after fewer times";
    const std::string before = " each of " + plural(habit.times, "time") + " before; " + others;
    const std::string expected = describeCall(trace, habit.expected);
    const std::string difference = differenceOf(trace, habit);
    if (habit.isOneOfSeveral && difference.empty() && habit.made == habit.expected)
        return who + " made " + expected + when + " for other ranks or other messages than ever before there; " + others;
    if (habit.isOneOfSeveral)
        return who + " " + (difference.empty() ? "made " + describeCall(trace, habit.made) : difference) + when +
               ", where it otherwise made " + expected + ", or one of the other calls that come there; " + others;
    if (!difference.empty())
        return who + " " + difference + when + ", in " + expected + ", unlike" + before;
    if (habit.made == habit.expected && mpiCallOf(trace.region(habit.made)).ofWindow)
        return who + " made " + expected + when + ", an epoch for other ranks than" + before;
    if (habit.made == habit.expected)
        return who + " made " + expected + when + " for other ranks or other messages than" + before;
    const bool isSend = habit.usual.peer != none;
    return who + (isSend ? " did not send to " + describeRankSet({habit.usual.peer}) + ": it" : std::string()) + " made " +
           describeCall(trace, habit.made) + when + ", where it made " + expected + before;
}

std::string summariseLeftOut(const Trace &trace, const WaitForGraph &waits) {
    const LeftOutAct &act = *waits.verdict.leftOut;
    if (const std::vector<IdleLoop> &loops = waits.verdict.loops; !loops.empty())
        return capitalised(describeRankSet({act.debtor})) + " made " + describeCall(trace, act.callPath) + " " +
               plural(act.rounds, "time") + ", and each of the others once more. All ranks spin since then in loops of MPI " +
               "calls that return and bring nothing, " + describeRankSet({loops.front().rank}) + " in " +
               describeCall(trace, loops.front().calls.front()) + " (" + plural(loops.front().turns, "time") + ").";
    return capitalised(describeRankSet({act.debtor})) + ' ' + describeLeftOut(trace, act, waits.at) + "." +
           describeBoth(trace, waits, act);
}

std::string summariseHeldLock(const Trace &trace, const WaitForGraph &waits) {
    const HeldLock &held = *waits.verdict.heldLock;
    const std::string who = describeRankSet({held.holder});
    const std::size_t count = held.waiters.size();
    std::string text =
        capitalised(who) +
        (held.takenBy == none ? std::string(" holds the lock of a file")
                              : " has not given back the lock that it took by " + describeWithCaller(trace, held.takenBy)) +
        ", and " + describeRankSet(held.waiters) + (count == 1 ? " waits" : " wait") + " for " +
        (held.takenBy == none ? "that lock in " : "it in ") +
        describeCall(trace, waits.activities[held.waiters.front()].callPath) + ". " + capitalised(who) + " is in " +
        describeCall(trace, waits.activities[held.holder].callPath);
    if (held.times != 0)
        text += ", where it was " + plural(held.times, "time") + " before without a lock";
    return text + endOf(waits, who);
}

std::string summariseOddReceive(const Trace &trace, const WaitForGraph &waits) {
    const OddReceive &odd = *waits.verdict.oddReceive;
    const std::string from = describeRankSet({odd.from});
    if (odd.took != none)
        return capitalised(describeRankSet({odd.rank})) + " received a message of " + describeRankSet({odd.took}) + " in " +
               describeCall(trace, waits.activities[odd.rank].callPath) + ", where it received one of " +
               describeRankSet({odd.usual}) + " " + plural(odd.times, "time") + " before. This time that of " +
               describeRankSet({odd.usual}) + " lies untaken, and " + describeRankSet({odd.rank}) + " waits for one of " + from +
               (odd.tag == none ? "" : " with tag " + std::to_string(odd.tag)) + ", which was not sent. " + capitalised(from) +
               " is in " + describeCall(trace, waits.activities[odd.from].callPath) + endOf(waits) + misfitClause(trace, waits);
    return capitalised(describeRankSet({odd.rank})) + " waits in " + describeCall(trace, waits.activities[odd.rank].callPath) +
           ", for a message of " + from + (odd.tag == none ? "" : " with tag " + std::to_string(odd.tag)) +
           ", which was not sent; " + plural(odd.times, "time") + " before it received one " +
           (odd.isTag ? "with tag " + std::to_string(odd.usual) : "of " + describeRankSet({odd.usual})) + " here. " +
           capitalised(from) + " is in " + describeCall(trace, waits.activities[odd.from].callPath) + endOf(waits) +
           misfitClause(trace, waits);
}

} // namespace laggard
