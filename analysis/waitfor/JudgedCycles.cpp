// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/waitfor/Judge.h"

#include "analysis/waitfor/LeftBehind.h"
#include "analysis/waitfor/LeftOutActs.h"
#include "analysis/waitfor/MisfitMessages.h"
#include "analysis/waitfor/OddEnvelope.h"
#include "analysis/waitfor/OddGroup.h"
#include "analysis/waitfor/OddReceive.h"
#include "analysis/waitfor/OddTag.h"
#include "analysis/waitfor/ReceivedMessages.h"
#include "analysis/waitfor/SendsOfCall.h"
#include "trace/Parallel.h"
#include "trace/Quantity.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

namespace laggard {
namespace {

/// To tell who of a circle is no neighbour: of two, each is the other's as much as not.
constexpr std::size_t fewestOfCircle = 3;

} // namespace

bool Judge::isCycle() {
    const auto cycle = std::find_if(m_ends.begin(), m_ends.end(), [](const WaitEnd &end) { return end.ranks.size() > 1; });
    if (cycle == m_ends.end())
        return false;
    WaitEnd end = *cycle;
    describeWaiting(m_job.size(), m_waits, end);
    const double closes = sureness(end.ranks);
    m_verdict.missingSends = missingSends(end.ranks);
    const bool areMutual = !m_verdict.missingSends.empty() && isMutual();
    dropWithoutEffect(end.ranks, m_verdict.missingSends);
    if (!m_verdict.missingSends.empty() && m_verdict.missingSends.front().confidence >= convincing && !areMutual) {
        nameMissingSend();
        return true;
    }
    // A message that does not fit, and a circle that is none, are facts; whose ways are other than its own, or than the others',
    // is a guess.
    if (!nameIntercepted(end.ranks, closes) && !nameAbandoned(end.ranks, closes) && !nameLeftOutStart(end.ranks) &&
        !nameLeftOut(end.ranks, false) && !nameOutOfTurn(end.ranks) && !nameOddGroup(end.ranks) && !nameOddReceive(end.ranks) &&
        !nameLeftBehind(end.ranks) && !nameMisfit(end.ranks, closes) && !nameShortReceiver(end.ranks) &&
        !nameLastWord(end.ranks) && !nameStranger(end.ranks, closes) && !nameOneSided(end.ranks) &&
        !nameLeftOut(end.ranks, true) && !nameHeld(end.ranks) && !nameUnservedOfCycle(end.ranks) && !nameStrayed(end.ranks) &&
        !nameOverdue(end.ranks) && !nameOffCourse(end.ranks) && !nameOddCollective(end.ranks))
        nameCycles(std::move(end), closes);
    return true;
}

bool Judge::nameOddReceive(const RankSet &members) {
    const std::optional<OddReceive> odd = onlyOddReceive(m_job, m_waits, members);
    if (!odd)
        return false;
    nameTogether(Kind::OddReceive, {odd->rank}, odd->confidence);
    addMisfitOf(odd->isTag ? odd->from : odd->usual, members);
    m_verdict.oddReceive = odd;
    if (odd->took != none)
        m_verdict.why = describeRankSet({odd->rank}) + " received a message of " + describeRankSet({odd->took}) +
                        " where it received one of " + describeRankSet({odd->usual}) + " " + plural(odd->times, "time") +
                        " before; this time that of " + describeRankSet({odd->usual}) +
                        " lies untaken, and it waits for one of " + describeRankSet({odd->from});
    else
        m_verdict.why = describeRankSet({odd->rank}) + " waits for a message of " + describeRankSet({odd->from}) +
                        (odd->isTag ? " with tag " + std::to_string(odd->tag) : "") + ", and received one " +
                        (odd->isTag ? "with tag " : "of rank ") + std::to_string(odd->usual) + " here in " +
                        plural(odd->times, "time") + " before";
    return true;
}

bool Judge::nameOddGroup(const RankSet &members) {
    std::optional<HabitBreak> odd = onlyOddGroup(m_job, m_waits, members, members);
    if (!odd)
        return false;
    nameTogether(Kind::Deadlock, members, rather);
    narrowBy(std::move(*odd), rather); // the others may have missed a change that all should have made
    return true;
}

void Judge::addMisfitOf(Rank from, const RankSet &members) {
    const std::optional<Misfits> misfits = findMisfits(m_job, members, members);
    const std::optional<MisfitMessage> misdirected = findMisdirected(m_job, members, members);
    const bool isOfOther = !misfits || misfits->first.from != from;
    m_verdict.misfit = isOfOther || isRatherMisdirected(misfits->first, misdirected) ? misdirected : misfits->first;
    if (m_verdict.misfit && m_verdict.misfit->from != from)
        m_verdict.misfit.reset();
}

bool Judge::isRatherMisdirected(const MisfitMessage &misfit, const std::optional<MisfitMessage> &misdirected) const {
    if (!misdirected || misdirected->awaitedBy != misfit.to || misdirected->from != misfit.from || misfit.isHeld)
        return false;
    // What was sent after it is for a later receive, with another tag in each round perhaps.
    return takenBefore(m_job, misfit).asSent ||
           (misfit.sent != openEnd && misdirected->sent < misfit.sent && isFirstTo(m_job, *misdirected));
}

bool Judge::nameHeld(const RankSet &members) {
    for (const Wait &wait : m_waits)
        if (!wait.isHeld && contains(members, wait.waiters.front()) &&
            std::any_of(wait.on.begin(), wait.on.end(), [&](Rank rank) { return contains(members, rank); }))
            return false;
    constexpr double oneOfTwo = 0.5;
    nameTogether(Kind::StuckInCall, members, oneOfTwo);
    m_verdict.why = describeRankSet(members) + " are inside " + functionsOf(members) +
                    ", and the messages that they exchange fit together: one of them is stuck in its call; which one cannot "
                    "be told";
    return true;
}

bool Judge::nameUnservedOfCycle(const RankSet &members) {
    std::vector<Wait> others;
    for (const Wait &wait : m_waits)
        if (!isForAnyOfSeveral(wait) || !contains(members, wait.waiters.front()))
            others.push_back(wait);
    if (others.size() == m_waits.size())
        return false;
    for (WaitEnd &end : findWaitEnds(m_job.size(), others)) {
        if (end.ranks.size() != 1 || !contains(members, end.ranks.front()))
            continue;
        const auto own = std::find_if(m_waits.begin(), m_waits.end(), [&](const Wait &w) {
            return isForAnyOfSeveral(w) && w.waiters.front() == end.ranks.front();
        });
        if (own == m_waits.end())
            continue;
        if (const std::optional<LeftOutAct> act = onlyLeftOutSend(m_job, *own)) {
            nameLeftOutSend(*act);
            return true;
        }
        if (nameUsualSender(*own) || nameShortSender(*own) || nameUnusualSender(*own))
            return true;
        // It asks once too often, or one of them owes it a message.
        nameTogether(Kind::NoSender, end.ranks, own->confidence * either);
        m_verdict.why = own->evidence + "; " + waitingClause();
        return true;
    }
    return false;
}

bool Judge::isForAnyOfSeveral(const Wait &wait) {
    return wait.kind == Wait::Kind::PointToPoint && wait.anyOf && wait.on.size() > 1;
}

bool Judge::isMutual() const {
    const std::vector<MissingSend> &all = m_verdict.missingSends;
    const auto hasAnswer = [&](const MissingSend &one) {
        return std::any_of(all.begin(), all.end(), [&](const MissingSend &other) {
            return other.from == one.to && other.to == one.from && other.confidence >= convincing;
        });
    };
    return std::any_of(all.begin(), all.end(), [&](const MissingSend &one) {
        return one.from == all.front().from && one.due == all.front().due && hasAnswer(one);
    });
}

bool Judge::nameMisfit(const RankSet &members, double confidence) {
    if (const std::optional<MisfitMessage> common = commonMisfit(m_job, members)) {
        nameTogether(Kind::Misfit, {common->from}, std::min(confidence, agreed));
        m_verdict.misfit = common;
        m_verdict.why = describeRankSet(members) + " wait for each other in " + functionsOf(members) + ": " + describe(*common) +
                        "; the others agree on such tags, and each of those that it sends to awaits another one than it sends";
        return true;
    }
    const std::optional<Misfits> misfits = findMisfits(m_job, members, members);
    if (!misfits) {
        m_verdict.misfit = findMisdirected(m_job, members, members);
        return m_verdict.misfit && nameMisdirected(*m_verdict.misfit, confidence);
    }
    const MisfitMessage misfit = misfits->first;
    const std::optional<MisfitMessage> misdirected = findMisdirected(m_job, members, members);
    if (isRatherMisdirected(misfit, misdirected)) {
        m_verdict.misfit = misdirected;
        return misdirected && nameMisdirected(*misdirected, confidence);
    }
    if (misfit.awaitedFrom != none && misfit.awaitedFrom != misfit.from) { // it may be for a later receive
        m_verdict.misfit = misdirected;
        if (!m_verdict.misfit && takenBefore(m_job, misfit).isNewRequest())
            m_verdict.misfit = misfit;
        return misdirected && nameMisdirected(*misdirected, confidence);
    }
    m_verdict.misfit = misfit;
    const bool hasAnyOf = std::any_of(m_waits.begin(), m_waits.end(),
                                      [&](const Wait &w) { return w.anyOf && contains(members, w.waiters.front()); });
    const bool isForLater = members.size() == 2 || !((hasAnyOf && misfits->isOnly) || takenBefore(m_job, misfit).isNewRequest());
    if (!misfit.isHeld && isForLater && !isOfOneExchange(m_job, misfit))
        return false;
    // Who asks by the way may take by another call what was sent, as before.
    if (m_job.isInMpi(misfit.to) && m_job.mpiCall(misfit.to).isPoll() && takenBefore(m_job, misfit).asSent) {
        m_verdict.misfit.reset();
        return false;
    }
    if (const std::optional<OddEnvelope> alone = oddEndByPeers(m_job, misfit)) {
        nameTogether(Kind::Misfit, {alone->rank}, std::min(confidence, alone->confidence));
        m_verdict.why = describeRankSet(members) + " wait for each other in " + functionsOf(members) + ": " + describe(misfit) +
                        "; " + m_job.trace.region(misfit.callPath).name + " of " + plural(alone->alike, "other rank") + " sent " +
                        (alone->rank == misfit.to ? "the same" : "what is awaited");
        return true;
    }
    const std::optional<Rank> odd = oddEndByTag(m_job, misfit);
    // Who has changed its tag may be right, and the other one have missed the change.
    nameTogether(Kind::Misfit, odd ? RankSet{*odd} : RankSet{misfit.from, misfit.to},
                 odd ? std::min(confidence, either) : confidence);
    m_verdict.why = describeRankSet(members) + " wait for each other in " + functionsOf(members) + ": " + describe(misfit);
    if (odd)
        m_verdict.why += *odd == misfit.from ? "; its call always sent the other tag before"
                                             : "; " + describeRankSet({*odd}) + " always received that tag before";
    return true;
}

bool Judge::nameStranger(const RankSet &members, double confidence) {
    const std::optional<MisfitMessage> stranger =
        members.size() < fewestOfCircle ? std::nullopt : findStranger(m_job, m_waits, members);
    if (!stranger)
        return false;
    constexpr double seen = 0.9; // assumed: it may be the first exchange of the two
    // A rank that is behind in its rounds had not come to what may be its turn.
    const CallPathId path = m_job.state.tasks[stranger->from].mpiPath;
    const bool isBehind = timesIn(stranger->to, path) < timesIn(stranger->from, path);
    nameTogether(Kind::Misfit, {std::min(stranger->from, stranger->to), std::max(stranger->from, stranger->to)},
                 std::min(confidence, isBehind ? either : seen));
    m_verdict.misfit = stranger;
    m_verdict.why = describeRankSet(members) + " wait for each other, and that closes with " + describeRankSet({stranger->from}) +
                    ", which waits for a message of " + describeRankSet({stranger->to}) + ", and sends it some, while " +
                    describeRankSet({stranger->to}) + " has never had to do with it";
    if (isTakenForNeighbour(m_job, m_waits, stranger->from, stranger->to, true)) {
        nameTogether(Kind::Misfit, {stranger->from}, std::min({confidence, isBehind ? either : seen, rather}));
        m_verdict.why += "; others that wait for " + describeRankSet({stranger->from}) + " are not its neighbours, either";
    }
    return true;
}

bool Judge::nameOneSided(const RankSet &members) {
    const std::optional<OneSided> found = members.size() < fewestOfCircle ? std::nullopt : findOneSided(m_job, m_waits, members);
    if (!found)
        return false;
    // Who has gone on without the other may be right, or wrong.
    const MisfitMessage &message = found->message;
    nameTogether(Kind::Misfit, found->ranks, either);
    m_verdict.misfit = message;
    m_verdict.why = describeRankSet(members) + " wait for each other, and that closes with " + describeRankSet({message.from}) +
                    ", which waits for a message of " + describeRankSet({message.to}) + ", and sends it some, while " +
                    describeRankSet({message.to}) + " has nothing to do with it in its " + m_job.functionOf(message.to);
    if (found->ranks.size() == 1)
        m_verdict.why += "; others that wait for " + describeRankSet(found->ranks) + " are not its neighbours, either";
    return true;
}

bool Judge::nameLeftBehind(const RankSet &members) {
    const std::optional<LeftBehind> behind = findLeftBehind(m_job, m_waits, members);
    // Who is one of several that would do, and idle, holds nobody up.
    if (!behind || std::ranges::none_of(
                       m_waits, [&](const Wait &wait) { return contains(wait.on, behind->rank) && !isForAnyOfSeveral(wait); }))
        return false;
    // Who was in its place all the time is right, and who asks it for what it never sends is wrong. It may be meant for the end
    // of the rounds.
    nameTogether(Kind::NoSender, {behind->rank}, rather);
    m_verdict.why = describeRankSet({behind->from}) + " has never sent " + describeRankSet({behind->rank}) +
                    " anything, and has gone through " + plural(behind->rounds, "round") +
                    " since then in which others took what it sent by " + m_job.trace.region(behind->sentBy).name;
    return true;
}

void Judge::nameMissingSend() {
    const MissingSend &first = m_verdict.missingSends.front();
    if (nameSentElsewhere(first.from, first.to, first.confidence))
        return;
    WaitEnd end;
    end.ranks = {first.from};
    describeWaiting(m_job.size(), m_waits, end);
    name(Kind::MissingSend, std::move(end), first.confidence);
    addMisfitOfMissing(first);
    m_verdict.why = "ranks wait for each other, and it began with a message that was not sent: " + first.evidence;
    doubtRedirected(first.from, first.to);
    doubtDropped(m_verdict.missingSends.front());
    doubtNewWait(m_verdict.missingSends.front().from);
    doubtContradicted(m_verdict.missingSends.front().from, m_verdict.missingSends.front().to);
}

void Judge::doubtContradicted(Rank debtor, Rank creditor) {
    if (!isTakenForNeighbour(m_job, m_waits, creditor, debtor, false) && !isAskedInEpoch(m_job, m_waits, creditor, debtor))
        return;
    m_verdict.confidence = std::min(m_verdict.confidence, either);
    m_verdict.why += "; but another rank waits for " + describeRankSet({creditor}) +
                     ", which has nothing to do with it: the neighbours may have changed, and " + describeRankSet({creditor}) +
                     " not know it";
}

void Judge::doubtNewWait(Rank from) {
    if (!m_job.isInMpi(from))
        return;
    const MpiCall::Kind kind = m_job.mpiCall(from).kind;
    if ((kind != MpiCall::Kind::Receive && kind != MpiCall::Kind::Probe) || timesIn(from, m_job.state.tasks[from].mpiPath) != 0)
        return;
    m_verdict.confidence = std::min(m_verdict.confidence, either);
    m_verdict.why +=
        "; it waits for a message where it never did before: it may have left as it should, and who waits not know it";
}

void Judge::addMisfitOfMissing(const MissingSend &missing) {
    const RankSet both{std::min(missing.from, missing.to), std::max(missing.from, missing.to)};
    addMisfitOf(missing.from, both);
    const std::optional<MisfitMessage> &misfit = m_verdict.misfit;
    // For a later receive: as before, or as it was sent when the missing one had been left out, in the next round perhaps.
    if (misfit && misfit->awaitedBy == none && !misfit->isHeld &&
        (misfit->sent > missing.due || takenBefore(m_job, *misfit).asSent))
        m_verdict.misfit.reset();
    if (!m_verdict.misfit)
        m_verdict.misfit = strayedMessage(missing.from, missing.to, missing.callPath);
}

void Judge::doubtDropped(const MissingSend &missing) {
    const LocationEvents *events = m_job.trace.mainEvents(missing.from);
    if (events == nullptr || m_job.trace.processes[missing.from].eventsFrom != 0)
        return;
    struct Sent {
        std::uint32_t times = 0;   // to this rank
        std::uint32_t at = 0;      // messages to the one that waits until the last of these
        std::uint32_t longest = 0; // the most of these between two to this rank
    };
    std::map<Rank, Sent> others;
    std::uint32_t toWaiter = 0;
    for (std::size_t i = 0; i < events->sends.size() && events->sends.time[i] <= m_job.state.at; ++i) {
        const std::uint32_t row = events->track.innermostAt(events->sends.time[i]);
        if (row == none || !m_job.trace.isSameCall(events->track.callPath[row], missing.callPath))
            continue;
        const Rank peer = events->envelopes[events->sends.envelope[i]].peer;
        toWaiter += peer == missing.to ? 1 : 0;
        if (peer == missing.to)
            continue;
        Sent &sent = others[peer];
        sent.longest = sent.times == 0 ? 0 : std::max(sent.longest, toWaiter - sent.at);
        sent.at = toWaiter;
        ++sent.times;
    }
    for (const auto &[rank, sent] : others) {
        if (sent.times < fewestTimes || toWaiter - sent.at < fewestTimes * std::max(sent.longest, 1U))
            continue;
        m_verdict.confidence = std::min(m_verdict.confidence, either);
        m_verdict.why += "; that call has ceased to send to " + describeRankSet({rank}) + " before, and the job went on";
        return;
    }
}

void Judge::doubtRedirected(Rank from, Rank to) {
    const LocationEvents *events = m_job.trace.mainEvents(from);
    if (events == nullptr || m_job.trace.processes[from].eventsFrom != 0)
        return;
    struct Sent {
        std::set<Rank> before;   // until its last message to `to`
        std::set<Rank> since;    // after it, and not before
        std::uint32_t times = 0; // to `to`
    };
    std::map<CallPathId, Sent> byCall;
    for (std::size_t i = 0; i < events->sends.size() && events->sends.time[i] <= m_job.state.at; ++i) {
        const std::uint32_t row = events->track.innermostAt(events->sends.time[i]);
        if (row == none)
            continue;
        Sent &sent = byCall[events->track.callPath[row]];
        const Rank peer = events->envelopes[events->sends.envelope[i]].peer;
        if (!sent.before.contains(peer))
            sent.since.insert(peer);
        if (peer != to)
            continue;
        ++sent.times;
        sent.before.merge(sent.since);
        sent.since.clear();
    }
    for (const auto &[path, sent] : byCall) {
        if (sent.times < fewestTimes || sent.since.empty())
            continue;
        // A new neighbour in place of the old one, of which that one may not know: else the sender takes the wrong one.
        m_verdict.confidence = std::min(m_verdict.confidence, rather);
        m_verdict.why += "; " + m_job.trace.region(path).name + ", which sent to " + describeRankSet({to}) + ", went to " +
                         describeRankSet({*sent.since.begin()}) + " since, as never before: " + describeRankSet({to}) +
                         " may not know of a change";
        return;
    }
}

bool Judge::nameStrayed(const RankSet &members) {
    if (members.size() > mostPeers)
        return false;
    std::optional<MisfitMessage> only;
    for (const Wait &wait : m_waits) {
        if (wait.kind != Wait::Kind::PointToPoint || wait.isSend || wait.on.size() != 1 || !contains(members, wait.on.front()) ||
            !contains(members, wait.waiters.front()))
            continue;
        const LocationEvents *events = m_job.trace.mainEvents(wait.on.front());
        CallPathId sentBy = none; // what the one that waits got last
        for (std::size_t i = events == nullptr ? 0 : events->sends.size(); i-- > 0 && sentBy == none;) {
            const Envelope &envelope = events->envelopes[events->sends.envelope[i]];
            const std::uint32_t row = envelope.peer == wait.waiters.front() && (wait.tag == none || envelope.tag == wait.tag)
                                          ? events->track.innermostAt(events->sends.time[i])
                                          : none;
            sentBy = row == none ? CallPathId{none} : events->track.callPath[row];
        }
        const std::optional<MisfitMessage> strayed = strayedMessage(wait.on.front(), wait.waiters.front(), sentBy);
        if (strayed && only)
            return false;
        only = strayed ? strayed : only;
    }
    if (!only)
        return false;
    // The communicator may have been changed on purpose, and the one that waits not know of it.
    nameTogether(Kind::Misfit, {only->from}, rather);
    m_verdict.misfit = only;
    m_verdict.why = describe(*only) + "; it is on another communicator than all that its call sent before";
    return true;
}

std::optional<MisfitMessage> Judge::strayedMessage(Rank from, Rank to, CallPathId sentBy) const {
    const LocationEvents *events = m_job.trace.mainEvents(from);
    if (events == nullptr || sentBy == none || from >= m_job.state.unreceived.size() ||
        m_job.trace.processes[from].eventsFrom != 0)
        return std::nullopt;
    const std::vector<std::size_t> sends = sendsOfCall(m_job.trace, from, sentBy, m_job.state.at);
    const auto first =
        std::ranges::find_if(sends, [&](std::size_t send) { return events->envelopes[events->sends.envelope[send]].peer == to; });
    if (first == sends.end())
        return std::nullopt;
    const CommunicatorId usual = events->envelopes[events->sends.envelope[*first]].communicator;
    std::uint32_t times = 0;
    std::optional<std::size_t> strayed; // the first of them, after which none went the usual way
    for (const std::size_t i : sends) {
        const bool isUsual = events->envelopes[events->sends.envelope[i]].communicator == usual;
        if (isUsual && strayed)
            return std::nullopt;
        times += isUsual ? 1 : 0;
        strayed = isUsual || strayed ? strayed : std::optional(i);
    }
    if (times < fewestTimes || !strayed)
        return std::nullopt;
    const Envelope &envelope = events->envelopes[events->sends.envelope[*strayed]];
    const JobView::OnTheWay left = m_job.unreceived(from, envelope.peer, envelope.communicator, envelope.tag, false);
    if (left.certain + left.held == 0)
        return std::nullopt;
    return MisfitMessage{.from = from,
                         .to = envelope.peer,
                         .sentTag = envelope.tag,
                         .awaitedTag = none,
                         .awaitedFrom = from,
                         .otherCommunicator = true,
                         .awaitedBy = to,
                         .sent = events->sends.time[*strayed],
                         .callPath = sentBy};
}

bool Judge::nameSentElsewhere(Rank from, Rank to, double confidence) {
    const std::optional<Misfits> misfits = findMisfits(m_job, {from}, {to});
    if (!misfits || misfits->first.from != from || !misfits->first.otherCommunicator ||
        (misfits->first.awaitedTag != none && misfits->first.awaitedTag != misfits->first.sentTag))
        return false;
    nameTogether(Kind::Misfit, {from}, confidence);
    m_verdict.missingSends.clear();
    m_verdict.misfit = misfits->first;
    m_verdict.why = describe(misfits->first);
    return true;
}

double Judge::sureness(const RankSet &members) const {
    constexpr double allInSends = 0.9;
    const bool onlySends = m_job.trace.tellsOpenCalls && std::all_of(members.begin(), members.end(), [&](Rank rank) {
                               const OpenCall &open = m_job.open(rank);
                               return doing(rank) == Doing::PointToPoint && open.receives.empty() && !open.sends.empty();
                           });
    return onlySends ? std::max(allInSends, weakestLink(members)) : weakestLink(members);
}

double Judge::weakestLink(const RankSet &members) const {
    std::vector<double> best(m_job.size(), 0);
    for (const Wait &wait : m_waits)
        if (std::any_of(wait.on.begin(), wait.on.end(), [&](Rank rank) { return contains(members, rank); }))
            for (const Rank rank : wait.waiters)
                best[rank] = std::max(best[rank], wait.confidence);
    double weakest = 1;
    for (const Rank rank : members)
        weakest = std::min(weakest, best[rank]);
    return weakest;
}

std::vector<MissingSend> Judge::missingSends(const RankSet &members) const {
    std::vector<OwedSend> owed;
    for (const Wait &wait : m_waits)
        if (wait.kind == Wait::Kind::PointToPoint)
            for (const Rank rank : wait.on)
                if (contains(members, rank))
                    owed.push_back({rank, wait.waiters.front()});
    std::sort(owed.begin(), owed.end());
    RankSet debtors;
    for (const OwedSend &each : owed)
        if (debtors.empty() || debtors.back() != each.from)
            debtors.push_back(each.from);
    std::vector<std::vector<MissingSend>> found(debtors.size());
    forEachParallel(debtors.size(), m_work, [&](std::size_t i, unsigned) { found[i] = m_missingSends(debtors[i], owed); });
    std::vector<MissingSend> all;
    for (auto &some : found)
        std::move(some.begin(), some.end(), std::back_inserter(all));
    ReceivedMessages received(m_job);
    for (MissingSend &send : all)
        corroborate(send, received);
    std::stable_sort(all.begin(), all.end(), [](const MissingSend &a, const MissingSend &b) {
        return a.confidence != b.confidence ? a.confidence > b.confidence : a.due > b.due;
    });
    return all;
}

void Judge::dropWithoutEffect(const RankSet &cycle, std::vector<MissingSend> &sends) const {
    const bool isRecorded = std::ranges::all_of(m_waits, [&](const Wait &wait) {
        return wait.confidence == 1 || std::ranges::none_of(wait.waiters, [&](Rank rank) { return contains(cycle, rank); });
    });
    if (!m_job.trace.tellsOpenCalls || !isRecorded) // what is foretold may close a circle that is none
        return;
    std::erase_if(sends, [&](const MissingSend &send) { return !contains(cycle, send.to); });
    std::set<Rank> senders;
    for (const MissingSend &send : sends)
        if (send.confidence >= convincing)
            senders.insert(send.from);
    constexpr std::size_t mostTried = 64; // each costs the whole graph
    if (senders.empty() || senders.size() > mostTried)
        return;
    const auto isOf = [](const MissingSend &send, const std::set<Rank> &from) { return from.contains(send.from); };
    if (!wouldEnd(cycle, sends, senders)) { // not even if all had been sent
        std::erase_if(sends, [&](const MissingSend &send) { return isOf(send, senders); });
        return;
    }
    std::set<Rank> without;
    for (const Rank sender : senders)
        if (!wouldEnd(cycle, sends, {sender}))
            without.insert(sender);
    if (without.size() < senders.size())
        std::erase_if(sends, [&](const MissingSend &send) { return isOf(send, without); });
}

bool Judge::wouldEnd(const RankSet &cycle, const std::vector<MissingSend> &sends, const std::set<Rank> &senders) const {
    std::set<std::pair<Rank, Rank>> sent; // from, to
    for (const MissingSend &send : sends)
        if (send.confidence >= convincing && senders.contains(send.from))
            sent.emplace(send.from, send.to);
    std::vector<bool> isHeld(m_job.size(), false);
    for (const Wait &wait : m_waits)
        for (const Rank rank : wait.waiters)
            isHeld[rank] = true;
    // Who waits for nobody, or for nobody who is held, does what others wait for.
    const auto isFor = [&](const Wait &wait, Rank waiter) {
        const auto lacks = [&](Rank rank) {
            return isHeld[rank] && (wait.kind != Wait::Kind::PointToPoint || wait.isSend || !sent.contains({rank, waiter}));
        };
        return wait.anyOf ? std::ranges::all_of(wait.on, lacks) : std::ranges::any_of(wait.on, lacks);
    };
    for (bool isAnyFreed = true; isAnyFreed;) {
        std::vector<bool> stays(m_job.size(), false);
        for (const Wait &wait : m_waits)
            for (const Rank waiter : wait.waiters)
                if (isHeld[waiter] && !stays[waiter])
                    stays[waiter] = isFor(wait, waiter);
        isAnyFreed = stays != isHeld;
        isHeld = std::move(stays);
    }
    return std::ranges::none_of(cycle, [&](Rank rank) { return isHeld[rank]; });
}

void Judge::corroborate(MissingSend &send, ReceivedMessages &received) const {
    if (m_job.trace.isSummary)
        return;
    const OpenCall &open = m_job.open(send.to);
    const bool isAwaited = open.source == OpenCall::Source::Recorded &&
                           std::any_of(open.receives.begin(), open.receives.end(), [&](const ExpectedReceive &r) {
                               return r.from == send.from && r.communicator == send.communicator &&
                                      (r.anyTag || r.tag == send.tag || send.tag == none);
                           });
    const bool isMissed = !isAwaited && received.isOneShort(send);
    if (!isMissed && (!isAwaited || send.confidence < convincing))
        return;
    send.confidence = 1 - (1 - send.confidence) / 2;
    send.evidence += "; rank " + std::to_string(send.to) +
                     (isMissed ? ", which waits for a message of any rank, has got one more of each of the others"
                               : " is known to wait for just this message");
}

} // namespace laggard
