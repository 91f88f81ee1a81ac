// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/waitfor/QueueWaits.h"
#include "analysis/waitfor/WaitComponents.h"
#include "trace/Phrases.h"
#include "trace/Quantity.h"

#include <algorithm>

namespace laggard {
namespace {

using VerdictKind = WaitForVerdict::Kind;
using Why = QueueStop::Why;

// How sure each of them is: assumed. Both real dumps at hand bear out the first and the third.
double sureness(Why why) {
    switch (why) {
    case Why::NotEnqueued:
        return 0.9; // it may be on its way still, in a job that goes on
    case Why::NotStarted:
        return 0.85;
    case Why::NotCompleted:
        return 0.85; // it may only have looked later than the others
    case Why::NoDump:
        return 0.7; // it may have died of what the others suffer from
    case Why::Together:
        return 0.3; // which of them it is cannot be told
    }
    return 0;
}

class QueueJudge {
  public:
    QueueJudge(const JobView &job, const std::vector<Wait> &waits, std::vector<QueueStop> stops)
        : m_job(job), m_waits(waits), m_stops(std::move(stops)), m_ends(findWaitEnds(job.size(), waits)) {}

    WaitForVerdict judge() {
        if (!isMismatch() && !namesStops() && !isDeadlock())
            isOpen();
        describeTime();
        return std::move(m_verdict);
    }

  private:
    [[nodiscard]] const QueueStop *stopOf(Rank rank) const {
        const auto found = std::ranges::lower_bound(m_stops, rank, {}, &QueueStop::rank);
        return found == m_stops.end() || found->rank != rank ? nullptr : &*found;
    }

    void name(VerdictKind kind, RankSet ranks, double confidence) {
        WaitEnd end;
        end.ranks = std::move(ranks);
        std::ranges::sort(end.ranks);
        describeWaiting(m_job.size(), m_waits, end);
        m_verdict.kind = kind;
        m_verdict.ranks = std::move(end.ranks);
        m_verdict.waiting = end.waiting;
        m_verdict.confidence = confidence * (end.waiting == 0 ? 1 : end.confidence);
        m_waiting = std::move(end.waitingRanks);
        for (const Rank rank : m_verdict.ranks)
            if (const QueueStop *stop = stopOf(rank))
                m_verdict.stops.push_back(*stop);
    }

    bool isMismatch() {
        const auto wait = std::ranges::find_if(m_waits, [](const Wait &w) { return w.mismatch != Wait::Mismatch::None; });
        if (wait == m_waits.end())
            return false;
        RankSet ranks = wait->on;
        if (wait->mismatch == Wait::Mismatch::Even) // who is right cannot be told
            ranks.insert(ranks.end(), wait->waiters.begin(), wait->waiters.end());
        name(VerdictKind::Mismatch, std::move(ranks), wait->confidence);
        m_verdict.confidence = wait->confidence;
        m_verdict.why = wait->evidence;
        return true;
    }

    /// All ranks at which chains of waits end, and those that nobody is known to wait for, but that have not completed what
    /// others have. Those that stand in an operation together with all others of it count only if there is nobody else.
    bool namesStops() {
        RankSet awaited;
        for (const WaitEnd &end : m_ends)
            if (end.ranks.size() == 1)
                awaited.push_back(end.ranks.front());
        std::ranges::sort(awaited);
        std::vector<const QueueStop *> found;
        std::size_t silent = 0;
        for (const QueueStop &stop : m_stops) {
            silent += stop.why == Why::NoDump ? 1 : 0;
            const bool isAlone = stop.why == Why::NotCompleted || stop.why == Why::NotStarted;
            if (contains(awaited, stop.rank) || isAlone)
                found.push_back(&stop);
        }
        constexpr std::size_t few = 4; // where every fourth dump is missing, only a part was kept
        if (silent > 1 && silent * few > m_job.size())
            std::erase_if(found, [](const QueueStop *stop) { return stop->why == Why::NoDump; });
        const bool isTold = std::ranges::any_of(found, [](const QueueStop *stop) { return stop->why != Why::Together; });
        if (isTold)
            std::erase_if(found, [](const QueueStop *stop) { return stop->why == Why::Together; });
        if (found.empty())
            return false;
        RankSet ranks;
        double confidence = 1;
        VerdictKind kind = VerdictKind::StuckInCall;
        for (const QueueStop *stop : found) {
            ranks.push_back(stop->rank);
            confidence = std::min(confidence, sureness(stop->why));
            if (stop->why == Why::NotEnqueued)
                kind = VerdictKind::Computing;
        }
        if (std::ranges::all_of(found, [](const QueueStop *stop) { return stop->why == Why::NoDump; }))
            kind = VerdictKind::NoDump;
        name(kind, std::move(ranks), confidence);
        m_verdict.why = grounds();
        return true;
    }

    /// The waits that lead to those named, the surest first.
    [[nodiscard]] std::string grounds() const {
        const Wait *best = nullptr;
        for (const Wait &wait : m_waits)
            if (std::ranges::any_of(wait.on, [&](Rank rank) { return contains(m_verdict.ranks, rank); }) &&
                (best == nullptr || wait.confidence > best->confidence ||
                 (wait.confidence == best->confidence && wait.waiters.size() > best->waiters.size())))
                best = &wait;
        return best != nullptr ? best->evidence : describeRankSet(m_verdict.ranks) + ": nobody is known to wait for them";
    }

    /// Ranks that wait for each other. Where devices are only taken to work in order, it may be the order that is wrong.
    bool isDeadlock() {
        RankSet ranks;
        for (const WaitEnd &end : m_ends)
            if (end.ranks.size() > 1) {
                ranks = end.ranks;
                break;
            }
        if (ranks.empty())
            return false;
        if (nameDoubtful(ranks))
            return true;
        const bool isCertain = std::ranges::any_of(m_waits, [&](const Wait &wait) {
            return wait.confidence == 1 && std::ranges::any_of(wait.waiters, [&](Rank rank) { return contains(ranks, rank); });
        });
        constexpr double orderIsTaken = 0.5;
        name(VerdictKind::Deadlock, std::move(ranks), isCertain ? 0.75 : orderIsTaken);
        m_verdict.why = grounds();
        return true;
    }

    /// Among ranks that wait for each other, those that do so only because the other end of a message is not found: it may be
    /// complete, and the rank itself be stuck.
    bool nameDoubtful(const RankSet &cycle) {
        std::vector<Wait> surer;
        std::ranges::copy_if(m_waits, std::back_inserter(surer), [](const Wait &wait) {
            return wait.kind != Wait::Kind::PointToPoint || wait.confidence != unalignedMessage;
        });
        RankSet ranks;
        for (const WaitEnd &end : findWaitEnds(m_job.size(), surer))
            if (end.ranks.size() == 1 && contains(cycle, end.ranks.front()))
                ranks.push_back(end.ranks.front());
        if (ranks.empty() || ranks.size() == cycle.size())
            return false;
        for (const Rank rank : ranks)
            if (const LocationEvents *events = m_job.trace.mainEvents(rank); events != nullptr && !events->queue.empty()) {
                const QueuedOperation &first = events->queue.front();
                const QueueStop stop{rank, Why::NotCompleted, first.communicator(), none, first.callPath, none};
                m_stops.insert(std::ranges::lower_bound(m_stops, rank, {}, &QueueStop::rank), stop);
            }
        constexpr double eitherEnd = 0.6; // the other end may as well not have been enqueued
        std::ranges::sort(ranks);
        name(VerdictKind::StuckInCall, std::move(ranks), eitherEnd);
        m_verdict.why = grounds();
        return true;
    }

    /// Nothing is left to be done, or all have enqueued the same.
    void isOpen() {
        std::size_t busy = 0;
        for (Rank rank = 0; rank < m_job.size(); ++rank)
            if (const LocationEvents *events = m_job.trace.mainEvents(rank))
                busy += events->queue.empty() ? 0 : 1;
        const RankSet silent = withoutDump();
        if (busy == 0 && silent.empty()) {
            m_verdict.kind = VerdictKind::Finished;
            m_verdict.confidence = 1;
            m_verdict.why = "everything that was enqueued is complete, on " +
                            (m_job.size() == 1 ? "the only rank" : "all " + plural(m_job.size(), "rank"));
            return;
        }
        m_verdict.kind = VerdictKind::Unknown;
        if (busy == 0) {
            name(VerdictKind::NoDump, silent, 0.4); // what is complete everywhere else needs nothing of them
            m_verdict.why = "everything that the others have enqueued is complete";
            return;
        }
        m_verdict.why = "all have enqueued what others of their groups have, and " + plural(busy, "rank") +
                        (busy == 1 ? " has" : " have") + " operations that are not complete";
    }

    [[nodiscard]] RankSet withoutDump() const {
        RankSet ranks;
        for (const QueueStop &stop : m_stops)
            if (stop.why == Why::NoDump)
                ranks.push_back(stop.rank);
        return ranks;
    }

    void describeTime() {
        RankSet concerned = m_verdict.ranks;
        concerned.insert(concerned.end(), m_waiting.begin(), m_waiting.end());
        std::ranges::sort(concerned);
        m_verdict.since = concerned.empty() ? m_job.state.at : 0;
        for (const Rank rank : concerned)
            m_verdict.since = std::max(m_verdict.since, m_job.activity(rank).since);
        m_verdict.everybodyWaits = concerned.size() == m_job.size();
    }

    const JobView &m_job;
    const std::vector<Wait> &m_waits;
    std::vector<QueueStop> m_stops;
    std::vector<WaitEnd> m_ends;
    WaitForVerdict m_verdict;
    RankSet m_waiting;
};

} // namespace

WaitForVerdict judgeQueues(const JobView &job, const std::vector<Wait> &waits, std::vector<QueueStop> stops) {
    return QueueJudge(job, waits, std::move(stops)).judge();
}

} // namespace laggard
