// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/delays/WaitSegments.h"

#include "analysis/waitfor/MpiCall.h"
#include "trace/Parallel.h"

#include <algorithm>

namespace laggard {
namespace {

/// A member's call of a collective instance.
struct Arrival {
    Rank rank = none;
    Tick enter = 0;
    Tick end = 0;
};

/// Arrivals by instance: those of instance i are [begin[i], begin[i + 1]).
struct Arrivals {
    std::vector<std::uint32_t> begin;
    std::vector<Arrival> all;
};

/// Calls `visit(location, instance, arrival)` for every completed collective call of a main thread.
template <typename Visit> void forEachArrival(const Trace &trace, Visit visit) {
    for (Rank rank = 0; rank < trace.processes.size(); ++rank) {
        const LocationEvents *events = trace.mainEvents(rank);
        if (events == nullptr)
            continue;
        const CollectiveCalls &calls = events->collectives;
        for (std::size_t i = 0; i < calls.size(); ++i)
            if (calls.instance[i] != none && calls.row[i] != none)
                visit(calls.instance[i], Arrival{rank, events->track.start[calls.row[i]], events->track.end[calls.row[i]]});
    }
}

Arrivals collectArrivals(const Trace &trace) {
    Arrivals arrivals;
    arrivals.begin.assign(trace.collectives.size() + 1, 0);
    forEachArrival(trace, [&](std::uint32_t instance, const Arrival &) { ++arrivals.begin[instance + 1]; });
    for (std::size_t i = 1; i < arrivals.begin.size(); ++i)
        arrivals.begin[i] += arrivals.begin[i - 1];
    arrivals.all.resize(arrivals.begin.back());
    std::vector<std::uint32_t> next(arrivals.begin.begin(), arrivals.begin.end() - 1);
    forEachArrival(trace, [&](std::uint32_t instance, const Arrival &arrival) { arrivals.all[next[instance]++] = arrival; });
    return arrivals;
}

class SegmentCollector {
  public:
    SegmentCollector(const Trace &trace, TimeRange window)
        : m_trace(trace), m_window(window), m_calls(trace), m_segments(trace.processes.size()) {}

    void addCollectives(const Work &work) {
        const Arrivals arrivals = collectArrivals(m_trace);
        for (std::size_t i = 0; i < m_trace.collectives.size(); ++i) {
            if (i % 4096 == 0)
                throwIfCancelled(work);
            const Arrival *begin = arrivals.all.data() + arrivals.begin[i];
            const Arrival *end = arrivals.all.data() + arrivals.begin[i + 1];
            if (end - begin > 1 && m_trace.collectives[i].lastEnter >= m_window.begin)
                addInstance(m_trace.collectives[i], {begin, end});
        }
    }

    void addMessages(const Work &work) {
        forEachParallel(m_segments.size(), work, [this, &work](std::size_t rank, unsigned) {
            addReceives(static_cast<Rank>(rank), work);
            addSends(static_cast<Rank>(rank), work);
        });
    }

    std::vector<WaitSegments> finish() {
        for (WaitSegments &segments : m_segments)
            makeDisjoint(segments);
        return std::move(m_segments);
    }

  private:
    void add(Rank waiter, Tick begin, Tick end, Rank cause) {
        begin = std::max(begin, m_window.begin);
        end = std::min(end, m_window.end);
        if (begin < end && waiter != cause)
            m_segments[waiter].push_back({begin, end, cause});
    }

    void addInstance(const CollectiveInstance &instance, std::span<const Arrival> members) {
        using Op = CollectiveOperation;
        const Op op = instance.operation;
        const bool fromRoot = op == Op::Bcast || op == Op::Scatter || op == Op::Scatterv;
        const bool toRoot = op == Op::Reduce || op == Op::Gather || op == Op::Gatherv;
        if (fromRoot) {
            const auto root =
                std::find_if(members.begin(), members.end(), [&](const Arrival &a) { return a.rank == instance.root; });
            if (root == members.end())
                return;
            for (const Arrival &member : members)
                add(member.rank, member.enter, std::min(root->enter, member.end), root->rank);
            return;
        }
        if (op == Op::Scan || op == Op::Exscan || op == Op::Unknown)
            return; // who waits for whom differs from rank to rank
        const Arrival last = *std::max_element(members.begin(), members.end(), [](const Arrival &a, const Arrival &b) {
            return std::pair(a.enter, a.rank) < std::pair(b.enter, b.rank);
        });
        for (const Arrival &member : members)
            if (!toRoot || member.rank == instance.root)
                add(member.rank, member.enter, std::min(last.enter, member.end), last.rank);
    }

    /// Where the call at `row` is inside other MPI calls, the outermost one.
    [[nodiscard]] std::uint32_t outermostMpi(const Track &track, std::uint32_t row) const {
        std::uint32_t outermost = none;
        for (; row != none; row = track.parent[row])
            if (m_calls[track.callPath[row]].isMpi())
                outermost = row;
        return outermost;
    }

    /// The outermost MPI call that made a record at `time`, which may be the very time at which the call ends.
    [[nodiscard]] std::uint32_t mpiCallAt(const Track &track, Tick time) const {
        const std::uint32_t row = outermostMpi(track, track.innermostAt(time));
        return row != none || time == 0 ? row : outermostMpi(track, track.innermostAt(time - 1));
    }

    void addReceives(Rank rank, const Work &work) {
        const LocationEvents *events = m_trace.mainEvents(rank);
        if (events == nullptr)
            return;
        const LocationIndex self = m_trace.processes[rank].mainLocation;
        const MessageEnds &receives = events->receives;
        std::uint32_t row = none; // of the call that the messages looked at were received in
        Tick sent = 0;            // latest of them
        Rank sender = none;
        const auto close = [&] {
            if (row != none && sender != none && !events->track.isOpen(row))
                add(rank, events->track.start[row], std::min(sent, events->track.end[row]), sender);
            sender = none;
            sent = 0;
        };
        for (std::uint32_t i = 0; i < receives.size(); ++i) {
            if (i % 65536 == 0)
                throwIfCancelled(work);
            if (receives.match[i] == none || receives.time[i] < m_window.begin)
                continue;
            const Tick time = receives.time[i];
            const bool same = row != none && events->track.start[row] <= time && time <= events->track.end[row];
            if (!same) {
                close();
                row = mpiCallAt(events->track, time);
            }
            const Message message = m_trace.messageOfReceive(self, i);
            if (message.sent > sent) {
                sent = message.sent;
                sender = m_trace.locations[message.sender].rank;
            }
        }
        close();
    }

    void addSends(Rank rank, const Work &work) {
        const LocationEvents *events = m_trace.mainEvents(rank);
        if (events == nullptr)
            return;
        const LocationIndex self = m_trace.processes[rank].mainLocation;
        const MessageEnds &sends = events->sends;
        for (std::uint32_t i = 0; i < sends.size(); ++i) {
            if (i % 65536 == 0)
                throwIfCancelled(work);
            if (sends.match[i] == none || sends.time[i] < m_window.begin || sends.time[i] > m_window.end)
                continue;
            const std::uint32_t row = outermostMpi(events->track, events->track.innermostAt(sends.time[i]));
            if (row == none || m_calls[events->track.callPath[row]].kind != MpiCall::Kind::Send || events->track.isOpen(row))
                continue;
            const Message message = m_trace.messageOfSend(self, i);
            const Track &other = m_trace.locations[message.receiver].events.track;
            const std::uint32_t call = mpiCallAt(other, message.received);
            if (call == none || other.start[call] >= events->track.end[row])
                continue; // it returned before anybody asked for its message: it did not wait for that
            add(rank, events->track.start[row], other.start[call], m_trace.locations[message.receiver].rank);
        }
    }

    static void makeDisjoint(WaitSegments &segments) {
        std::sort(segments.begin(), segments.end(), [](const WaitSegment &a, const WaitSegment &b) {
            return std::tuple(a.begin, b.end, a.cause) < std::tuple(b.begin, a.end, b.cause);
        });
        std::size_t kept = 0;
        for (WaitSegment segment : segments) {
            if (kept > 0)
                segment.begin = std::max(segment.begin, segments[kept - 1].end);
            if (segment.begin < segment.end)
                segments[kept++] = segment;
        }
        segments.resize(kept);
    }

    const Trace &m_trace;
    TimeRange m_window;
    MpiCallTable m_calls;
    std::vector<WaitSegments> m_segments;
};

} // namespace

std::vector<WaitSegments> findWaitSegments(const Trace &trace, TimeRange window, const Work &work) {
    SegmentCollector collector(trace, window);
    collector.addCollectives(work);
    collector.addMessages(work);
    return collector.finish();
}

} // namespace laggard
