// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/divergence/LogicalTime.h"

#include <algorithm>
#include <utility>

namespace laggard {
namespace {

/// Goes along the records of all ranks, each as far as what it needs of others is known.
class ClockWalk {
  public:
    ClockWalk(const Trace &trace, const std::vector<LogicalQuestion> &questions)
        : m_trace(trace),
          m_questions(questions),
          m_answers(questions.size(), 0),
          m_walkers(questions.size()),
          m_expected(trace.collectives.size(), 0),
          m_latest(trace.collectives.size(), 0),
          m_waiting(trace.collectives.size(), none) {
        for (Rank rank = 0; rank < m_walkers.size(); ++rank) {
            Walker &walker = m_walkers[rank];
            walker.events = trace.mainEvents(rank);
            if (walker.events == nullptr)
                continue;
            walker.sendClock.assign(walker.events->sends.size(), 0);
            walker.sendWaiter.assign(walker.events->sends.size(), none);
            for (const std::uint32_t instance : walker.events->collectives.instance)
                if (instance != none)
                    ++m_expected[instance];
        }
    }

    std::vector<std::uint64_t> walk(const Work &work) {
        for (Rank rank = 0; rank < m_walkers.size(); ++rank)
            m_ready.push_back(rank);
        std::size_t steps = 0;
        for (;;) {
            while (!m_ready.empty()) {
                if (++steps % 1024 == 0)
                    throwIfCancelled(work);
                const Rank rank = m_ready.back();
                m_ready.pop_back();
                advance(rank);
            }
            // What is left waits in a circle, which only damage makes: it goes on without what it waits for.
            for (Rank rank = 0; rank < m_walkers.size(); ++rank)
                if (m_walkers[rank].isBlocked)
                    release(m_walkers[rank], rank);
            if (m_ready.empty())
                return std::move(m_answers);
        }
    }

  private:
    struct Walker {
        const LocationEvents *events = nullptr;
        std::size_t send = 0;
        std::size_t receive = 0;
        std::size_t collective = 0;
        bool hasArrived = false; ///< at `collective`
        bool isBlocked = false;
        bool ignores = false; ///< what the next record waits for
        bool isAnswered = false;
        std::uint64_t clock = 0;
        std::vector<std::uint64_t> sendClock; ///< 0: not yet
        std::vector<Rank> sendWaiter;
        Rank nextWaiting = none; ///< for the same collective
        Rank blockedBy = none;   ///< if blocked: whose send it waits for; `none`: a collective
        std::uint32_t blockedOn = none;
    };

    void release(Walker &walker, Rank rank) {
        if (walker.blockedBy != none)
            m_walkers[walker.blockedBy].sendWaiter[walker.blockedOn] = none;
        else
            m_waiting[walker.events->collectives.instance[walker.collective]] = walker.nextWaiting = none;
        walker.ignores = true;
        m_ready.push_back(rank);
    }

    static Tick timeOf(const Column<Tick> &times, std::size_t position) {
        return position < times.size() ? times[position] : openEnd;
    }

    void advance(Rank rank) {
        Walker &walker = m_walkers[rank];
        walker.isBlocked = false;
        if (walker.events == nullptr)
            return;
        const LocationEvents &events = *walker.events;
        for (;;) {
            const Tick send = timeOf(events.sends.time, walker.send);
            const Tick receive = timeOf(events.receives.time, walker.receive);
            const Tick collective = timeOf(events.collectives.end, walker.collective);
            const Tick next = std::min({send, receive, collective});
            // What ends at a tick is before the call that begins at it.
            const bool isSend = walker.send < events.sends.size() && send == next && receive != next && collective != next;
            answer(rank, walker, next, isSend);
            const bool isEnd = walker.send == events.sends.size() && walker.receive == events.receives.size() &&
                               walker.collective == events.collectives.size();
            if (isEnd)
                return;
            if (isSend)
                passSend(walker);
            else if (walker.receive < events.receives.size() && receive == next ? !passReceive(rank, walker)
                                                                                : !passCollective(rank, walker))
                return;
        }
    }

    void answer(Rank rank, Walker &walker, Tick next, bool isSend) {
        const LogicalQuestion &question = m_questions[rank];
        const bool isPast = next > question.time || next == openEnd || (next == question.time && isSend && !question.after);
        if (walker.isAnswered || !isPast)
            return;
        m_answers[rank] = walker.clock;
        walker.isAnswered = true;
    }

    void passSend(Walker &walker) {
        walker.sendClock[walker.send] = ++walker.clock;
        if (const Rank waiter = walker.sendWaiter[walker.send]; waiter != none)
            m_ready.push_back(waiter);
        ++walker.send;
    }

    bool passReceive(Rank rank, Walker &walker) {
        const LocationIndex self = m_trace.processes[rank].mainLocation;
        std::uint64_t sent = 0;
        if (!std::exchange(walker.ignores, false) && walker.events->receives.match[walker.receive] != none) {
            const Message message = m_trace.messageOfReceive(self, static_cast<std::uint32_t>(walker.receive));
            const Rank sender = m_trace.locations[message.sender].rank;
            if (sender < m_walkers.size() && m_trace.processes[sender].mainLocation == message.sender) {
                sent = m_walkers[sender].sendClock[message.send];
                if (sent == 0) {
                    m_walkers[sender].sendWaiter[message.send] = rank;
                    walker.isBlocked = true;
                    walker.blockedBy = sender;
                    walker.blockedOn = message.send;
                    return false;
                }
            }
        }
        walker.clock = std::max(walker.clock, sent) + 1;
        ++walker.receive;
        return true;
    }

    bool passCollective(Rank rank, Walker &walker) {
        const std::uint32_t instance = walker.events->collectives.instance[walker.collective];
        if (instance == none) {
            ++walker.clock;
            ++walker.collective;
            return true;
        }
        if (!std::exchange(walker.hasArrived, true)) {
            m_latest[instance] = std::max(m_latest[instance], ++walker.clock);
            if (--m_expected[instance] == 0)
                for (Rank waiting = std::exchange(m_waiting[instance], none); waiting != none;
                     waiting = std::exchange(m_walkers[waiting].nextWaiting, none))
                    m_ready.push_back(waiting);
        }
        if (m_expected[instance] != 0 && !std::exchange(walker.ignores, false)) {
            walker.nextWaiting = std::exchange(m_waiting[instance], rank);
            walker.isBlocked = true;
            walker.blockedBy = none;
            return false;
        }
        walker.clock = m_latest[instance] + 1;
        walker.hasArrived = false;
        ++walker.collective;
        return true;
    }

    const Trace &m_trace;
    const std::vector<LogicalQuestion> &m_questions;
    std::vector<std::uint64_t> m_answers;
    std::vector<Walker> m_walkers;
    std::vector<std::uint32_t> m_expected; ///< by collective: members that have not arrived
    std::vector<std::uint64_t> m_latest;   ///< by collective: greatest clock of those that have
    std::vector<Rank> m_waiting;           ///< by collective: first of those that wait in it
    std::vector<Rank> m_ready;
};

} // namespace

std::vector<std::uint64_t> logicalTimes(const Trace &trace, const std::vector<LogicalQuestion> &questions, const Work &work) {
    return ClockWalk(trace, questions).walk(work);
}

} // namespace laggard
