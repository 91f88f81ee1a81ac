// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/SimulatedJob.h"

#include "tests/support/TraceBuilder.h"

#include <algorithm>
#include <cstdlib>
#include <deque>
#include <map>
#include <random>

namespace laggard::test {
namespace {

using Kind = SimulatedStep::Kind;

/// A call with its true times, and what it did.
struct DoneCall {
    Kind kind = Kind::Compute;
    Tick start = 0;
    Tick end = 0;
    std::vector<SimulatedStep> messages; ///< sent or received
};

struct Sent {
    Rank from = none;
    std::uint32_t tag = 0;
    Tick arrival = 0;
    std::uint64_t number = 0;
};

/// Runs a job step by step, the rank with the earliest clock first.
class Run {
  public:
    Run(const std::vector<std::vector<SimulatedStep>> &steps, const SimulatedMachine &machine)
        : m_steps(steps),
          m_machine(machine),
          m_next(steps.size(), 0),
          m_now(steps.size(), 1000),
          m_inbox(steps.size()),
          m_posted(steps.size()),
          m_collectives(steps.size(), 0),
          m_isCounted(steps.size(), false),
          done(steps.size()) {}

    void run() {
        while (true) {
            Rank next = none;
            for (Rank rank = 0; rank < m_steps.size(); ++rank)
                if (m_next[rank] < m_steps[rank].size() && canGo(rank) && (next == none || m_now[rank] < m_now[next]))
                    next = rank;
            if (next == none)
                break;
            go(next);
        }
        for (Rank rank = 0; rank < m_steps.size(); ++rank)
            if (m_next[rank] != m_steps[rank].size())
                std::abort(); // the test is wrong
    }

  private:
    struct Collective {
        std::size_t entered = 0;
        Tick last = 0;
        Tick rootEntry = 0;
        bool rootIn = false;
    };

    [[nodiscard]] const SimulatedStep &step(Rank rank) const { return m_steps[rank][m_next[rank]]; }
    [[nodiscard]] std::deque<Sent>::iterator findMessage(Rank rank, const SimulatedStep &wanted) {
        auto best = m_inbox[rank].end();
        for (auto sent = m_inbox[rank].begin(); sent != m_inbox[rank].end(); ++sent)
            if (sent->tag == wanted.tag && sent->from == wanted.peer &&
                (best == m_inbox[rank].end() || sent->arrival < best->arrival))
                best = sent;
        return best;
    }
    [[nodiscard]] bool canGo(Rank rank) {
        const SimulatedStep &now = step(rank);
        if (now.kind == Kind::Receive)
            return findMessage(rank, now) != m_inbox[rank].end();
        if (now.kind == Kind::Complete)
            return m_posted[rank].size() == matched(rank).size();
        if (now.kind == Kind::Barrier || now.kind == Kind::Bcast || now.kind == Kind::Reduce) {
            Collective &collective = m_instances[m_collectives[rank]];
            if (!m_isCounted[rank]) { // enters, whether it may leave or not
                m_isCounted[rank] = true;
                ++collective.entered;
                const Tick begun = m_now[rank] + m_machine.entryCost;
                collective.last = std::max(collective.last, begun);
                if (rank == now.peer) {
                    collective.rootIn = true;
                    collective.rootEntry = begun;
                }
            }
            if (now.kind == Kind::Bcast)
                return rank == now.peer || collective.rootIn;
            if (now.kind == Kind::Reduce)
                return rank != now.peer || collective.entered == m_steps.size();
            return collective.entered == m_steps.size();
        }
        return true;
    }
    /// The messages that the posted receives get, in order of posting.
    [[nodiscard]] std::vector<Sent> matched(Rank rank) {
        std::vector<Sent> found;
        std::deque<Sent> inbox = m_inbox[rank];
        for (const SimulatedStep &posted : m_posted[rank]) {
            const auto sent = std::find_if(inbox.begin(), inbox.end(),
                                           [&](const Sent &s) { return s.tag == posted.tag && s.from == posted.peer; });
            if (sent == inbox.end())
                break;
            found.push_back(*sent);
            inbox.erase(sent);
        }
        return found;
    }
    void erase(Rank rank, std::uint64_t number) {
        auto &inbox = m_inbox[rank];
        inbox.erase(std::find_if(inbox.begin(), inbox.end(), [number](const Sent &sent) { return sent.number == number; }));
    }

    void go(Rank rank) {
        const SimulatedStep now = step(rank);
        ++m_next[rank];
        Tick &time = m_now[rank];
        if (now.kind == Kind::Compute) {
            time += now.ticks;
            return;
        }
        DoneCall call{now.kind, time, 0, {}};
        time += m_machine.entryCost;
        if (now.kind == Kind::Send) {
            m_inbox[now.peer].push_back({rank, now.tag, time + m_machine.latency, m_number++});
            call.messages.push_back(now);
        } else if (now.kind == Kind::Receive) {
            const Sent sent = *findMessage(rank, now);
            time = std::max(time, sent.arrival);
            call.messages.push_back({now.kind, sent.from, sent.tag, 0});
            erase(rank, sent.number);
        } else if (now.kind == Kind::Post) {
            m_posted[rank].push_back(now);
        } else if (now.kind == Kind::Complete) {
            for (const Sent &sent : matched(rank)) {
                time = std::max(time, sent.arrival);
                call.messages.push_back({now.kind, sent.from, sent.tag, 0});
                erase(rank, sent.number);
            }
            m_posted[rank].clear();
        } else {
            const Collective &collective = m_instances[m_collectives[rank]++];
            m_isCounted[rank] = false;
            if (now.kind == Kind::Barrier || (now.kind == Kind::Reduce && rank == now.peer))
                time = std::max(time, collective.last);
            else if (now.kind == Kind::Bcast)
                time = std::max(time, collective.rootEntry);
            call.messages.push_back(now);
        }
        time += m_machine.call;
        call.end = time;
        time += m_machine.exitCost;
        done[rank].push_back(std::move(call));
    }

    const std::vector<std::vector<SimulatedStep>> &m_steps;
    const SimulatedMachine &m_machine;
    std::vector<std::size_t> m_next;
    std::vector<Tick> m_now;
    std::vector<std::deque<Sent>> m_inbox;
    std::vector<std::vector<SimulatedStep>> m_posted;
    std::vector<std::size_t> m_collectives; ///< by rank: those that it has left
    std::vector<bool> m_isCounted;          ///< by rank: it is in the next one
    std::map<std::size_t, Collective> m_instances;
    std::uint64_t m_number = 0;

  public:
    std::vector<std::vector<DoneCall>> done; ///< by rank
};

void write(TraceBuilder &builder, Rank rank, const DoneCall &call, const std::function<Tick(Tick)> &clock) {
    const Tick start = clock(call.start);
    const Tick end = clock(call.end);
    switch (call.kind) {
    case Kind::Send:
        builder.sendCall(rank, start, end, call.messages[0].peer, call.messages[0].tag);
        break;
    case Kind::Receive:
        builder.receiveCall(rank, start, end, call.messages[0].peer, call.messages[0].tag);
        break;
    case Kind::Post:
        builder.call(rank, start, end, "MPI_Irecv");
        break;
    case Kind::Complete:
        builder.enter(rank, start, "MPI_Waitall");
        for (const SimulatedStep &message : call.messages)
            builder.receive(rank, end, message.peer, message.tag);
        builder.leave(rank, end, "MPI_Waitall");
        break;
    case Kind::Barrier:
        builder.collectiveCall(rank, start, end, CollectiveOperation::Barrier);
        break;
    case Kind::Bcast:
        builder.collectiveCall(rank, start, end, CollectiveOperation::Bcast, 0, call.messages[0].peer);
        break;
    case Kind::Reduce:
        builder.collectiveCall(rank, start, end, CollectiveOperation::Reduce, 0, call.messages[0].peer);
        break;
    case Kind::Compute:
        break;
    }
}

/// What a recording knows beside the events: the recorder's time.
void addRecorded(LocationEvents &events, const std::vector<DoneCall> &calls, const SimulatedMachine &machine) {
    for (std::uint32_t row = 0; row < calls.size(); ++row)
        if (machine.entryCost + machine.exitCost != 0)
            events.costs.add(row, static_cast<std::uint32_t>(machine.entryCost), static_cast<std::uint32_t>(machine.exitCost));
}

} // namespace

SimulatedJob SimulatedJob::random(std::uint32_t seed, Rank ranks, std::size_t length) {
    std::mt19937 random(seed);
    const auto below = [&random](std::uint32_t limit) { return static_cast<std::uint32_t>(random() % limit); };
    std::vector<std::vector<SimulatedStep>> steps(ranks);
    for (std::size_t i = 0; i < length; ++i) {
        const Rank a = below(ranks);
        const Rank b = (a + 1 + below(ranks - 1)) % ranks;
        const std::uint32_t what = below(20);
        if (what < 10) {
            steps[a].push_back({Kind::Compute, none, 0, 100 + below(20000)});
        } else if (what < 16) {
            steps[a].push_back({Kind::Send, b, below(2), 0});
            steps[b].push_back({Kind::Receive, a, steps[a].back().tag, 0});
        } else if (what < 18) {
            steps[b].push_back({Kind::Post, a, 3, 0});
            steps[a].push_back({Kind::Send, b, 3, 0});
            steps[b].push_back({Kind::Compute, none, 0, 100 + below(5000)});
            steps[b].push_back({Kind::Complete, none, 0, 0});
        } else {
            constexpr Kind kinds[] = {Kind::Barrier, Kind::Bcast, Kind::Reduce};
            const Kind kind = kinds[below(3)];
            for (Rank rank = 0; rank < ranks; ++rank)
                steps[rank].push_back({kind, kind == Kind::Barrier ? none : b, 0, 0});
        }
    }
    return SimulatedJob(std::move(steps));
}

std::shared_ptr<Trace> SimulatedJob::trace(const SimulatedMachine &machine) const {
    Run run(m_steps, machine);
    run.run();
    const auto ranks = static_cast<Rank>(m_steps.size());
    TraceBuilder builder(ranks);
    Tick last = 0;
    for (Rank rank = 0; rank < ranks; ++rank)
        for (const DoneCall &call : run.done[rank]) {
            const auto clock = [&](Tick time) { return machine.clock ? machine.clock(rank, time) : time; };
            write(builder, rank, call, clock);
            last = std::max(last, clock(call.end));
        }
    const auto trace = std::const_pointer_cast<Trace>(builder.finish(last + 1000));
    for (Rank rank = 0; rank < ranks; ++rank)
        addRecorded(trace->locations[rank].events, run.done[rank], machine);
    return trace;
}

} // namespace laggard::test
