// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/clocks/Dependences.h"

#include "trace/Parallel.h"

#include <algorithm>
#include <deque>
#include <unordered_map>

namespace laggard {
namespace {

using Kind = DependencePoint::Kind;
using Point = DependencePoint;

/// The points of a location, without those of others that it depends on.
std::vector<Point> pointsOf(const LocationEvents &events, const std::vector<Point> *probes) {
    std::vector<Point> points;
    points.reserve(events.sends.size() + events.receives.size() + 2 * events.collectives.size());
    for (std::uint32_t i = 0; i < events.sends.size(); ++i)
        points.push_back({events.sends.time[i], i, Kind::Send});
    for (std::uint32_t i = 0; i < events.receives.size(); ++i)
        points.push_back({events.receives.time[i], i, Kind::Receive});
    for (std::uint32_t i = 0; i < events.collectives.size(); ++i) {
        const std::uint32_t row = events.collectives.row[i];
        if (row == none || events.collectives.instance[i] == none)
            continue;
        points.push_back({events.track.start[row], i, Kind::CollectiveEnter});
        points.push_back({std::max(events.collectives.end[i], events.track.start[row]), i, Kind::CollectiveEnd});
    }
    if (probes != nullptr)
        points.insert(points.end(), probes->begin(), probes->end());
    std::stable_sort(points.begin(), points.end(),
                     [](const Point &a, const Point &b) { return a.time != b.time ? a.time < b.time : a.kind < b.kind; });
    return points;
}

/// Goes along all locations as far as what they depend on has been visited.
class Walk {
  public:
    Walk(const Dependences &dependences, const Dependences::Visit &visit, const Work &work)
        : m_dependences(dependences),
          m_visit(visit),
          m_work(work),
          m_locations(static_cast<LocationIndex>(dependences.trace().locations.size())),
          m_next(m_locations, 0),
          m_sent(m_locations, 0),
          m_entered(dependences.trace().collectives.size(), 0),
          m_waitingFor(m_locations),
          m_waitingIn(dependences.trace().collectives.size()),
          m_isQueued(m_locations, true) {
        for (LocationIndex l = 0; l < m_locations; ++l)
            m_queue.push_back(l);
    }

    std::optional<std::string> run() {
        while (true) {
            while (!m_queue.empty()) {
                const LocationIndex location = m_queue.front();
                m_queue.pop_front();
                m_isQueued[location] = false;
                advance(location);
            }
            if (const std::vector<LocationIndex> together = circle(); !together.empty())
                visitTogether(together);
            else
                return contradiction();
        }
    }

  private:
    [[nodiscard]] const std::vector<Point> &points(LocationIndex l) const { return m_dependences.points(l); }
    [[nodiscard]] bool isDone(LocationIndex l) const { return m_next[l] == points(l).size(); }
    [[nodiscard]] std::size_t groupEnd(LocationIndex l) const {
        std::size_t end = m_next[l];
        while (end < points(l).size() && points(l)[end].time == points(l)[m_next[l]].time)
            ++end;
        return end;
    }

    /// The location or instance that the point still waits for.
    struct Need {
        LocationIndex sender = none;
        std::uint32_t send = none;
        std::uint32_t instance = none;
        [[nodiscard]] bool isNone() const { return sender == none && instance == none; }
    };
    [[nodiscard]] Need needOf(LocationIndex l, const Point &point) const {
        if (point.kind == Kind::Receive || point.kind == Kind::Probe) {
            const MessageEnd send = m_dependences.sendOf(l, point.index);
            if (send.location != none && send.index >= m_sent[send.location])
                return {send.location, send.index, none};
        } else if (point.kind == Kind::CollectiveEnd) {
            const std::uint32_t instance = m_dependences.instanceNeeded(l, point.index);
            if (instance != none && m_entered[instance] < m_dependences.entriesOf(instance))
                return {none, none, instance};
        }
        return {};
    }

    void wake(std::vector<LocationIndex> &waiting) {
        for (const LocationIndex l : waiting)
            if (!m_isQueued[l]) {
                m_isQueued[l] = true;
                m_queue.push_back(l);
            }
        waiting.clear();
    }

    /// The points of the group have been visited.
    void pass(LocationIndex l, std::size_t end) {
        for (; m_next[l] < end; ++m_next[l]) {
            const Point &point = points(l)[m_next[l]];
            if (point.kind == Kind::Send)
                m_sent[l] = point.index + 1;
            if (point.kind != Kind::CollectiveEnter || !m_dependences.isNeeded(l, point.index))
                continue;
            const std::uint32_t instance = m_dependences.trace().locations[l].events.collectives.instance[point.index];
            if (++m_entered[instance] == m_dependences.entriesOf(instance))
                wake(m_waitingIn[instance]);
        }
    }

    void advance(LocationIndex l) {
        const std::uint32_t sentBefore = m_sent[l];
        while (!isDone(l)) {
            if ((++m_steps & 0xFFFFU) == 0)
                throwIfCancelled(m_work);
            const std::size_t end = groupEnd(l);
            Need need;
            for (std::size_t i = m_next[l]; i < end && need.isNone(); ++i)
                need = needOf(l, points(l)[i]);
            if (!need.isNone()) {
                (need.sender != none ? m_waitingFor[need.sender] : m_waitingIn[need.instance]).push_back(l);
                break;
            }
            m_visit(l, m_next[l], end);
            pass(l, end);
        }
        if (m_sent[l] != sentBefore || isDone(l))
            wake(m_waitingFor[l]);
    }

    /// Locations whose next groups depend on each other and on nothing else: at one time, as clocks tell it.
    [[nodiscard]] std::vector<LocationIndex> circle() const {
        std::vector<bool> isIn(m_locations);
        for (LocationIndex l = 0; l < m_locations; ++l)
            isIn[l] = !isDone(l);
        for (bool changed = true; changed;) {
            throwIfCancelled(m_work);
            changed = false;
            std::vector<std::uint32_t> sent = m_sent;
            std::unordered_map<std::uint32_t, std::uint32_t> entering; // by instance
            for (LocationIndex l = 0; l < m_locations; ++l)
                for (std::size_t i = m_next[l]; isIn[l] && i < groupEnd(l); ++i) {
                    const Point &point = points(l)[i];
                    if (point.kind == Kind::Send)
                        sent[l] = point.index + 1;
                    else if (point.kind == Kind::CollectiveEnter && m_dependences.isNeeded(l, point.index))
                        ++entering[m_dependences.trace().locations[l].events.collectives.instance[point.index]];
                }
            for (LocationIndex l = 0; l < m_locations; ++l)
                for (std::size_t i = m_next[l]; isIn[l] && i < groupEnd(l); ++i) {
                    const Need need = needOf(l, points(l)[i]);
                    const bool isMet =
                        need.isNone() || (need.sender != none ? need.send < sent[need.sender]
                                                              : m_entered[need.instance] + entering[need.instance] >=
                                                                    m_dependences.entriesOf(need.instance));
                    if (!isMet) {
                        isIn[l] = false;
                        changed = true;
                    }
                }
        }
        std::vector<LocationIndex> result;
        for (LocationIndex l = 0; l < m_locations; ++l)
            if (isIn[l])
                result.push_back(l);
        return result;
    }

    void visitTogether(const std::vector<LocationIndex> &locations) {
        for (std::size_t round = 0; round <= locations.size(); ++round) {
            bool changed = false;
            for (const LocationIndex l : locations)
                changed |= m_visit(l, m_next[l], groupEnd(l));
            if (!changed)
                break;
        }
        for (const LocationIndex l : locations) {
            pass(l, groupEnd(l));
            wake(m_waitingFor[l]);
            if (!m_isQueued[l]) {
                m_isQueued[l] = true;
                m_queue.push_back(l);
            }
        }
    }

    /// Nothing where all has been visited.
    [[nodiscard]] std::optional<std::string> contradiction() const {
        for (LocationIndex l = 0; l < m_locations; ++l)
            if (!isDone(l)) {
                const Trace &trace = m_dependences.trace();
                return "The trace contradicts itself: what came to rank " + std::to_string(trace.locations[l].rank) + " at " +
                       std::to_string(trace.seconds(points(l)[m_next[l]].time)) +
                       " s can only have been sent after it had gone on, so that times cannot be put right.";
            }
        return std::nullopt;
    }

    const Dependences &m_dependences;
    const Dependences::Visit &m_visit;
    const Work &m_work;
    LocationIndex m_locations;
    std::vector<std::size_t> m_next;                      ///< by location: the first point that was not visited
    std::vector<std::uint32_t> m_sent;                    ///< by location: sends visited
    std::vector<std::uint32_t> m_entered;                 ///< by instance: needed entries visited
    std::vector<std::vector<LocationIndex>> m_waitingFor; ///< by location
    std::vector<std::vector<LocationIndex>> m_waitingIn;  ///< by instance
    std::vector<bool> m_isQueued;
    std::deque<LocationIndex> m_queue;
    std::uint64_t m_steps = 0;
};

} // namespace

CollectiveOrder orderOf(const CollectiveKind &kind) {
    const bool moves = kind.bytesSent != 0 || kind.bytesReceived != 0;
    switch (kind.operation) {
    case CollectiveOperation::Barrier:
        return CollectiveOrder::Everybody;
    case CollectiveOperation::Allgather:
    case CollectiveOperation::Alltoall:
    case CollectiveOperation::Allreduce:
    case CollectiveOperation::ReduceScatterBlock:
        return moves ? CollectiveOrder::Everybody : CollectiveOrder::Nobody;
    case CollectiveOperation::Bcast:
    case CollectiveOperation::Scatter:
        return moves && kind.root != none ? CollectiveOrder::Root : CollectiveOrder::Nobody;
    case CollectiveOperation::Gather:
    case CollectiveOperation::Reduce:
        return moves && kind.root != none ? CollectiveOrder::AtRoot : CollectiveOrder::Nobody;
    default: // Alltoallv and its like may move nothing between two members, Scan orders some, others may be local
        return CollectiveOrder::Nobody;
    }
}

namespace {

CollectiveOrder orderAt(const LocationEvents &events, const Trace &trace, std::uint32_t collective) {
    const std::uint32_t instance = events.collectives.instance[collective];
    if (instance == none || trace.collectives[instance].mismatch || trace.collectives[instance].communicator == none)
        return CollectiveOrder::Nobody;
    const Communicator &communicator = trace.communicators[trace.collectives[instance].communicator];
    if (communicator.isIntercommunicator || communicator.isSelf)
        return CollectiveOrder::Nobody;
    return orderOf(events.collectiveKinds[events.collectives.kind[collective]]);
}

bool isRootOf(const Location &location, std::uint32_t collective) {
    return location.events.collectiveKinds[location.events.collectives.kind[collective]].root == location.rank;
}

} // namespace

std::uint32_t instanceNeeded(const Location &location, const Trace &trace, std::uint32_t collective) {
    const CollectiveOrder order = orderAt(location.events, trace, collective);
    const bool isRoot = isRootOf(location, collective);
    const bool needs = order == CollectiveOrder::Everybody || (order == CollectiveOrder::Root && !isRoot) ||
                       (order == CollectiveOrder::AtRoot && isRoot);
    return needs ? location.events.collectives.instance[collective] : none;
}

bool isEntryNeeded(const Location &location, const Trace &trace, std::uint32_t collective) {
    const CollectiveOrder order = orderAt(location.events, trace, collective);
    return order == CollectiveOrder::Everybody || order == CollectiveOrder::AtRoot ||
           (order == CollectiveOrder::Root && isRootOf(location, collective));
}

Dependences::Dependences(const Trace &trace, const Work &work, std::vector<std::vector<Point>> probes)
    : m_trace(trace), m_points(trace.locations.size()), m_sendOf(trace.locations.size()), m_entries(trace.collectives.size(), 0) {
    forEachParallel(trace.locations.size(), work, [&](std::size_t l, unsigned) {
        m_points[l] = pointsOf(trace.locations[l].events, probes.empty() ? nullptr : &probes[l]);
        const MessageEnds &receives = trace.locations[l].events.receives;
        m_sendOf[l].resize(receives.size());
        for (std::uint32_t i = 0; i < receives.size(); ++i)
            if (receives.match[i] != none) {
                const Message message = trace.messageOfReceive(static_cast<LocationIndex>(l), i);
                m_sendOf[l][i] = {message.sender, message.send};
            }
    });
    for (LocationIndex l = 0; l < trace.locations.size(); ++l)
        for (const Point &point : m_points[l])
            if (point.kind == Kind::CollectiveEnter && isNeeded(l, point.index))
                ++m_entries[trace.locations[l].events.collectives.instance[point.index]];
}

std::optional<std::string> Dependences::inOrder(const Visit &visit, const Work &work) const {
    return Walk(*this, visit, work).run();
}

} // namespace laggard
