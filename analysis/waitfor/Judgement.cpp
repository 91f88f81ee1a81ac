// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/waitfor/Judge.h"

#include "analysis/waitfor/CollectiveDisagreement.h"
#include "analysis/waitfor/CommunicatorNames.h"
#include "analysis/waitfor/FunctionLoop.h"
#include "analysis/waitfor/IdleLoop.h"
#include "analysis/waitfor/InterceptedMessages.h"
#include "analysis/waitfor/LeftOutActs.h"
#include "analysis/waitfor/MisfitMessages.h"
#include "analysis/waitfor/OddGroup.h"
#include "trace/Phrases.h"
#include "trace/Quantity.h"

#include <algorithm>
#include <array>
#include <csignal>
#include <optional>
#include <set>

namespace laggard {

void Judge::decide() {
    if (!isFinished() && !isMismatch() && !waitsForItself() && !leftEarly() && !isEndlessLoop() && !isComputing() &&
        !isStuckInCall() && !isCycle() && !allSpin() && !isTie() && !isEndOfWaits())
        isUnknown();
    if (m_verdict.kind == Kind::Mismatch)
        addParting();
    if (m_verdict.kind == Kind::NoSender && m_verdict.ranks.size() == 1)
        addUnasked();
}

void Judge::addUnasked() {
    const Rank rank = m_verdict.ranks.front();
    RankSet senders;
    for (const Wait &wait : m_waits)
        if (wait.kind == Wait::Kind::PointToPoint && !wait.isSend && wait.waiters.front() == rank)
            senders.insert(senders.end(), wait.on.begin(), wait.on.end());
    std::ranges::sort(senders);
    m_verdict.unasked = unaskedMessages(m_job, rank, senders);
}

WaitForVerdict Judge::judge() {
    decide();
    describeTime();
    if (hasCeased()) {
        weighLocks();
        if (!weighKept() && !weighAnswers())
            weighHabits();
        weighTagSteps();
    }
    m_verdict.confidence = std::min(m_verdict.confidence, certaintyOfNamed()) * readableShare();
    return std::move(m_verdict);
}

bool Judge::hasCeased() const {
    constexpr double shortest = 0.5; // seconds: less is no hang (HangState)
    if (m_job.trace.seconds(m_job.state.at) - m_job.trace.seconds(m_verdict.since) >= shortest)
        return true;
    return std::ranges::none_of(m_job.trace.locations, [this](const Location &location) {
        const Track &track = location.events.track;
        return !track.empty() && track.start[track.size() - 1] > m_job.state.at;
    });
}

RankSet Judge::ranksDoing(std::initializer_list<Doing> kinds) const {
    RankSet ranks;
    for (Rank rank = 0; rank < m_job.size(); ++rank)
        if (std::find(kinds.begin(), kinds.end(), doing(rank)) != kinds.end())
            ranks.push_back(rank);
    return ranks;
}

double Judge::certaintyOfNamed() const {
    double least = 1;
    for (const Rank rank : m_verdict.ranks)
        least = std::min(least, m_job.activity(rank).certainty);
    return least;
}

double Judge::readableShare() const {
    const auto all = static_cast<double>(m_job.size());
    return all == 0 ? 0 : 1 - static_cast<double>(ranksDoing({Doing::Unknown}).size()) / all;
}

std::string Judge::functionsOf(const RankSet &ranks) const {
    std::set<std::string> names;
    for (const Rank rank : ranks)
        names.insert(m_job.functionOf(rank));
    std::string text;
    std::size_t shown = 0;
    for (const std::string &name : names) {
        if (shown++ == 3)
            return text + " and others";
        text += (shown == 1 ? "" : ", ") + name;
    }
    return text;
}

void Judge::name(Kind kind, WaitEnd end, double confidence) {
    m_verdict.kind = kind;
    m_verdict.ranks = std::move(end.ranks);
    m_verdict.waiting = end.waiting;
    m_verdict.confidence = confidence;
    m_waiting = std::move(end.waitingRanks);
}

bool Judge::keepStopped(RankSet &ranks) const {
    RankSet stopped;
    std::ranges::copy_if(ranks, std::back_inserter(stopped), [&](Rank rank) {
        return rank < m_job.trace.processes.size() && m_job.trace.processes[rank].end.wasStopped();
    });
    if (!stopped.empty())
        ranks = stopped;
    return !stopped.empty();
}

std::string Judge::waitingClause() const {
    return m_waiting.empty() ? "nobody waits for it"
                             : plural(m_waiting.size(), "rank") + (m_waiting.size() == 1 ? " waits" : " wait") + " for " +
                                   (m_verdict.ranks.size() == 1 ? "it" : "them") + " in " + functionsOf(m_waiting);
}

bool Judge::isFinished() {
    const RankSet unfinished = ranksDoing(
        {Doing::NotStarted, Doing::Finalizing, Doing::Computing, Doing::Collective, Doing::PointToPoint, Doing::OtherMpi});
    const RankSet finished = ranksDoing({Doing::Finished});
    if (!unfinished.empty() || finished.empty())
        return false;
    m_verdict.kind = Kind::Finished;
    m_verdict.confidence = 1;
    const RankSet unknown = ranksDoing({Doing::Unknown});
    m_verdict.why = unknown.empty() ? "all " + plural(finished.size(), "rank") + " finished"
                                    : describeRankSet(finished) + " finished; of " + describeRankSet(unknown) +
                                          (m_job.trace.part.ranks ? " nothing was read" : " the end cannot be read");
    return true;
}

bool Judge::isMismatch() {
    const auto wait =
        std::find_if(m_waits.begin(), m_waits.end(), [](const Wait &w) { return w.mismatch != Wait::Mismatch::None; });
    if (wait == m_waits.end())
        return false;
    WaitEnd end;
    end.ranks = wait->on;
    const bool isEven = wait->mismatch == Wait::Mismatch::Even;
    const std::optional<RankSet> behind = isEven ? leftBehindBy(wait->waiters, wait->on) : std::nullopt;
    if (behind)
        end.ranks = *behind;
    else if (isEven) // who is right cannot be told
        end.ranks.insert(end.ranks.end(), wait->waiters.begin(), wait->waiters.end());
    std::sort(end.ranks.begin(), end.ranks.end());
    describeWaiting(m_job.size(), m_waits, end);
    // The others may come to it first, and send afterwards.
    name(Kind::Mismatch, std::move(end), behind ? std::min(either, wait->confidence) : wait->confidence);
    m_verdict.why = wait->evidence;
    if (behind)
        m_verdict.why += "; others wait for messages of " + describeRankSet(*behind) + ", and for none of the other side";
    return true;
}

std::optional<RankSet> Judge::leftBehindBy(const RankSet &one, const RankSet &other) const {
    const auto isAwaited = [&](const RankSet &side) {
        return std::ranges::any_of(m_waits, [&](const Wait &wait) {
            return wait.kind == Wait::Kind::PointToPoint && !wait.isSend && !wait.anyOf && !contains(one, wait.waiters.front()) &&
                   !contains(other, wait.waiters.front()) &&
                   std::ranges::any_of(wait.on, [&](Rank rank) { return contains(side, rank); });
        });
    };
    const bool isOne = isAwaited(one);
    return isOne == isAwaited(other) ? std::nullopt : std::optional(isOne ? one : other);
}

bool Judge::waitsForItself() {
    RankSet ranks;
    for (const Wait &wait : m_waits)
        if (wait.waiters == wait.on && wait.on.size() == 1)
            ranks.push_back(wait.on.front());
    if (ranks.empty())
        return false;
    WaitEnd best = heaviestOf(ranks);
    const Rank rank = best.ranks.front();
    const auto own =
        std::find_if(m_waits.begin(), m_waits.end(), [&](const Wait &w) { return w.waiters == w.on && w.on.front() == rank; });
    const auto &locations = m_job.trace.processes[rank].locations;
    const bool hasOtherThreads = std::ranges::any_of(locations, [&](LocationIndex each) {
        return each != m_job.location(rank) && m_job.trace.locations[each].eventCount != 0;
    });
    constexpr double mayBeSent = 0.45; // less than even: another thread may be about to
    name(Kind::Deadlock, std::move(best), hasOtherThreads ? std::min(own->confidence, mayBeSent) : own->confidence);
    m_verdict.why = describeRankSet(m_verdict.ranks) + " waits for itself: " + own->evidence +
                    (hasOtherThreads ? ", unless another of its threads is about to send it" : "");
    return true;
}

void Judge::nameTogether(Kind kind, RankSet ranks, double confidence) {
    WaitEnd end;
    std::sort(ranks.begin(), ranks.end());
    ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
    end.ranks = std::move(ranks);
    describeWaiting(m_job.size(), m_waits, end);
    name(kind, std::move(end), confidence);
}

std::string Judge::describe(const MisfitMessage &misfit) {
    const bool isOfOther = misfit.awaitedFrom != none && misfit.awaitedFrom != misfit.from;
    if (misfit.awaitedBy != none)
        return "rank " + std::to_string(misfit.awaitedBy) + " waits for a message of rank " + std::to_string(misfit.from) +
               ", which sent one with this tag to rank " + std::to_string(misfit.to) + ", which does not ask for it";
    return "rank " + std::to_string(misfit.to) + " waits for a message of " +
           (misfit.awaitedFrom == none ? "any rank" : "rank " + std::to_string(misfit.awaitedFrom)) +
           (misfit.awaitedTag == none ? "" : " with tag " + std::to_string(misfit.awaitedTag)) + ", and one " +
           (isOfOther || misfit.awaitedFrom == none ? "of rank " + std::to_string(misfit.from) + " " : "") + "with tag " +
           std::to_string(misfit.sentTag) + (misfit.otherCommunicator ? " on another communicator" : "") +
           " was sent that it does not ask for";
}

WaitEnd Judge::heaviestOf(const RankSet &ranks) const {
    constexpr std::size_t mostCompared = 64; // each costs as much as the graph
    WaitEnd best;
    if (ranks.size() <= mostCompared)
        for (const Rank rank : ranks) {
            WaitEnd end;
            end.ranks = {rank};
            describeWaiting(m_job.size(), m_waits, end);
            if (best.ranks.empty() || end.waiting > best.waiting)
                best = std::move(end);
            else if (end.waiting == best.waiting)
                best.ranks.push_back(rank);
        }
    else
        best.ranks = ranks;
    describeWaiting(m_job.size(), m_waits, best);
    return best;
}

bool Judge::isComputing() {
    // Who probes by the way, and needs nothing of others, does something else as well.
    const auto asksByTheWay = [&](Rank rank) {
        return doing(rank) == Doing::PointToPoint && m_job.isInMpi(rank) &&
               m_job.mpiCall(rank).kind == MpiCall::Kind::ProbeOnce && m_job.activity(rank).need == Activity::Need::Met;
    };
    auto end = heaviest([&](Rank rank) {
        return doing(rank) == Doing::Computing || doing(rank) == Doing::NotStarted || asksByTheWay(rank) ||
               idleLoopOf(m_job, rank).has_value();
    });
    if (!end)
        return false;
    const double confidence = end->confidence;
    name(Kind::Computing, std::move(*end), confidence);
    for (const Rank rank : m_verdict.ranks)
        if (std::optional<IdleLoop> loop = idleLoopOf(m_job, rank))
            m_verdict.loops.push_back(std::move(*loop));
    if (!m_verdict.loops.empty()) {
        nameLoops(confidence);
        return true;
    }
    findFunctionLoops();
    if (std::ranges::all_of(m_verdict.ranks, [this](Rank rank) { return isInFileLock(rank); })) {
        constexpr double notTheHolder = 0.4; // they wait for each other, or for another process
        m_verdict.confidence = std::min(m_verdict.confidence, notTheHolder);
    }
    const bool between = m_job.activity(m_verdict.ranks.front()).callPath == none;
    const bool one = m_verdict.ranks.size() == 1;
    if (std::ranges::all_of(m_verdict.ranks, [this](Rank rank) { return doing(rank) == Doing::NotStarted; })) {
        m_verdict.why = describeRankSet(m_verdict.ranks) + (one ? " has" : " have") + " not begun; " + waitingClause();
        return true;
    }
    if (std::ranges::all_of(m_verdict.ranks, asksByTheWay)) {
        // Those who wait for them ask in the same place, and went on there without a message less often: that tells nothing.
        const auto isThere = [&](Rank rank) {
            return m_job.state.tasks[rank].mpiPath == m_job.state.tasks[m_verdict.ranks.front()].mpiPath;
        };
        if (std::ranges::all_of(m_verdict.ranks, isThere) && std::ranges::all_of(m_waiting, isThere)) {
            m_verdict = {};
            m_verdict.why = describeRankSet(m_waiting) + " and others ask in " + functionsOf(m_waiting) +
                            " again and again, and none of them is sent what it asks for; who owes it cannot be told";
            m_waiting = {};
            return true;
        }
        // What it asks for may all the same be what it needs, and another one owe it.
        m_verdict.confidence = std::min(m_verdict.confidence, either);
        m_verdict.why = describeRankSet(m_verdict.ranks) + (one ? " asks" : " ask") + " in " + functionsOf(m_verdict.ranks) +
                        " again and again, and went on without a message before; " + waitingClause();
        return true;
    }
    m_verdict.why =
        describeRankSet(m_verdict.ranks) + (one ? " is " : " are ") +
        (between ? "between the recorded calls: computing or gone" : "outside MPI, in " + functionsOf(m_verdict.ranks)) + "; " +
        waitingClause();
    return true;
}

void Judge::findFunctionLoops() {
    if (m_waiting.empty())
        return;
    Tick since = 0;
    for (const Rank rank : m_waiting)
        since = std::max(since, m_job.activity(rank).since);
    for (const Rank rank : m_verdict.ranks)
        if (std::optional<FunctionLoop> loop = functionLoopOf(m_job, rank, std::max(since, lastMpiReturn(rank))))
            m_verdict.functionLoops.push_back(*loop);
}

bool Judge::isInFileLock(Rank rank) const {
    std::string name = m_job.functionOf(rank);
    name.erase(0, name.find_first_not_of('_')); // the C library's own names: __flock
    return name.find("fcntl") != std::string::npos || name == "flock" || name == "lockf" || name == "lockf64";
}

void Judge::nameLoops(double confidence) {
    constexpr double mayBeWork = 0.9;     // assumed; how long it takes, compared with earlier, is judged elsewhere
    constexpr double doesMore = 0.45;     // less than even: then it may work
    constexpr double mayBeAnswered = 0.4; // it asks for what another may owe it: then it is not the one that holds them up
    const bool asks = std::ranges::any_of(m_verdict.loops, &IdleLoop::asksOthers);
    const bool works = std::ranges::any_of(m_verdict.loops, &IdleLoop::mayWork);
    m_verdict.confidence = std::min(confidence, asks ? mayBeAnswered : works ? doesMore : mayBeWork);
    const IdleLoop &loop = m_verdict.loops.front();
    m_verdict.why = describeRankSet({loop.rank}) + " makes " + m_job.trace.region(loop.calls.front()).name +
                    " again and again, " + plural(loop.turns, "time") + " so far, and nothing comes of it; " + waitingClause();
}

bool Judge::isStuckInCall() {
    auto end = heaviest([&](Rank rank) {
        const Activity &activity = m_job.activity(rank);
        return activity.kind == Doing::OtherMpi || activity.kind == Doing::Finalizing || activity.need == Activity::Need::Met;
    });
    if (!end)
        return false;
    if (nameIntercepted(end->ranks, end->confidence) || nameLeftOutStart(end->ranks) || nameDisagreed(end->ranks))
        return true;
    if (nameOddGroupOfStuck(*end))
        return true;
    double confidence = end->confidence;
    for (const Rank rank : end->ranks)
        confidence = std::min(confidence, end->confidence * m_job.activity(rank).confidence);
    if (end->ranks.size() == 1 && nameUnmarkedParts(end->ranks.front(), confidence))
        return true;
    constexpr double oneOfThem = 0.45; // less than even: nothing prefers any of those that stand in one collective
    if (areInOneCollective(end->ranks))
        confidence = std::min(confidence, oneOfThem);
    name(Kind::StuckInCall, std::move(*end), confidence);
    const bool one = m_verdict.ranks.size() == 1;
    m_verdict.why = describeRankSet(m_verdict.ranks) + (one ? " is" : " are") + " inside " + functionsOf(m_verdict.ranks) +
                    ", and nothing that the call needs of others is missing; " + waitingClause();
    if (one) {
        m_verdict.lostMessages = lostMessages(m_job, m_verdict.ranks.front());
        nameSenderInsideToo(confidence);
    }
    return true;
}

bool Judge::nameOddGroupOfStuck(const WaitEnd &end) {
    const auto isInEpoch = [&](Rank rank) { return m_job.isInMpi(rank) && m_job.mpiCall(rank).ofWindow; };
    if (end.ranks.size() != 1 || !isInEpoch(end.ranks.front()))
        return false;
    RankSet members;
    for (Rank rank = 0; rank < m_job.size(); ++rank)
        if (isInEpoch(rank))
            members.push_back(rank);
    std::optional<HabitBreak> odd = onlyOddGroup(m_job, m_waits, members, end.ranks);
    if (!odd || odd->rank == end.ranks.front())
        return false;
    name(Kind::StuckInCall, end, rather);
    odd->amongst = m_verdict.ranks;
    odd->waiting = m_verdict.waiting;
    nameInstead(std::move(*odd), rather);
    return true;
}

bool Judge::hasFaultIn(const RankSet &ranks) const {
    return std::ranges::any_of(ranks, [this](Rank rank) {
        const ProcessEnd &end = m_job.trace.processes[rank].end;
        constexpr auto faults = std::to_array<std::int32_t>({SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL});
        return end.kind == ProcessEnd::Kind::Signalled && std::ranges::find(faults, end.value) != faults.end();
    });
}

bool Judge::nameDisagreed(const RankSet &ranks) {
    const OpenCall &open = m_job.open(ranks.front());
    constexpr double longEnough = 5; // seconds that no collective takes by itself (verdict/Standstill)
    const double silent = m_job.trace.seconds(m_job.state.at) -
                          m_job.trace.seconds(std::max(m_job.activity(ranks.front()).since, m_job.state.lastEvent));
    if (!open.isCollective || open.source != OpenCall::Source::Recorded || (silent < longEnough && !hasFaultIn(ranks)))
        return false;
    const std::optional<CollectiveDisagreement> found = findDisagreement(m_job.trace, m_work);
    if (!found || found->communicator != open.collective.communicator || found->number > m_job.openNumber(ranks.front()))
        return false;
    constexpr double byEarlier = 0.8; // assumed: it fits, and nothing else is known to hold them up
    constexpr double survived = 0.45; // less than even: others like it did no harm
    RankSet odd;
    std::string parties;
    for (auto party = found->parties.begin(); party != found->parties.end(); ++party) {
        const bool isOdd = found->isEven || party != found->parties.begin();
        if (isOdd)
            odd.insert(odd.end(), party->ranks.begin(), party->ranks.end());
        parties += (parties.empty() ? "" : ", ") + describeRankSet(party->ranks) + " made it as " +
                   laggard::describeCollective(m_job.trace, party->kind, found->difference) +
                   (party->callPath == none ? std::string() : callPlaceInBrackets(m_job.trace, party->callPath));
    }
    std::sort(odd.begin(), odd.end());
    nameTogether(Kind::Mismatch, std::move(odd), found->instances > 1 ? survived : byEarlier);
    m_verdict.why = describeRankSet(ranks) + (ranks.size() == 1 ? " stands in " : " stand in ") + functionsOf(ranks) +
                    ", and collective " + std::to_string(found->number + 1) + " on " +
                    describeCommunicator(m_job.trace, found->communicator) + " did not fit: " + parties;
    return true;
}

bool Judge::areInOneCollective(const RankSet &ranks) const {
    const OpenCall &first = m_job.open(ranks.front());
    return ranks.size() > 1 && std::ranges::all_of(ranks, [&](Rank rank) {
               const OpenCall &open = m_job.open(rank);
               return open.isCollective && open.collective.communicator == first.collective.communicator &&
                      m_job.openNumber(rank) == m_job.openNumber(ranks.front());
           });
}

bool Judge::nameUnmarkedParts(Rank receiver, double confidence) {
    const std::vector<LostMessage> lost = lostMessages(m_job, receiver);
    const auto message = std::ranges::find_if(lost, &LostMessage::inPartitions);
    if (message == lost.end())
        return false;
    std::optional<LeftOutAct> act = onlyLeftOutStart(m_job, {message->from});
    if (act && m_job.calls[act->callPath].marksPartitions && lastStartedSendOf(*act) == receiver) {
        act->creditor = receiver;
        nameStartLeftOut(*act);
        return true;
    }
    constexpr double oneOfTwo = 0.5; // nothing prefers either: which part the receiver asks for is not recorded
    nameTogether(Kind::StuckInCall, {message->from, receiver}, std::min(confidence, oneOfTwo));
    m_verdict.lostMessages = {*message};
    m_verdict.why = "rank " + std::to_string(message->from) + " has started the send in partitions that rank " +
                    std::to_string(receiver) + " waits for in " + functionsOf({receiver}) +
                    ", and need not have marked all of them ready";
    return true;
}

void Judge::nameSenderInsideToo(double confidence) {
    const std::vector<LostMessage> lost = m_verdict.lostMessages;
    const auto inside = std::find_if(lost.begin(), lost.end(), [this](const LostMessage &message) {
        return std::any_of(m_waits.begin(), m_waits.end(), [&](const Wait &wait) {
            return wait.isSend && wait.waiters.front() == message.from && contains(wait.on, message.to);
        });
    });
    if (inside == lost.end())
        return;
    constexpr double oneOfTwo = 0.5; // nothing prefers either
    nameTogether(Kind::StuckInCall, {std::min(inside->from, inside->to), std::max(inside->from, inside->to)},
                 std::min(confidence, oneOfTwo));
    m_verdict.lostMessages = {*inside};
    m_verdict.why = "rank " + std::to_string(inside->from) + " is still inside " + functionsOf({inside->from}) +
                    ", which sends the message that rank " + std::to_string(inside->to) + " waits for in " +
                    functionsOf({inside->to}) + ": one of them is stuck in its call";
}

Tick Judge::lastMpiReturn(Rank rank) const {
    const LocationIndex location = m_job.location(rank);
    if (doing(rank) != Doing::Computing || location >= m_job.trace.locations.size())
        return 0;
    const Track &track = m_job.trace.locations[location].events.track;
    const auto entered = std::upper_bound(track.start.begin(), track.start.end(), m_job.state.at);
    auto row = static_cast<std::uint32_t>(entered - track.start.begin());
    while (row-- > 0)
        if (track.end[row] <= m_job.state.at && m_job.calls[track.callPath[row]].isMpi())
            return track.end[row];
    return 0;
}

Tick Judge::beganToLeave(Rank rank) const {
    const LocationEvents *events = m_job.trace.mainEvents(rank);
    const Tick left = m_job.activity(rank).since;
    if (events == nullptr || m_job.trace.isSummary)
        return left;
    const Track &track = events->track;
    for (std::uint32_t row = track.size(); row-- > 0;)
        if (const MpiCall &call = m_job.calls[track.callPath[row]]; call.kind == MpiCall::Kind::Finalize)
            return std::min(left, track.start[row]);
        else if (call.isMpi() && track.start[row] <= m_job.state.at)
            break;
    return left;
}

void Judge::describeTime() {
    RankSet concerned = m_verdict.ranks;
    concerned.insert(concerned.end(), m_waiting.begin(), m_waiting.end());
    std::sort(concerned.begin(), concerned.end());
    // Who asks again and again begins anew all the time, and nothing changes by that.
    const auto asks = [this](Rank rank) { return m_job.isInMpi(rank) && m_job.mpiCall(rank).isPoll(); };
    const bool allAsk = std::all_of(concerned.begin(), concerned.end(), asks);
    m_verdict.since = concerned.empty() ? m_job.state.at : 0;
    for (const Rank rank : concerned) {
        const auto loop = std::ranges::find(m_verdict.loops, rank, &IdleLoop::rank);
        if (loop != m_verdict.loops.end())
            m_verdict.since = std::max(m_verdict.since, loop->since);
        else if (const auto moving = std::ranges::lower_bound(m_verdict.functionLoops, rank, {}, &FunctionLoop::rank);
                 moving != m_verdict.functionLoops.end() && moving->rank == rank)
            m_verdict.since = std::max(m_verdict.since, moving->since);
        else if (isGone(rank))
            m_verdict.since = std::max(m_verdict.since, beganToLeave(rank));
        else if (allAsk || !asks(rank))
            m_verdict.since = std::max({m_verdict.since, m_job.activity(rank).since, lastMpiReturn(rank)});
    }
    m_verdict.everybodyWaits = !concerned.empty() && !m_job.trace.part.ranks;
    for (Rank rank = 0; rank < m_job.size() && m_verdict.everybodyWaits; ++rank)
        m_verdict.everybodyWaits = doing(rank) == Doing::Finished || doing(rank) == Doing::Unknown || contains(concerned, rank);
}

WaitForVerdict judgeWaits(const JobView &job, const std::vector<Wait> &waits, const MissingSendsOf &missingSends,
                          const Work &work) {
    return Judge(job, waits, missingSends, work).judge();
}

} // namespace laggard
