// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/waitfor/Judge.h"

#include "analysis/waitfor/CommonCourse.h"
#include "analysis/waitfor/CommunicatorNames.h"
#include "analysis/waitfor/InterceptedMessages.h"
#include "analysis/waitfor/LeftOutActs.h"
#include "analysis/waitfor/MisfitMessages.h"
#include "analysis/waitfor/ReceivedMessages.h"
#include "analysis/waitfor/UnusualCall.h"
#include "trace/Quantity.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

namespace laggard {

bool Judge::leftEarly() {
    if (!ranksDoing({Doing::Computing}).empty())
        return false;
    RankSet gone;
    for (const Wait &wait : m_waits) {
        // Who waits for any of several may still be answered by those who are there: that the others have gone holds nobody up.
        const bool mayBeAnswered =
            isForAnyOfSeveral(wait) && !std::ranges::all_of(wait.on, [&](Rank rank) { return isGone(rank); });
        if (doing(wait.waiters.front()) != Doing::Finalizing && !mayBeAnswered)
            std::copy_if(wait.on.begin(), wait.on.end(), std::back_inserter(gone), [&](Rank rank) { return isGone(rank); });
    }
    std::sort(gone.begin(), gone.end());
    gone.erase(std::unique(gone.begin(), gone.end()), gone.end());
    if (gone.empty())
        return false;
    WaitEnd best = heaviestOf(gone);
    const double confidence = best.confidence;
    const RankSet waiting = best.waitingRanks;
    if (nameIntercepted(waiting, confidence) || nameEndsOfMisfit(best.ranks, waiting, confidence) ||
        nameStartLeftOutBy(gone, waiting) || nameUnserved(best.ranks) || nameUntaken(best.ranks) || nameExtraCall(best.ranks) ||
        nameSendLeftOut(gone, waiting))
        return true;
    if (nameMissingSendOf(best.ranks) || nameAsksOnceMore())
        return true;
    name(Kind::LeftEarly, std::move(best), confidence);
    const RankSet &ranks = m_verdict.ranks;
    const bool finalizing = doing(ranks.front()) == Doing::Finalizing;
    m_verdict.why = describeRankSet(ranks) +
                    (finalizing ? (ranks.size() == 1 ? " is in MPI_Finalize" : " are in MPI_Finalize")
                                : (ranks.size() == 1 ? " has finished" : " have finished")) +
                    " while " + waitingClause();
    return true;
}

bool Judge::nameEndsOfMisfit(const RankSet &senders, const RankSet &receivers, double confidence) {
    const std::optional<Misfits> misfits = findMisfits(m_job, senders, receivers);
    if (!misfits)
        return false;
    const MisfitMessage misfit = misfits->first;
    const bool isOfOther = misfit.awaitedFrom != none && misfit.awaitedFrom != misfit.from;
    if (isOfOther && !misfit.isHeld) { // such are taken later on, as before; tags may differ from round to round
        const TakenBefore taken = takenBefore(m_job, misfit);
        if (taken.asSent || (taken.ofSender && misfit.sentTag == misfit.awaitedTag))
            return false;
    }
    constexpr double eitherOrder = 0.5; // it may be for a later receive, and what is awaited was not sent
    nameTogether(Kind::Misfit, isOfOther ? RankSet{misfit.awaitedFrom, misfit.to} : RankSet{misfit.from, misfit.to},
                 isOfOther && !misfit.isHeld ? std::min(confidence, eitherOrder) : confidence);
    m_verdict.misfit = misfit;
    m_verdict.why = describe(misfit);
    return true;
}

bool Judge::nameUnserved(const RankSet &gone) {
    const auto wait = std::find_if(m_waits.begin(), m_waits.end(), [&](const Wait &w) {
        return w.anyOf && w.kind == Wait::Kind::PointToPoint && w.on.size() > 1 &&
               std::any_of(w.on.begin(), w.on.end(), [&](Rank rank) { return contains(gone, rank); }) &&
               std::all_of(w.on.begin(), w.on.end(), [&](Rank rank) { return isGone(rank); });
    });
    if (wait == m_waits.end())
        return false;
    if (nameUsualSender(*wait) || nameShortSender(*wait) || nameUnusualSender(*wait))
        return true;
    nameTogether(Kind::NoSender, wait->waiters, wait->confidence);
    m_verdict.why = wait->evidence + "; they have finished, or are in MPI_Finalize";
    return true;
}

bool Judge::nameIntercepted(const RankSet &receivers, double confidence) {
    const std::optional<InterceptedMessage> found = findIntercepted(m_job, receivers);
    if (!found)
        return false;
    constexpr double thisOrder = 0.8;
    nameTogether(Kind::Intercepted, {found->receiver},
                 std::min(confidence, found->isProbe && found->left != none ? either
                                      : found->isInDoubt                    ? rather
                                                                            : thisOrder));
    m_verdict.intercepted = found;
    if (found->isProbe) {
        const std::string taken = describeRankSet({found->taken});
        m_verdict.why = describeRankSet({found->receiver}) + " took a message of " + taken +
                        " by a matched probe, and no receive of it followed" +
                        (found->left == none ? "" : "; " + taken + " waits for that in " + m_job.functionOf(found->taken));
        return true;
    }
    m_verdict.why = "rank " + std::to_string(found->receiver) + " waits for a message of rank " + std::to_string(found->taken) +
                    ", and its receive " + (found->anySource ? "from any source" : "with any tag") +
                    " took one; the message of rank " + std::to_string(found->left) + " lies unreceived";
    return true;
}

bool Judge::nameAbandoned(const RankSet &receivers, double confidence) {
    std::optional<InterceptedMessage> found = findAbandoned(m_job, receivers);
    if (!found)
        return false;
    // It may be waited for later.
    nameTogether(Kind::Intercepted, {found->receiver}, std::min(confidence, agreed));
    m_verdict.why = "rank " + std::to_string(found->receiver) + " waits for a message of rank " + std::to_string(found->taken) +
                    ", and an earlier receive of its own that it does not wait for has taken one";
    m_verdict.intercepted = std::move(found);
    return true;
}

bool Judge::nameExtraCall(const RankSet &gone) {
    RankSet waiters;
    const Wait *first = nullptr;
    for (const Wait &wait : m_waits) {
        if (doing(wait.waiters.front()) == Doing::Finalizing ||
            std::none_of(wait.on.begin(), wait.on.end(), [&](Rank rank) { return contains(gone, rank); }))
            continue;
        if (wait.kind != Wait::Kind::Collective)
            return false;
        waiters.insert(waiters.end(), wait.waiters.begin(), wait.waiters.end());
        first = first == nullptr ? &wait : first;
    }
    if (first == nullptr || waiters.size() >= gone.size())
        return false;
    constexpr double fewerAreOdd = 0.8; // the others may have left out the call
    nameTogether(Kind::Mismatch, std::move(waiters), fewerAreOdd * first->confidence);
    m_verdict.why = (first->instance == none ? first->evidence : describeCollective(*first)) + ", to which " +
                    describeRankSet(first->on) + (first->on.size() == 1 ? " has" : " have") +
                    " not come: they have finished, or are in MPI_Finalize";
    return true;
}

RankSet Judge::passed(CommunicatorId communicator, std::uint32_t instance) const {
    RankSet ranks;
    for (Rank rank = 0; rank < m_job.size(); ++rank)
        if (m_job.completed(rank, communicator) > instance)
            ranks.push_back(rank);
    return ranks;
}

std::string Judge::describeCollective(const Wait &wait) const {
    const Rank first = wait.waiters.front();
    const CallPathId path = m_job.state.tasks[first].mpiPath;
    RankSet inside;
    for (const Wait &each : m_waits)
        if (each.kind == wait.kind && each.communicator == wait.communicator && each.instance == wait.instance)
            inside.insert(inside.end(), each.waiters.begin(), each.waiters.end());
    std::ranges::sort(inside);
    inside.erase(std::unique(inside.begin(), inside.end()), inside.end());
    const bool isOne = std::ranges::all_of(inside, [&](Rank r) { return m_job.state.tasks[r].mpiPath == path; });
    const CallPathId started = m_job.open(first).collectiveStartedBy;
    return describeRankSet(inside) + (inside.size() == 1 ? " is in " : " are in ") + m_job.functionOf(first) +
           (isOne ? callPlaceInBrackets(m_job.trace, path) : std::string()) +
           (isOne && started != none ? ", for the " + nameWithPlace(m_job.trace, started) : "") + ", collective " +
           std::to_string(wait.instance + 1) + " on " + describeCommunicator(m_job.trace, wait.communicator);
}

/// ", where rank 1 was on MPI_COMM_WORLD 5 times before"
std::string Judge::usualCommunicator(const OddCommunicator &odd) const {
    return ", where " + describeRankSet({odd.rank}) + " was on " + describeCommunicator(m_job.trace, odd.usual) + " " +
           plural(odd.times, "time") + " before";
}

bool Judge::nameOddCollective(const RankSet &members) {
    std::map<std::pair<CommunicatorId, std::uint32_t>, RankSet> groups;
    std::vector<const Wait *> shown;
    RankSet waiters;
    double confidence = 1;
    for (const Wait &wait : m_waits) {
        const bool isWithin =
            std::any_of(wait.waiters.begin(), wait.waiters.end(), [&](Rank r) { return contains(members, r); }) &&
            std::any_of(wait.on.begin(), wait.on.end(), [&](Rank r) { return contains(members, r); });
        if (!isWithin)
            continue;
        if (wait.kind != Wait::Kind::Collective || wait.communicator == none)
            return false;
        RankSet &group = groups[{wait.communicator, wait.instance}];
        if (group.empty()) {
            shown.push_back(&wait);
            group = passed(wait.communicator, wait.instance);
        }
        group.insert(group.end(), wait.waiters.begin(), wait.waiters.end());
        confidence = std::min(confidence, wait.confidence);
        waiters.insert(waiters.end(), wait.waiters.begin(), wait.waiters.end());
    }
    if (groups.size() < 2)
        return false;
    std::sort(waiters.begin(), waiters.end());
    waiters.erase(std::unique(waiters.begin(), waiters.end()), waiters.end());
    std::set<Rank> all;
    auto most = groups.begin();
    for (auto group = groups.begin(); group != groups.end(); ++group) {
        std::sort(group->second.begin(), group->second.end());
        all.insert(group->second.begin(), group->second.end());
        most = group->second.size() > most->second.size() ? group : most;
    }
    RankSet odd;
    const std::optional<OddCommunicator> other = onlyOddCommunicator(m_job, waiters);
    if (2 * most->second.size() > all.size()) {
        for (auto group = groups.begin(); group != groups.end(); ++group)
            if (group != most)
                std::set_difference(group->second.begin(), group->second.end(), most->second.begin(), most->second.end(),
                                    std::back_inserter(odd));
    } else if (other) {
        odd = {other->rank};
        confidence = std::min(confidence, other->confidence);
    } else if (UnusualCall unusual; const auto only = onlyUnusual(m_job, members, unusual)) {
        odd = {*only};
        confidence = std::min(confidence, unusual.confidence);
        m_verdict.unusual = unusual;
    } else {
        return false;
    }
    nameTogether(Kind::Mismatch, std::move(odd), confidence);
    describeOddOnes(shown, other);
    return true;
}

void Judge::addParting() {
    if (m_verdict.ranks.size() != 1)
        return;
    const Rank rank = m_verdict.ranks.front();
    const std::optional<CourseLeft> left = onlyOneOffCourse(m_job, {}, {rank});
    const LocationEvents *events = m_job.trace.mainEvents(rank);
    if (!left || events == nullptr || left->row >= m_job.openRow(rank))
        return;
    m_verdict.parting = {rank, events->track.callPath[left->row], left->expected, events->track.start[left->row], left->alike};
}

void Judge::describeOddOnes(std::vector<const Wait *> shown, const std::optional<OddCommunicator> &other) {
    constexpr std::ptrdiff_t most = 3; // among the others, and among those that are odd
    const auto isOdd = [&](const Wait *wait) {
        return std::ranges::any_of(wait->waiters, [&](Rank r) { return contains(m_verdict.ranks, r); });
    };
    const auto pathOf = [&](const Wait *wait) { return m_job.state.tasks[wait->waiters.front()].mpiPath; };
    const auto odd = std::stable_partition(shown.begin(), shown.end(), [&](const Wait *wait) { return !isOdd(wait); });
    // What others do in the same place of the program is what the odd one should; the rest follows from it.
    auto end = odd;
    if (odd != shown.end())
        end = std::stable_partition(shown.begin(), odd, [&](const Wait *wait) { return pathOf(wait) == pathOf(*odd); });
    if (end == shown.begin())
        end = odd;
    for (auto wait = shown.begin(); wait != end && wait - shown.begin() < most; ++wait)
        m_verdict.why += (wait == shown.begin() ? "" : "; ") + describeCollective(**wait);
    for (auto wait = odd; wait != shown.end() && wait - odd < most; ++wait)
        m_verdict.why += (wait != odd            ? "; "
                          : odd == shown.begin() ? ""
                                                 : ", but ") +
                         describeCollective(**wait) +
                         (other && contains((*wait)->waiters, other->rank) ? usualCommunicator(*other) : std::string());
}

bool Judge::nameUntaken(const RankSet &gone) {
    RankSet ranks;
    double confidence = 1;
    std::string evidence;
    for (const Wait &wait : m_waits) {
        const bool concerns = std::any_of(wait.on.begin(), wait.on.end(), [&](Rank rank) { return contains(gone, rank); });
        if (!concerns || doing(wait.waiters.front()) == Doing::Finalizing)
            continue;
        if (!wait.isSend)
            return false; // they were needed for other things as well
        ranks.insert(ranks.end(), wait.waiters.begin(), wait.waiters.end());
        ranks.insert(ranks.end(), wait.on.begin(), wait.on.end());
        confidence = std::min(confidence, wait.confidence);
        evidence += (evidence.empty() ? "" : "; ") + wait.evidence;
    }
    if (ranks.empty())
        return false;
    nameTogether(Kind::NeverReceived, std::move(ranks), confidence);
    m_verdict.why = evidence + ", which " + (gone.size() == 1 ? "has" : "have") + " finished, or finalizes";
    return true;
}

bool Judge::nameMissingSendOf(const RankSet &gone) {
    constexpr double fairlySure = 0.7; // that it went too early is what is seen
    std::vector<MissingSend> found = missingSends(gone);
    if (found.empty() || found.front().confidence < fairlySure)
        return false;
    m_verdict.missingSends = std::move(found);
    nameMissingSend();
    return true;
}

std::vector<Rank> Judge::receivedBy(Rank rank, CallPathId path) const {
    std::vector<Rank> senders;
    const LocationEvents *events = m_job.trace.mainEvents(rank);
    for (std::uint32_t i = 0; events != nullptr && i < events->receives.size() && events->receives.time[i] <= m_job.state.at; ++i)
        if (const CallPathId call = receivingCall(*events, i); call != none && m_job.trace.isSameCall(call, path))
            senders.push_back(events->envelopes[events->receives.envelope[i]].peer);
    return senders;
}

bool Judge::nameAsksOnceMore() {
    const auto isThere = [this](const Wait &each) { return doing(each.waiters.front()) != Doing::Finalizing; };
    const auto wait = std::ranges::find_if(m_waits, isThere);
    if (wait == m_waits.end() || std::ranges::count_if(m_waits, isThere) != 1 || wait->kind != Wait::Kind::PointToPoint ||
        wait->isSend || wait->on.size() != 1 || m_job.trace.isSummary)
        return false;
    const Rank waiter = wait->waiters.front();
    const Rank asked = wait->on.front();
    if (m_job.trace.processes[waiter].eventsFrom != 0 || m_job.trace.isDamaged(waiter))
        return false;
    for (Rank rank = 0; rank < m_job.size(); ++rank)
        if (rank != waiter && !isGone(rank))
            return false;
    // By the call that waits now: one of each in turn, and it is the turn of this one.
    const std::vector<Rank> senders =
        receivedBy(waiter, wait->startedBy == none ? m_job.state.tasks[waiter].mpiPath : wait->startedBy);
    const std::set<Rank> all(senders.begin(), senders.end());
    constexpr std::size_t fewestAlike = 3; // with one other, either may be the odd one (CommonCourse)
    if (all.size() < fewestAlike || senders.size() % all.size() != 0 || senders.front() != asked)
        return false;
    for (std::size_t i = all.size(); i < senders.size(); ++i)
        if (senders[i] != senders[i - all.size()])
            return false;
    // It asks once too often, or the other one left out its last.
    nameTogether(Kind::NoSender, {waiter}, std::min(either, wait->confidence));
    const std::string who = describeRankSet({asked});
    m_verdict.why = who + (doing(asked) == Doing::Finalizing ? " is in MPI_Finalize" : " has finished") + ", and sent it " +
                    plural(senders.size() / all.size(), "message") + ", as did each of the " +
                    plural(all.size() - 1, "other rank") + ": it asks once too often, or " + who + " left out its last";
    return true;
}

bool Judge::nameStartLeftOutBy(const RankSet &gone, const RankSet &waiting) {
    RankSet concerned = gone;
    concerned.insert(concerned.end(), waiting.begin(), waiting.end());
    std::ranges::sort(concerned);
    concerned.erase(std::unique(concerned.begin(), concerned.end()), concerned.end());
    const std::optional<LeftOutAct> act = onlyLeftOutStart(m_job, concerned);
    return (act && nameLeftOutStart(concerned)) || nameStartLeftOutOnce(gone);
}

bool Judge::nameStartLeftOutOnce(const RankSet &gone) {
    std::optional<LeftOutAct> only;
    for (const Wait &wait : m_waits) {
        const Rank waiter = wait.waiters.front();
        const CallPathId start = m_job.open(waiter).collectiveStartedBy;
        if (wait.kind != Wait::Kind::Collective || start == none || !m_job.calls[start].startsRequest || !m_job.isInMpi(waiter))
            continue;
        for (const Rank rank : wait.on) {
            std::optional<LeftOutAct> act =
                contains(gone, rank) ? startLeftOutOnce(m_job, rank, start, m_job.state.tasks[waiter].mpiPath) : std::nullopt;
            if (act && only && only->debtor != rank)
                return false;
            if (act && !only) {
                act->creditor = waiter;
                only = act;
            }
        }
    }
    if (!only)
        return false;
    nameStartLeftOut(*only);
    return true;
}

bool Judge::nameSendLeftOut(const RankSet &gone, const RankSet &waiting) {
    RankSet concerned = gone;
    concerned.insert(concerned.end(), waiting.begin(), waiting.end());
    std::sort(concerned.begin(), concerned.end());
    const std::vector<LeftOutAct> acts = leftOutActs(m_job, m_waits, concerned);
    return std::ranges::count_if(acts, [&](const LeftOutAct &act) { return contains(gone, act.debtor); }) == 1 &&
           acts.size() == 1 && acts.front().what == LeftOutAct::What::Send && !acts.front().isOver &&
           nameLeftOut(concerned, false);
}

} // namespace laggard
