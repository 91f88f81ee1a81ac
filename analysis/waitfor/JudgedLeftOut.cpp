// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/waitfor/Judge.h"

#include "analysis/waitfor/CommonCourse.h"
#include "analysis/waitfor/LastWord.h"
#include "analysis/waitfor/LeftOutActs.h"
#include "analysis/waitfor/OverdueCollective.h"
#include "analysis/waitfor/ReceivedMessages.h"
#include "analysis/waitfor/ShortReceiver.h"
#include "analysis/waitfor/StillToCome.h"
#include "analysis/waitfor/UnusualCall.h"
#include "trace/Quantity.h"

#include <algorithm>
#include <optional>

namespace laggard {

void Judge::nameDebtor(MissingSend send, std::string why) {
    nameTogether(Kind::MissingSend, {send.from}, send.confidence);
    m_verdict.missingSends.insert(m_verdict.missingSends.begin(), std::move(send));
    m_verdict.why = std::move(why);
}

void Judge::nameDebtor(const LeftOutAct &act, std::string why) {
    nameTogether(Kind::LeftOut, {act.debtor}, act.confidence);
    m_verdict.leftOut = act;
    m_verdict.why = std::move(why);
}

bool Judge::nameLeftOut(const RankSet &members, bool isOver) {
    const std::vector<LeftOutAct> acts = leftOutActs(m_job, m_waits, members);
    if (acts.size() != 1 || acts.front().isOver != isOver || acts.front().confidence < convincing)
        return false;
    const LeftOutAct &act = acts.front();
    if (act.what == LeftOutAct::What::Send) {
        nameLeftOutSend(act);
    } else {
        nameDebtor(
            act, describeRankSet({act.debtor}) + " is in " + m_job.functionOf(act.debtor) + " without what " +
                     describeRankSet({act.creditor}) + " waits for in " + m_job.functionOf(act.creditor) + ", and what it did " +
                     (act.isOver ? plural(act.rounds, "time") : "in each of the " + plural(act.rounds, "round")) + " before");
        if (const std::optional<LeftOutAct> start = onlyLeftOutStart(m_job, {act.debtor}))
            m_verdict.leftOut->startedBy = start->callPath;
        doubtContradicted(act.debtor, act.creditor);
    }
    return true;
}

void Judge::nameLeftOutSend(const LeftOutAct &act) {
    if (nameSentElsewhere(act.debtor, act.creditor, act.confidence))
        return;
    const std::string evidence = describeRankSet({act.debtor}) + " sent to " + describeRankSet({act.creditor}) +
                                 (act.isOver ? " again and again, " + plural(act.rounds, "message")
                                             : " in each of the " + plural(act.rounds, "round") + " before") +
                                 ", and has gone on to " + m_job.functionOf(act.debtor) + " without it";
    nameDebtor(MissingSend{.from = act.debtor,
                           .to = act.creditor,
                           .due = m_job.activity(act.debtor).since,
                           .callPath = act.callPath,
                           .confidence = act.confidence,
                           .evidence = evidence,
                           .times = act.rounds,
                           .tag = act.tag},
               "ranks wait for each other, and it began with a message that was not sent: " + evidence);
    addMisfitOfMissing(m_verdict.missingSends.front());
    doubtRedirected(act.debtor, act.creditor);
    doubtDropped(m_verdict.missingSends.front());
    doubtContradicted(act.debtor, act.creditor);
    if (act.isOver)
        doubtNewWait(act.debtor);
}

bool Judge::nameLeftOutStart(const RankSet &among) {
    std::optional<LeftOutAct> act = onlyLeftOutStart(m_job, among);
    if (!act)
        return false;
    if (m_job.calls[act->callPath].marksPartitions) {
        // It must itself wait for the request that is not ready.
        const std::optional<Rank> to = lastStartedSendOf(*act);
        if (!to || !m_job.isInMpi(act->debtor) || !m_job.mpiCall(act->debtor).isWait())
            return false;
        act->creditor = *to;
        nameStartLeftOut(*act);
        return true;
    }
    // Somebody must wait for just what was begun by starting the request.
    const auto owed = std::ranges::find_if(m_waits, [&](const Wait &wait) {
        const Rank waiter = wait.waiters.front();
        if (!contains(wait.on, act->debtor) || wait.mismatch != Wait::Mismatch::None)
            return false;
        if (wait.kind != Wait::Kind::PointToPoint)
            return isStartedCollective(*act, wait);
        return wait.isSend ? startedReceiveOf(*act, waiter) : startedSendTo(*act, waiter, wait.tag);
    });
    if (owed == m_waits.end())
        return false;
    act->creditor = owed->waiters.front();
    nameStartLeftOut(*act);
    return true;
}

bool Judge::startedReceiveOf(const LeftOutAct &act, Rank from) const {
    const LocationEvents *events = m_job.trace.mainEvents(act.debtor);
    if (events == nullptr)
        return false;
    const ReceivePostings &postings = events->postings;
    for (std::size_t i = 0; i < postings.size(); ++i) {
        const bool isOwn = i >= postings.thread.size() || postings.thread[i] == none;
        if (isOwn && postings.row[i] != none && events->track.callPath[postings.row[i]] == act.callPath &&
            events->envelopes[events->receives.envelope[postings.receive[i]]].peer == from)
            return true;
    }
    return false;
}

bool Judge::isStartedCollective(const LeftOutAct &act, const Wait &wait) const {
    const CallPathId started = m_job.open(wait.waiters.front()).collectiveStartedBy;
    if (wait.kind != Wait::Kind::Collective || started == none || !m_job.calls[started].startsRequest)
        return false;
    if (started == act.callPath) // both run this code
        return true;
    // Else the debtor has completed as many of this communicator, in calls that wait, as it has started there.
    const LocationEvents *events = m_job.trace.mainEvents(act.debtor);
    std::uint32_t completed = 0;
    for (std::size_t i = 0; events != nullptr && i < events->collectives.size(); ++i) {
        const std::uint32_t row = events->collectives.row[i];
        const bool isHere = events->collectiveKinds[events->collectives.kind[i]].communicator == wait.communicator;
        completed += isHere && row != none && m_job.calls[events->track.callPath[row]].isWait() ? 1 : 0;
    }
    return completed >= fewestTimes && completed == timesIn(act.debtor, act.callPath);
}

void Judge::nameStartLeftOut(const LeftOutAct &act) {
    nameDebtor(act, describeRankSet({act.debtor}) + " is in " + m_job.functionOf(act.debtor) + ", and has made " +
                        m_job.trace.region(act.callPath).name + " fewer times than in each of the " +
                        plural(act.rounds, "round") + " before");
}

std::optional<Rank> Judge::lastStartedSendOf(const LeftOutAct &act) const {
    const LocationEvents *events = m_job.trace.mainEvents(act.debtor);
    if (events == nullptr)
        return std::nullopt;
    // Partitions may be marked by calls of several kinds and places: then one of them alone tells nothing.
    for (const CallPathId path : events->track.callPath)
        if (path != act.callPath && m_job.calls[path].marksPartitions)
            return std::nullopt;
    for (std::size_t i = events->sends.size(); i-- > 0;) {
        const std::uint32_t row = events->track.innermostAt(events->sends.time[i]);
        if (row != none && m_job.calls[events->track.callPath[row]].startsRequest)
            return events->envelopes[events->sends.envelope[i]].peer;
    }
    return std::nullopt;
}

bool Judge::startedSendTo(const LeftOutAct &act, Rank to, std::uint32_t tag) const {
    const LocationEvents *events = m_job.trace.mainEvents(act.debtor);
    if (events == nullptr)
        return false;
    for (std::size_t i = 0; i < events->sends.size(); ++i) {
        const auto &envelope = events->envelopes[events->sends.envelope[i]];
        if (envelope.peer != to || (tag != none && envelope.tag != tag))
            continue;
        const std::uint32_t row = events->track.innermostAt(events->sends.time[i]);
        if (row != none && events->track.callPath[row] == act.callPath)
            return true;
    }
    return false;
}

bool Judge::nameOverdue(const RankSet &members) {
    const std::optional<OverdueCollective> found = onlyOverdue(m_job, m_waits, members);
    if (!found)
        return false;
    const std::string round = m_job.trace.region(found->round).name;
    std::string why = describeRankSet({found->rank}) + " has come to more than " + std::to_string(found->every) + " " + round +
                      " since the last collective of those that wait for it in " + m_job.functionOf(found->creditor);
    if (found->times != 0)
        why += "; there were just so many between any two of the " + plural(found->times, "time") + " before";
    if (found->peers != 0)
        why += "; " + plural(found->peers, "other rank") + " came to the collective after just so many";
    nameDebtor(LeftOutAct{.what = LeftOutAct::What::Collective,
                          .debtor = found->rank,
                          .creditor = found->creditor,
                          .callPath = found->expected,
                          .rounds = std::max(found->made, 1U),
                          .isOver = true,
                          .confidence = found->confidence},
               why);
    return true;
}

bool Judge::nameOffCourse(const RankSet &members) {
    std::optional<CourseLeft> left = onlyOneOffCourse(m_job, m_waits, members);
    if (left && left->isOwnPart) {
        nameOwnPart(*left);
        return true;
    }
    // A rank with a part of its own, the one that collects, say, parts from the others as well: it must have gone their way
    // before.
    if (!left || left->times < fewestTimes)
        return false;
    const auto wait = std::ranges::find_if(m_waits, [&](const Wait &each) {
        return contains(each.on, left->rank) && each.mismatch == Wait::Mismatch::None &&
               std::ranges::any_of(each.waiters, [&](Rank rank) { return rank != left->rank; });
    });
    if (wait == m_waits.end())
        return false;
    const Rank creditor = *std::ranges::find_if(wait->waiters, [&](Rank rank) { return rank != left->rank; });
    const bool isOnlyInTime = othersCameEarly(m_job, *wait, left->rank);
    if (isOnlyInTime)
        left->confidence = std::min(left->confidence, either);
    const Track &track = m_job.trace.mainEvents(left->rank)->track;
    const CallPathId made = track.callPath[left->row];
    const std::string &expected = m_job.trace.region(left->expected).name;
    // Calls of one name are told apart by their lines.
    const bool areAlike = m_job.trace.region(made).name == expected;
    const auto placed = [&](CallPathId path) {
        return m_job.trace.region(path).name + (areAlike ? callPlaceInBrackets(m_job.trace, path) : std::string());
    };
    const std::string expectedCall = placed(left->expected);
    const std::string otherwise = placed(made) == expectedCall ? " came to " + expectedCall + " by another way than these"
                                                               : ' ' + placed(made) + " where these made " + expectedCall;
    std::string why =
        describeRankSet({left->rank}) + " made the same calls as " + plural(left->alike, "other rank") + ", and then" + otherwise;
    if (isOnlyInTime)
        why += "; but these have left their rounds earlier than ever, and it has not";
    const MpiCall &call = m_job.calls[left->expected];
    const bool isSend = wait->kind == Wait::Kind::PointToPoint && !wait->isSend && hasSentTo(left->rank, creditor) &&
                        (call.kind == MpiCall::Kind::Send || call.kind == MpiCall::Kind::SendReceive ||
                         call.function == MpiFunction::Isend || call.function == MpiFunction::Issend);
    if (isSend)
        nameDebtor(MissingSend{.from = left->rank,
                               .to = creditor,
                               .due = track.start[left->row],
                               .callPath = left->expected,
                               .confidence = left->confidence,
                               .evidence = why,
                               .times = left->times,
                               .tag = wait->tag},
                   why);
    else
        nameDebtor(LeftOutAct{.what = LeftOutAct::What::Call,
                              .debtor = left->rank,
                              .creditor = creditor,
                              .callPath = left->expected,
                              .rounds = left->times,
                              .isOver = true,
                              .confidence = left->confidence},
                   why);
    return true;
}

void Judge::nameOwnPart(const CourseLeft &left) {
    // The sender may have left out its half of the part.
    nameTogether(Kind::NoSender, {left.rank}, std::min(rather, left.confidence));
    const CallPathId begun = m_job.trace.mainEvents(left.rank)->track.callPath[left.row];
    m_verdict.why = "it waits for what it began by " + m_job.trace.region(begun).name + callPlaceInBrackets(m_job.trace, begun) +
                    ", a call that no other rank has made; " + plural(left.alike, "other rank") +
                    " had made the same calls as it until then";
}

bool Judge::hasSentTo(Rank rank, Rank to) const {
    const LocationEvents *events = m_job.trace.mainEvents(rank);
    return events != nullptr &&
           std::ranges::any_of(events->envelopes, [&](const auto &envelope) { return envelope.peer == to; }) &&
           std::ranges::any_of(events->sends.envelope, [&](std::uint32_t each) { return events->envelopes[each].peer == to; });
}

bool Judge::nameUsualSender(const Wait &wait) {
    const Rank receiver = wait.waiters.front();
    const OpenCall &open = m_job.open(receiver);
    if (open.source != OpenCall::Source::Recorded || open.receives.size() != 1 || wait.isSend)
        return false;
    const std::optional<UsualSender> usual = usualSenderOf(m_job, receiver, open.receives.front());
    if (!usual || usual->messages < fewestTimes || !contains(wait.on, usual->rank))
        return false;
    const ExpectedReceive &asked = open.receives.front();
    if (mayStillCome(m_job, usual->rank, {receiver, asked.communicator, asked.anyTag ? none : asked.tag}, {}))
        return nameAwaited(wait, usual->rank);
    // Assumed: the receiver may have asked once too often, or another one was to send this time. Without rounds, in which each
    // has its turn, a share that is smaller by one is as likely; and of two, either may be the odd one.
    const double anyWouldDo = usual->senders == 2 ? noHabit : usual->isInRounds ? 0.8 : either;
    const auto n = static_cast<double>(usual->messages);
    nameLeftOutSend({.what = LeftOutAct::What::Send,
                     .debtor = usual->rank,
                     .creditor = receiver,
                     .callPath = usual->sentBy,
                     .rounds = usual->messages,
                     .tag = wait.tag,
                     .isOver = true,
                     .confidence = wait.confidence * std::min(anyWouldDo, (n + 1) / (n + 2))});
    return true;
}

bool Judge::nameShortSender(const Wait &wait) {
    const Rank receiver = wait.waiters.front();
    const OpenCall &open = m_job.open(receiver);
    if (open.source != OpenCall::Source::Recorded || wait.isSend)
        return false;
    const std::optional<ShortSender> found = onlyShortSender(m_job, receiver, open.receives, wait.on);
    if (!found)
        return false;
    if (mayStillCome(m_job, found->rank, {receiver, found->communicator, found->tag}, found->others))
        return nameAwaited(wait, found->rank);
    // It may have nothing to send.
    const bool isHabit = found->others.size() > 1 && (found->times > 1 || found->isLastWord); // once may be by chance
    const double confidence = std::min(wait.confidence, isHabit ? rather : noHabit);
    const std::string why = describeRankSet(found->others) + " sent " + describeRankSet({receiver}) + " " +
                            plural(found->times, "message") + " with tag " + std::to_string(found->tag) +
                            (found->others.size() == 1 ? "" : " each") + ", and " + describeRankSet({found->rank}) + " " +
                            (found->times == 1 ? "none" : "one less");
    nameDebtor(MissingSend{.from = found->rank,
                           .to = receiver,
                           .due = m_job.activity(found->rank).since,
                           .callPath = found->sentBy,
                           .confidence = confidence,
                           .evidence = why,
                           .times = found->times - 1,
                           .communicator = found->communicator,
                           .tag = found->tag,
                           .others = found->others},
               wait.evidence + "; " + why);
    return true;
}

bool Judge::nameAwaited(const Wait &wait, Rank sender) {
    constexpr int mostTimes = 8; // assumed: each one copies the waits
    if (m_timesJudged >= mostTimes)
        return false;
    std::vector<Wait> waits = m_waits;
    Wait &only = waits[static_cast<std::size_t>(&wait - m_waits.data())];
    only.on = {sender};
    only.anyOf = false;
    Judge again(m_job, waits, m_missingSends, m_work);
    again.m_timesJudged = m_timesJudged + 1;
    again.decide();
    // That it is this one for whom the receiver waits is assumed.
    m_verdict = std::move(again.m_verdict);
    m_verdict.confidence = std::min(m_verdict.confidence, rather);
    m_waiting = std::move(again.m_waiting);
    return true;
}

bool Judge::nameUnusualSender(const Wait &wait) {
    UnusualCall unusual;
    const std::optional<Rank> only = onlyUnusual(m_job, wait.on, unusual);
    if (!only || hasGotAnotherKindLast(m_job, *only, wait.waiters.front()))
        return false;
    const MpiCall &call = m_job.calls[unusual.expected];
    if (call.kind != MpiCall::Kind::Send && call.kind != MpiCall::Kind::SendReceive && call.function != MpiFunction::Isend)
        return false;
    // Any of several would do: that one of them went another way than before says little of who was to send.
    constexpr double oneOfSeveral = 0.4;
    const double confidence = std::min(unusual.confidence, oneOfSeveral);
    const std::string why = describeRankSet({*only}) + " is in " + m_job.functionOf(*only) + ", where it made " +
                            m_job.trace.region(unusual.expected).name + " " + plural(unusual.times, "time") + " before, and " +
                            describeRankSet(wait.waiters) + " waits for a message of any rank";
    nameDebtor(MissingSend{.from = *only,
                           .to = wait.waiters.front(),
                           .due = m_job.activity(*only).since,
                           .callPath = unusual.expected,
                           .confidence = confidence,
                           .evidence = why,
                           .times = unusual.times},
               why);
    return true;
}

bool Judge::nameLastWord(const RankSet &members) {
    const std::optional<LastWord> found = onlyLastWord(m_job, m_waits, members);
    if (!found)
        return false;
    // Those that wait may ask once too often.
    nameDebtor(LeftOutAct{.what = LeftOutAct::What::Send,
                          .debtor = found->rank,
                          .creditor = found->left.front(),
                          .callPath = found->callPath,
                          .rounds = 0,
                          .confidence = rather},
               describeRankSet({found->rank}) + " has sent its last message to " + describeRankSet(found->told) +
                   " by one call, " + m_job.trace.region(found->callPath).name + ", and has not sent it to " +
                   describeRankSet(found->left) + ", which " + (found->left.size() == 1 ? "waits" : "wait") +
                   " for one, and is in " + m_job.functionOf(found->rank));
    return true;
}

bool Judge::nameShortReceiver(const RankSet &members) {
    const std::optional<ShortReceiver> found = onlyShortReceiver(m_job, m_waits, members);
    if (!found || isInCircleWithout(found->rank, [&](const Wait &wait) {
            return wait.isSend && contains(wait.on, found->rank) && contains(found->senders, wait.waiters.front());
        }))
        return false;
    // The senders may send once too often.
    nameDebtor(LeftOutAct{.what = LeftOutAct::What::Receive,
                          .debtor = found->rank,
                          .creditor = found->senders.front(),
                          .callPath = found->callPath,
                          .rounds = found->times,
                          .isOver = true,
                          .confidence = rather},
               describeRankSet({found->rank}) + " has received of " + describeRankSet(found->served) + " " +
                   plural(found->times + 1, "time") + " by " + m_job.trace.region(found->callPath).name + ", of " +
                   describeRankSet(found->senders) + " once less, and is in " + m_job.functionOf(found->rank));
    return true;
}

} // namespace laggard
