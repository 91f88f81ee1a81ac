// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/delays/WaitSegments.h"

#include "analysis/delays/CollectiveArrivals.h"
#include "analysis/delays/MpiCallsAlong.h"
#include "trace/MpiCall.h"
#include "trace/Parallel.h"

#include <algorithm>

namespace laggard {
namespace {

bool entersBefore(const Arrival &a, const Arrival &b) { return std::pair(a.enter, a.rank) < std::pair(b.enter, b.rank); }

class SegmentCollector {
  public:
    SegmentCollector(const Trace &trace, TimeRange window)
        : m_trace(trace), m_window(window), m_calls(trace), m_segments(trace.processes.size()) {}

    void addCollectives(const Work &work) {
        const CollectiveArrivals arrivals(m_trace, m_calls);
        for (std::size_t i = 0; i < m_trace.collectives.size(); ++i) {
            if (i % 4096 == 0)
                throwIfCancelled(work);
            const std::span<const Arrival> members = arrivals.of(i);
            if (members.size() > 1 && m_trace.collectives[i].lastEnter >= m_window.begin)
                addInstance(m_trace.collectives[i], members);
        }
    }

    void addMessages(const Work &work) {
        forEachParallel(m_segments.size(), work, [this, &work](std::size_t rank, unsigned) {
            addReceives(static_cast<Rank>(rank), work);
            addSends(static_cast<Rank>(rank), work);
        });
    }

    std::vector<WaitSegments> finish(const Work &work) {
        forEachParallel(m_segments.size(), work, [this](std::size_t rank, unsigned) { makeDisjoint(m_segments[rank]); });
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
        if (op == Op::Unknown)
            return;
        if (fromRoot) {
            const auto root =
                std::find_if(members.begin(), members.end(), [&](const Arrival &a) { return a.rank == instance.root; });
            if (root == members.end())
                return;
            for (const Arrival &member : members)
                add(member.rank, member.enter, std::min(root->enter, member.end), root->rank);
            addForwarding(members, root->enter);
            return;
        }
        if (toRoot || op == Op::Scan || op == Op::Exscan) {
            addForwarding(members, 0);
            return;
        }
        const Arrival last = *std::max_element(members.begin(), members.end(), entersBefore);
        for (const Arrival &member : members)
            add(member.rank, member.enter, std::min(last.enter, member.end), last.rank);
    }

    /// Waits from `begin` on in collectives that pass data on from member to member: until the last that came before it left.
    void addForwarding(std::span<const Arrival> members, Tick begin) {
        m_arrivals.assign(members.begin(), members.end());
        std::sort(m_arrivals.begin(), m_arrivals.end(), entersBefore);
        for (const Arrival &member : members) {
            auto later = std::partition_point(m_arrivals.begin(), m_arrivals.end(),
                                              [&](const Arrival &other) { return other.enter <= member.end; });
            if (later != m_arrivals.begin() && std::prev(later)->rank == member.rank)
                --later;
            if (later != m_arrivals.begin())
                add(member.rank, std::max(begin, member.enter), std::prev(later)->enter, std::prev(later)->rank);
        }
    }

    void addReceives(Rank rank, const Work &work) {
        const LocationEvents *events = m_trace.mainEvents(rank);
        if (events == nullptr)
            return;
        const LocationIndex self = m_trace.processes[rank].mainLocation;
        const MessageEnds &receives = events->receives;
        MpiCallsAlong calls(m_calls, events->track);
        std::uint32_t row = none;    // row of the call in which the messages looked at were received
        std::uint32_t before = none; // the call in which messages were received before those
        Tick sent = 0;               // when the latest of them was sent
        Rank sender = none;
        const auto close = [&] {
            if (row != none && sender != none && !events->track.isOpen(row)) {
                add(rank, events->track.start[row], std::min(sent, events->track.end[row]), sender);
                addPolls(rank, row, before, sent, sender);
            }
            before = row;
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
                row = calls.at(time);
            }
            const Message message = m_trace.messageOfReceive(self, i);
            if (message.sent > sent) {
                sent = message.sent;
                sender = m_trace.locations[message.sender].rank;
            }
        }
        close();
    }

    /// Probes, and calls that asked in vain, between the calls `before` and `row` of which the latter received the message.
    void addPolls(Rank rank, std::uint32_t row, std::uint32_t before, Tick sent, Rank sender) {
        const Track &track = m_trace.mainEvents(rank)->track;
        while (row-- > 0 && row != before) {
            const MpiCall &call = m_calls[track.callPath[row]];
            if (call.isPoll() || call.kind == MpiCall::Kind::Probe)
                add(rank, track.start[row], std::min(sent, track.end[row]), sender);
            else if (call.isMpi())
                return;
        }
    }

    void addSends(Rank rank, const Work &work) {
        const LocationEvents *events = m_trace.mainEvents(rank);
        if (events == nullptr)
            return;
        const LocationIndex self = m_trace.processes[rank].mainLocation;
        const MessageEnds &sends = events->sends;
        InnermostCalls calls(&events->track);
        for (std::uint32_t i = 0; i < sends.size(); ++i) {
            if (i % 65536 == 0)
                throwIfCancelled(work);
            if (sends.match[i] == none || sends.time[i] < m_window.begin || sends.time[i] > m_window.end)
                continue;
            calls.moveTo(sends.time[i]);
            const std::uint32_t row = outermostMpi(m_calls, events->track, calls.row());
            if (row == none || m_calls[events->track.callPath[row]].kind != MpiCall::Kind::Send || events->track.isOpen(row))
                continue;
            const Message message = m_trace.messageOfSend(self, i);
            const Track &other = m_trace.locations[message.receiver].events.track;
            const std::uint32_t call = mpiCallAt(m_calls, other, message.received);
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
    std::vector<Arrival> m_arrivals; ///< arrivals at the instance looked at, by time
    std::vector<WaitSegments> m_segments;
};

} // namespace

std::vector<WaitSegments> findWaitSegments(const Trace &trace, TimeRange window, const Work &work) {
    SegmentCollector collector(trace, window);
    collector.addCollectives(work);
    collector.addMessages(work);
    return collector.finish(work);
}

} // namespace laggard
