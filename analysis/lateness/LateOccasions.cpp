// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/lateness/LateOccasions.h"

#include "analysis/delays/CollectiveArrivals.h"
#include "analysis/delays/MpiCallsAlong.h"
#include "trace/Parallel.h"

#include <algorithm>

namespace laggard {
namespace {

using Kind = LateOccasions::Kind;
using Op = CollectiveOperation;

/// Who came last, and that others could not tell it from the one before.
struct Latest {
    Rank rank = none;
    Tick time = 0;
    Tick second = 0; ///< time of the one before; 0: nobody
    void add(Rank who, Tick when) {
        if (rank == none || when > time) {
            second = rank == none ? 0 : time;
            rank = who;
            time = when;
        } else {
            second = std::max(second, when);
        }
    }
    [[nodiscard]] Rank clear(Tick resolution) const { return time - second > resolution ? rank : none; }
};

bool holdsUp(Op operation) {
    return operation != Op::Unknown && operation != Op::Bcast && operation != Op::Scatter && operation != Op::Scatterv &&
           operation != Op::Scan && operation != Op::Exscan;
}

bool isForRoot(Op operation) { return operation == Op::Reduce || operation == Op::Gather || operation == Op::Gatherv; }

class CollectiveOccasions {
  public:
    CollectiveOccasions(const Trace &trace, TimeRange window) : m_trace(trace), m_window(window) {
        m_found.kind = Kind::Collectives;
    }

    void add(const CollectiveInstance &instance, std::span<const Arrival> arrivals) {
        if (arrivals.size() < 2 || instance.mismatch || !holdsUp(instance.operation) || !isWhole(instance, arrivals.size()) ||
            !std::ranges::all_of(arrivals, &Arrival::comes) || instance.lastEnter < m_window.begin ||
            instance.lastEnter > m_window.end)
            return;
        Latest latest;
        for (const Arrival &arrival : arrivals)
            latest.add(arrival.rank, arrival.enter);
        LateOccasion occasion{latest.time, latest.clear(m_trace.clock.resolution), 0, position(), 0};
        for (const Arrival &arrival : arrivals) {
            m_found.members.push_back(arrival.rank);
            const bool waits = arrival.rank != latest.rank && (!isForRoot(instance.operation) || arrival.rank == instance.root);
            const Tick until = std::min(latest.time, arrival.end);
            occasion.waited += waits && until > arrival.enter ? until - arrival.enter : 0;
        }
        m_found.add(occasion);
    }

    LateOccasions take() { return std::move(m_found); }

  private:
    [[nodiscard]] std::uint32_t position() const { return static_cast<std::uint32_t>(m_found.members.size()); }
    /// All members are known; where only some ranks were read, all of those that were read.
    [[nodiscard]] bool isWhole(const CollectiveInstance &instance, std::size_t arrivals) const {
        const Communicator &communicator = m_trace.communicators[instance.communicator];
        return !communicator.isSelf && !communicator.isIntercommunicator &&
               (m_trace.part.ranks || arrivals == m_trace.memberCount(instance.communicator));
    }

    const Trace &m_trace;
    TimeRange m_window;
    LateOccasions m_found;
};

/// Waiting of one rank in one phase for another.
struct PhaseWait {
    std::uint32_t phase = 0;
    Rank cause = none;
    Tick ticks = 0;
};

/// Waits of a rank by phase and cause, each pair once; a wait belongs to the phase in which it begins.
std::vector<PhaseWait> waitsByPhase(const WaitSegments &waits, const PhaseTable &phases, Rank rank) {
    std::vector<std::uint32_t> order; // the rank's phases, by time
    for (std::uint32_t phase = 0; phase < phases.size(); ++phase)
        if (phases.span(0, phase, rank).present())
            order.push_back(phase);
    std::ranges::sort(order, {}, [&](std::uint32_t phase) { return phases.span(0, phase, rank).begin; });
    std::vector<PhaseWait> found;
    std::size_t at = 0;
    for (const WaitSegment &wait : waits) {
        while (at < order.size() && phases.span(0, order[at], rank).end <= wait.begin)
            ++at;
        if (at < order.size() && phases.span(0, order[at], rank).begin <= wait.begin)
            found.push_back({order[at], wait.cause, wait.end - wait.begin});
    }
    std::ranges::sort(found, {}, [](const PhaseWait &w) { return std::pair(w.phase, w.cause); });
    std::size_t kept = 0;
    for (const PhaseWait &wait : found) {
        if (kept > 0 && found[kept - 1].phase == wait.phase && found[kept - 1].cause == wait.cause)
            found[kept - 1].ticks += wait.ticks;
        else
            found[kept++] = wait;
    }
    found.resize(kept);
    return found;
}

/// Calls in which a rank received messages of several.
class ReceivingCalls {
  public:
    ReceivingCalls(const Trace &trace, const MpiCallTable &calls, TimeRange window)
        : m_trace(trace), m_calls(calls), m_window(window) {}

    LateOccasions of(Rank rank, const Work &work) {
        LateOccasions found;
        const LocationEvents *events = m_trace.mainEvents(rank);
        if (events == nullptr)
            return found;
        const LocationIndex self = m_trace.processes[rank].mainLocation;
        MpiCallsAlong along(m_calls, events->track);
        std::uint32_t row = none;
        for (std::uint32_t i = 0; i < events->receives.size(); ++i) {
            if (i % 65536 == 0)
                throwIfCancelled(work);
            const Tick time = events->receives.time[i];
            if (events->receives.match[i] == none || time < m_window.begin || time > m_window.end)
                continue;
            const bool same = row != none && events->track.start[row] <= time && time <= events->track.end[row];
            if (!same) {
                close(events->track, row, found);
                row = along.at(time);
            }
            const Message message = m_trace.messageOfReceive(self, i);
            m_sent.push_back({m_trace.locations[message.sender].rank, message.sent});
        }
        close(events->track, row, found);
        return found;
    }

  private:
    void close(const Track &track, std::uint32_t row, LateOccasions &found) {
        std::ranges::sort(m_sent); // each sender's last message stands last
        Latest latest;
        const auto begin = static_cast<std::uint32_t>(found.members.size());
        for (std::size_t i = 0; i < m_sent.size(); ++i)
            if (i + 1 == m_sent.size() || m_sent[i + 1].first != m_sent[i].first) {
                latest.add(m_sent[i].first, m_sent[i].second);
                found.members.push_back(m_sent[i].first);
            }
        m_sent.clear();
        const auto end = static_cast<std::uint32_t>(found.members.size());
        if (row == none || track.isOpen(row) || end - begin < 2 || latest.time <= track.start[row]) {
            found.members.resize(begin);
            return;
        }
        found.add({latest.time, latest.clear(m_trace.clock.resolution), std::min(latest.time, track.end[row]) - track.start[row],
                   begin, 0});
    }

    const Trace &m_trace;
    const MpiCallTable &m_calls;
    TimeRange m_window;
    std::vector<std::pair<Rank, Tick>> m_sent; ///< in the call looked at: who, when
};

} // namespace

void LateOccasions::add(LateOccasion occasion) {
    occasion.end = static_cast<std::uint32_t>(members.size());
    if (!all.empty() && std::equal(members.begin() + occasion.begin, members.end(), members.begin() + all.back().begin,
                                   members.begin() + all.back().end)) {
        members.resize(occasion.begin);
        occasion.begin = all.back().begin;
        occasion.end = all.back().end;
    }
    all.push_back(occasion);
}

LateOccasions lateInCollectives(const Trace &trace, TimeRange window, const Work &work) {
    const MpiCallTable calls(trace);
    const CollectiveArrivals arrivals(trace, calls);
    CollectiveOccasions occasions(trace, window);
    for (std::size_t i = 0; i < trace.collectives.size(); ++i) {
        if (i % 4096 == 0)
            throwIfCancelled(work);
        occasions.add(trace.collectives[i], arrivals.of(i));
    }
    return occasions.take();
}

LateOccasions lateInSteps(const Trace &trace, const std::vector<WaitSegments> &waits, const PhaseTable &phases,
                          const Work &work) {
    LateOccasions found;
    found.kind = Kind::Steps;
    if (phases.source == PhaseSource::WholeRun || phases.beforeFirst || phases.ranks() != waits.size())
        return found;
    std::vector<std::vector<PhaseWait>> byRank(waits.size());
    forEachParallel(waits.size(), work, [&](std::size_t rank, unsigned) {
        byRank[rank] = waitsByPhase(waits[rank], phases, static_cast<Rank>(rank));
    });
    std::vector<Tick> caused(waits.size());
    std::vector<std::size_t> next(waits.size()); // by rank, in byRank
    for (std::uint32_t phase = 0; phase < phases.size(); ++phase) {
        throwIfCancelled(work);
        std::ranges::fill(caused, 0);
        LateOccasion occasion{0, none, 0, static_cast<std::uint32_t>(found.members.size()), 0};
        for (Rank rank = 0; rank < waits.size(); ++rank) {
            for (; next[rank] < byRank[rank].size() && byRank[rank][next[rank]].phase == phase; ++next[rank])
                caused[byRank[rank][next[rank]].cause] += byRank[rank][next[rank]].ticks;
            if (const PhaseSpan &span = phases.span(0, phase, rank); span.present()) {
                found.members.push_back(rank);
                occasion.when = std::max(occasion.when, span.end);
            }
        }
        Latest latest;
        for (std::size_t i = occasion.begin; i < found.members.size(); ++i)
            latest.add(found.members[i], caused[found.members[i]]);
        if (found.members.size() - occasion.begin < 2 || latest.time == 0) {
            found.members.resize(occasion.begin);
            continue;
        }
        occasion.last = latest.clear(trace.clock.resolution);
        occasion.waited = latest.time;
        found.add(occasion);
    }
    return found;
}

LateOccasions lateInMessages(const Trace &trace, TimeRange window, const Work &work) {
    const MpiCallTable calls(trace);
    std::vector<LateOccasions> byRank(trace.processes.size());
    forEachParallel(byRank.size(), work, [&](std::size_t rank, unsigned) {
        byRank[rank] = ReceivingCalls(trace, calls, window).of(static_cast<Rank>(rank), work);
    });
    LateOccasions found;
    found.kind = Kind::Messages;
    for (const LateOccasions &one : byRank) {
        const auto offset = static_cast<std::uint32_t>(found.members.size());
        found.members.insert(found.members.end(), one.members.begin(), one.members.end());
        for (LateOccasion occasion : one.all) {
            occasion.begin += offset;
            occasion.end += offset;
            found.all.push_back(occasion);
        }
    }
    return found;
}

} // namespace laggard
