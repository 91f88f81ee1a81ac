// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/words/MessageSummary.h"

#include "analysis/verdict/Describe.h"
#include "analysis/words/WaitSummary.h"
#include "analysis/words/Whereabouts.h"
#include "trace/Quantity.h"

#include <algorithm>
#include <iterator>

namespace laggard {
namespace {

std::string placeOfRank(const Trace &trace, const WaitForGraph &waits, Rank rank) {
    const Activity &activity = waits.activities[rank];
    if (activity.kind == Activity::Kind::Finished)
        return "has finished";
    return "is in " + describeCall(trace, activity.callPath, activity.site);
}

/// The same of a rank that has not done its part, with the caller: what is wrong may be there.
std::string standingOf(const Trace &trace, const WaitForGraph &waits, Rank rank) {
    return waits.activities[rank].kind == Activity::Kind::Finished ? std::string("has finished")
                                                                   : "is in " + describeWhereabouts(trace, waits, rank);
}

/// " 5 further ranks wait for them."
std::string furtherWaiters(std::size_t waiting, std::size_t named) {
    return waiting == 0 ? std::string()
                        : ' ' + capitalised(plural(waiting, "further rank")) + (waiting == 1 ? " waits for " : " wait for ") +
                              (named == 1 ? "it." : "them.");
}

std::string inAll(const WaitForGraph &waits) { return furtherWaiters(waits.verdict.waiting, waits.verdict.ranks.size()); }

/// "MPI_Send, called from f (a.c:1), at 3 s" in brackets, as far as it is known.
std::string sentBy(const Trace &trace, const MisfitMessage &misfit) {
    return misfit.callPath == none
               ? std::string()
               : " (" + describeCall(trace, misfit.callPath) + ", at " + describeDuration(trace.seconds(misfit.sent)) + ")";
}

/// Which of the two ends is named.
std::string oddOne(const RankSet &ranks) { return ' ' + capitalised(describeRankSet(ranks)) + " is rather the odd one."; }

} // namespace

std::string describeMisfit(const Trace &trace, const WaitForGraph &waits) {
    const MisfitMessage &misfit = *waits.verdict.misfit;
    const std::string from = describeRankSet({misfit.from});
    const std::string to = describeRankSet({misfit.to});
    if (misfit.isStranger || misfit.isOneSided) {
        const Activity &sender = waits.activities[misfit.from];
        return from + " waits in " + describeCall(trace, sender.callPath, sender.site) + ", for a message of " + to +
               (misfit.awaitedTag == none ? std::string() : " with tag " + std::to_string(misfit.awaitedTag)) + ", and " +
               (misfit.isHeld ? "sends" : "has sent") + " it one" + sentBy(trace, misfit) + "; " + to +
               (misfit.isStranger
                    ? std::string(" has never sent it anything, nor asked for anything of it")
                    : " has nothing to do with it in its " + describeCall(trace, waits.activities[misfit.to].callPath)) +
               ": the two do not agree on being neighbours";
    }
    const Activity &waiter = waits.activities[misfit.awaitedBy == none ? misfit.to : misfit.awaitedBy];
    if (misfit.awaitedBy != none) {
        const std::string waiting = describeRankSet({misfit.awaitedBy});
        return waiting + " waits in " + describeCall(trace, waiter.callPath, waiter.site) + ", for a message of " + from +
               ", and " + from + " sent such a message to " + to +
               (misfit.otherCommunicator ? " on another communicator than always" : "") + sentBy(trace, misfit) +
               ", which does not ask for it";
    }
    return to + " waits in " + describeCall(trace, waiter.callPath, waiter.site) + ", for a message of " +
           (misfit.awaitedFrom == none ? std::string("any rank") : describeRankSet({misfit.awaitedFrom})) +
           (misfit.awaitedTag == none ? std::string() : " with tag " + std::to_string(misfit.awaitedTag)) + ", and " + from +
           (misfit.isHeld ? " sends" : " sent") + " one with tag " + std::to_string(misfit.sentTag) +
           (misfit.otherCommunicator ? " on another communicator" : "") + sentBy(trace, misfit);
}

std::string misfitClause(const Trace &trace, const WaitForGraph &waits) {
    return waits.verdict.misfit ? " A message does not fit: " + describeMisfit(trace, waits) + "." : std::string();
}

std::string summariseMisfit(const Trace &trace, const WaitForGraph &waits) {
    const WaitForVerdict &verdict = waits.verdict;
    if (verdict.misfit->awaitedBy != none)
        return "A message went to another rank than such ones before: " + describeMisfit(trace, waits) + '.' +
               furtherWaiters(verdict.waiting - std::min<std::size_t>(verdict.waiting, 1), 2);
    const bool isMutual = !verdict.misfit->isStranger && !verdict.misfit->isOneSided &&
                          std::any_of(waits.waits.begin(), waits.waits.end(), [&](const Wait &wait) {
                              return wait.waiters.front() == verdict.misfit->from &&
                                     std::binary_search(wait.on.begin(), wait.on.end(), verdict.misfit->to);
                          });
    const RankSet both{std::min(verdict.misfit->from, verdict.misfit->to), std::max(verdict.misfit->from, verdict.misfit->to)};
    // Where the sender alone is named, the receiver is among those that wait for it.
    const std::size_t told = verdict.ranks.size() == 1 && verdict.waiting != 0 ? 1 : 0;
    return "A message does not fit" + (isMutual ? ", and " + describeRankSet(both) + " wait for each other" : "") + ": " +
           describeMisfit(trace, waits) + "." + (verdict.ranks.size() == 1 ? oddOne(verdict.ranks) : std::string()) +
           furtherWaiters(verdict.waiting - told, 2);
}

std::string summariseUntaken(const Trace &trace, const WaitForGraph &waits) {
    std::string text;
    for (const Wait &wait : waits.waits) {
        const RankSet &named = waits.verdict.ranks;
        const Rank from = wait.waiters.front();
        if (!wait.isSend || !std::binary_search(named.begin(), named.end(), from))
            continue;
        const Rank to = wait.on.front();
        if (text.empty())
            text = capitalised(describeRankSet({from})) + " " + placeOfRank(trace, waits, from) + ", and " +
                   describeRankSet(wait.on) +
                   (wait.on.size() == 1 ? " never takes its message: it " : " never take its messages: the first ") +
                   placeOfRank(trace, waits, to) + '.';
    }
    return text + inAll(waits);
}

std::string summariseMissingSend(const Trace &trace, const WaitForGraph &waits) {
    const MissingSend &missing = waits.verdict.missingSends.front();
    if (missing.asked != none)
        return summariseUnanswered(trace, waits);
    const bool isByOthers = !missing.others.empty();
    std::string text =
        isByOthers ? capitalised(describeRankSet({missing.from})) + " never sent to " + describeRankSet({missing.to}) + " the " +
                         (missing.times == 0 ? "" : "last ") + "message with tag " + std::to_string(missing.tag) + " that " +
                         describeRankSet(missing.others) + " sent, by " + describeWithCaller(trace, missing.callPath) + ". "
                   : capitalised(describeRankSet({missing.from})) + " never sent to " + describeRankSet({missing.to}) +
                         " the message that it sent at this point of earlier rounds" +
                         (missing.times == 0   ? std::string()
                          : missing.times == 1 ? std::string(" (once before)")
                                               : " (" + plural(missing.times, "time") + " before)") +
                         ": " + describeWithCaller(trace, missing.callPath) + ", due at " +
                         describeDuration(trace.seconds(missing.due)) + ". ";
    text += (isByOthers ? capitalised(describeRankSet({missing.from})) : std::string("It")) + ' ' +
            standingOf(trace, waits, missing.from) + ", and " + describeRankSet({missing.to}) + " is in " +
            describeCall(trace, waits.activities[missing.to].callPath) +
            (waits.verdict.waiting <= 1 ? "."
                                        : "; in all, " + plural(waits.verdict.waiting, "other rank") + " wait for " +
                                              describeRankSet({missing.from}) + ".");
    return text + misfitClause(trace, waits);
}

/// A rank waits for messages that were sent: nobody can tell whether they are lost or the rank does not take them.
std::string summariseLostMessage(const Trace &trace, const WaitForGraph &waits) {
    const WaitForVerdict &verdict = waits.verdict;
    const std::vector<LostMessage> &lost = verdict.lostMessages;
    const Rank to = lost.front().to;
    if (lost.front().inPartitions)
        return "Rank " + std::to_string(lost.front().from) + " has started a send in partitions" +
               callPlaceInBrackets(trace, lost.front().callPath) + " that " + describeRankSet({to}) + " waits for in " +
               describeCall(trace, waits.activities[to].callPath) +
               ": it may not have marked all of them ready (MPI_Pready), or the other is stuck in its call; " +
               waitersClause(trace, waits) + ".";
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

std::string summariseUnanswered(const Trace &trace, const WaitForGraph &waits) {
    const MissingSend &missing = waits.verdict.missingSends.front();
    const std::string who = describeRankSet({missing.from});
    const std::string asker = describeRankSet({missing.to});
    return capitalised(who) + " has not answered " + asker + ", whose message (tag " + std::to_string(missing.asked) + ") of " +
           describeDuration(trace.seconds(missing.due)) + " it has " + (missing.isAskTaken ? "" : "not ") +
           "received: " + plural(missing.times, "time") + " before it answered, by " + describeCall(trace, missing.callPath) +
           ". " + capitalised(who) + " " + placeOfRank(trace, waits, missing.from) + ", and " + asker + " " +
           placeOfRank(trace, waits, missing.to) +
           (waits.verdict.waiting <= 1 ? "."
                                       : "; in all, " + plural(waits.verdict.waiting, "other rank") + " wait for " + who + ".");
}

std::string summariseIntercepted(const Trace &trace, const WaitForGraph &waits) {
    const InterceptedMessage &found = *waits.verdict.intercepted;
    const std::string receiver = describeRankSet({found.receiver});
    if (found.isProbe && found.left != none)
        return capitalised(receiver) + " took the message of " + describeRankSet({found.taken}) + " (tag " +
               std::to_string(found.takenTag) + ") by " + describeCall(trace, found.postedBy) + " at " +
               describeDuration(trace.seconds(found.received)) + ", and never received it: " + describeRankSet({found.taken}) +
               " " + placeOfRank(trace, waits, found.taken) + "." + inAll(waits);
    const std::string begin = capitalised(receiver) + " " + placeOfRank(trace, waits, found.receiver) + ", for a message of " +
                              describeRankSet({found.taken});
    if (found.isProbe)
        return begin + " (tag " + std::to_string(found.takenTag) + "), but " + describeCall(trace, found.postedBy) +
               " had taken it, and no receive of that message followed." + inAll(waits);
    if (found.isAbandoned && found.leftTag != found.takenTag)
        return begin + " (tag " + std::to_string(found.takenTag) +
               "), and has not waited for an earlier receive of that rank's (tag " + std::to_string(found.leftTag) +
               (found.postedBy == none ? std::string() : ", of " + describeCall(trace, found.postedBy)) +
               "), which has taken its message: it always waited for them in the order of posting, and another request may stand "
               "in "
               "the place of that one." +
               inAll(waits);
    if (found.isAbandoned)
        return begin + " (tag " + std::to_string(found.takenTag) + "), but an earlier receive of its own has taken it" +
               (found.postedBy == none ? std::string() : ", of " + describeCall(trace, found.postedBy)) +
               ", for which it does not wait: another request may stand in the place of that one." + inAll(waits);
    std::string text = begin + ", but its receive " + (found.anySource ? "from any source" : "with any tag");
    if (found.postedBy != none)
        text += " (" + describeCall(trace, found.postedBy) + ")";
    return text + " took " + describeRankSet({found.taken}) + "'s message (tag " + std::to_string(found.takenTag) + ", at " +
           describeDuration(trace.seconds(found.received)) + "), and " + describeRankSet({found.left}) + "'s message (tag " +
           std::to_string(found.leftTag) + ") lies unreceived: in another order all would have been taken." + inAll(waits);
}

std::string describeUntaken(const Trace &trace, const WaitForGraph &waits, const RankSet &by) {
    constexpr std::size_t mostMessages = 3;
    std::string text;
    std::size_t shown = 0;
    for (const Wait &wait : waits.waits) {
        const bool concerns = std::any_of(wait.on.begin(), wait.on.end(),
                                          [&](Rank rank) { return std::binary_search(by.begin(), by.end(), rank); });
        if (!wait.isSend || !concerns || shown++ >= mostMessages)
            continue;
        const Rank from = wait.waiters.front();
        text += " The message of " + describeRankSet({from}) + " is not received: it " + placeOfRank(trace, waits, from) + ".";
    }
    return text;
}

std::string describeMissing(const Trace &trace, const WaitForGraph &waits, const RankSet &members) {
    constexpr std::size_t mostMembers = 3;
    if (members.size() > mostMembers)
        return {};
    std::string text;
    for (const Wait &wait : waits.waits) {
        const Rank rank = wait.waiters.front();
        if (wait.kind == Wait::Kind::Collective || !std::binary_search(members.begin(), members.end(), rank))
            continue;
        if (wait.kind == Wait::Kind::OneSided || wait.kind == Wait::Kind::FileLock) {
            text += "; " + wait.evidence;
            continue;
        }
        const std::string others = (wait.anyOf && wait.on.size() > 1 ? "any of " : "") + describeRankSet(wait.on);
        const std::string started = wait.startedBy == none ? "" : " (" + describeCall(trace, wait.startedBy) + ")";
        const bool isOne = wait.on.size() == 1;
        if (wait.waiters == wait.on)
            text += wait.isSend ? "; its message to itself" + started + " is not received"
                                : "; the message to itself" + (wait.tag == none ? "" : " with tag " + std::to_string(wait.tag)) +
                                      started + " that it waits for was not sent";
        else if (wait.isSend)
            text += "; the message of " + describeRankSet({rank}) + started + " is not received by " + others;
        else if (wait.isHeld)
            text += "; the message of " + others + " to " + describeRankSet({rank}) + started + " has begun, and not arrived";
        else
            text += "; the message of " + others + " that " + describeRankSet({rank}) + " waits for" +
                    (wait.tag == none ? "" : " (tag " + std::to_string(wait.tag) + ")") + started +
                    (isOne ? " was not sent" : " was not sent by any of them");
    }
    return text;
}

namespace {

/// " A message does not fit: rank 3 sent it one with tag 42 (…), such as it never asked for."
std::string unaskedClause(const Trace &trace, const WaitForVerdict &verdict) {
    if (verdict.unasked.empty())
        return {};
    const MisfitMessage &first = verdict.unasked.front();
    RankSet senders;
    for (const MisfitMessage &message : verdict.unasked)
        senders.push_back(message.from);
    return " A message does not fit: " + describeRankSet({first.from}) + (first.isHeld ? " sends" : " sent") +
           " it one with tag " + std::to_string(first.sentTag) + (first.otherCommunicator ? " on another communicator" : "") +
           sentBy(trace, first) + ", such as it never asked for" +
           (senders.size() == 1 ? std::string() : " (such messages lie there of " + describeRankSet(senders) + ")") + ".";
}

} // namespace

std::string summariseNoSender(const Trace &trace, const WaitForGraph &waits) {
    const WaitForVerdict &verdict = waits.verdict;
    const Rank rank = verdict.ranks.front();
    const auto wait =
        std::find_if(waits.waits.begin(), waits.waits.end(), [&](const Wait &w) { return w.anyOf && w.waiters.front() == rank; });
    const std::string place =
        capitalised(describeRankSet({rank})) + " " + placeOfRank(trace, waits, rank) + ", for a message of ";
    const auto single = std::find_if(waits.waits.begin(), waits.waits.end(), [&](const Wait &w) {
        return w.kind == Wait::Kind::PointToPoint && w.waiters.front() == rank && w.on.size() == 1;
    });
    if (wait == waits.waits.end() && single != waits.waits.end())
        return place + describeRankSet(single->on) + " since " + describeDuration(trace.seconds(waits.activities[rank].since)) +
               ": " + verdict.why + "." + inAll(waits);
    const std::string unasked = unaskedClause(trace, verdict);
    const std::string nothing =
        unasked.empty() ? ", and no message was sent to it" : ", and none that it asks for was sent to it";
    std::string text = place + "any of ";
    if (wait == waits.waits.end())
        return text + "several ranks" + nothing + "." + unasked + inAll(waits);
    RankSet gone;
    std::ranges::copy_if(wait->on, std::back_inserter(gone), [&](Rank each) {
        const Activity::Kind kind = waits.activities[each].kind;
        return kind == Activity::Kind::Finished || kind == Activity::Kind::Finalizing;
    });
    text += describeRankSet(wait->on) + nothing + ": ";
    if (gone.size() == wait->on.size())
        return text + "they have finished, or are in MPI_Finalize." + unasked + inAll(waits);
    if (!gone.empty())
        text += describeRankSet(gone) + (gone.size() == 1 ? " has" : " have") + " finished, and ";
    return text + "the others wait themselves." + unasked + inAll(waits);
}

} // namespace laggard
