// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/clocks/LogicalClock.h"

#include "analysis/clocks/Retime.h"

#include <algorithm>
#include <cmath>

namespace laggard {
namespace {

using Kind = DependencePoint::Kind;

class Correction {
  public:
    Correction(const Dependences &dependences, const LogicalClockOptions &options)
        : m_dependences(dependences),
          m_trace(dependences.trace()),
          m_slack(1 - std::clamp(options.control, 0.0, 1.0)),
          m_latency(options.leastLatency),
          m_shift(m_trace.locations.size()),
          m_sendShift(m_trace.locations.size()),
          m_lastEntry(m_trace.collectives.size(), 0) {
        for (LocationIndex l = 0; l < m_shift.size(); ++l) {
            m_shift[l].assign(dependences.points(l).size(), 0);
            m_sendShift[l].assign(m_trace.locations[l].events.sends.size(), 0);
        }
    }

    /// Becker et al. 2009, eq. 1: LC'(e) = max(LC'(send) + μ, LC'(before) + γ (C(e) - C(before)), C(e)). Shifts are LC' - C.
    bool forward(LocationIndex l, std::size_t first, std::size_t end) {
        const auto &points = m_dependences.points(l);
        const Tick time = points[first].time;
        Tick shift = first == 0 ? 0 : faded(m_shift[l][first - 1], time - points[first - 1].time);
        for (std::size_t i = first; i < end; ++i)
            if (const std::optional<Tick> needed = neededAt(l, points[i]))
                shift = std::max(shift, *needed - std::min(*needed, time));
        bool changed = false;
        for (std::size_t i = first; i < end; ++i) {
            changed |= m_shift[l][i] != shift;
            m_shift[l][i] = shift;
            if (points[i].kind == Kind::Send)
                m_sendShift[l][points[i].index] = shift;
            else if (points[i].kind == Kind::CollectiveEnter && m_dependences.isNeeded(l, points[i].index))
                raise(m_lastEntry[instanceOf(l, points[i])], time + shift);
        }
        return changed;
    }

    /// Events before a jump are moved as well, the less the further away, and sends no further than their receives allow (ibid.,
    /// backward amortization). After `forward` of all.
    void backward(const Work &work) {
        const std::vector<std::vector<Tick>> limits = limitsOfSends();
        const std::vector<Tick> leaving = firstLeaving();
        for (LocationIndex l = 0; l < m_shift.size(); ++l) {
            throwIfCancelled(work);
            const auto &points = m_dependences.points(l);
            std::vector<Tick> &shift = m_shift[l];
            for (std::size_t i = points.size(); i-- > 0;) {
                const bool isLast = i + 1 == points.size();
                Tick wanted = isLast ? 0 : faded(shift[i + 1], points[i + 1].time - points[i].time);
                for (std::size_t k = i; wanted > shift[i] && k < points.size() && points[k].time == points[i].time; ++k)
                    wanted = std::min(wanted, limitOf(l, points[k], limits, leaving));
                for (std::size_t k = i; wanted > shift[i] && k-- > 0 && points[k].time == points[i].time;)
                    wanted = std::min(wanted, limitOf(l, points[k], limits, leaving));
                shift[i] = std::max(shift[i], wanted);
            }
        }
    }

    [[nodiscard]] TimeMap mapOf(LocationIndex l, Tick &largest) const {
        TimeMap map;
        const auto &points = m_dependences.points(l);
        const auto isMoved = [](Tick shift) { return shift != 0; };
        if (std::none_of(m_shift[l].begin(), m_shift[l].end(), isMoved))
            return map;
        const Tick before = fadingTime(m_shift[l].front());
        map.add(points.front().time - std::min(points.front().time, before),
                points.front().time - std::min(points.front().time, before) +
                    faded(m_shift[l].front(), std::min(points.front().time, before)));
        for (std::size_t i = 0; i < points.size(); ++i) {
            map.add(points[i].time, points[i].time + m_shift[l][i]);
            largest = std::max(largest, m_shift[l][i]);
        }
        const Tick after = fadingTime(m_shift[l].back());
        map.add(points.back().time + after, points.back().time + after);
        return map;
    }

  private:
    static void raise(Tick &value, Tick to) { value = std::max(value, to); }
    [[nodiscard]] std::uint32_t instanceOf(LocationIndex l, const DependencePoint &point) const {
        return m_trace.locations[l].events.collectives.instance[point.index];
    }
    /// What is left of a shift after so much time.
    [[nodiscard]] Tick faded(Tick shift, Tick passed) const {
        const double less = std::floor(m_slack * static_cast<double>(passed));
        return less >= static_cast<double>(shift) ? 0 : shift - static_cast<Tick>(less);
    }
    /// How long it takes until nothing is left of a shift.
    [[nodiscard]] Tick fadingTime(Tick shift) const {
        return m_slack <= 0 ? 0 : static_cast<Tick>(std::min(std::ceil(static_cast<double>(shift) / m_slack) + 1, 1e18));
    }
    /// The least new time that a point may have.
    [[nodiscard]] std::optional<Tick> neededAt(LocationIndex l, const DependencePoint &point) const {
        if (point.kind == Kind::Receive || point.kind == Kind::Probe) {
            const MessageEnd send = m_dependences.sendOf(l, point.index);
            if (send.location == none)
                return std::nullopt;
            const Tick sent = m_trace.locations[send.location].events.sends.time[send.index];
            return sent + m_sendShift[send.location][send.index] + m_latency;
        }
        if (point.kind != Kind::CollectiveEnd)
            return std::nullopt;
        const std::uint32_t instance = m_dependences.instanceNeeded(l, point.index);
        return instance == none ? std::nullopt : std::optional(m_lastEntry[instance]);
    }

    /// By location and send: the latest new time that it may have.
    [[nodiscard]] std::vector<std::vector<Tick>> limitsOfSends() const {
        std::vector<std::vector<Tick>> limits(m_shift.size());
        for (LocationIndex l = 0; l < m_shift.size(); ++l)
            limits[l].assign(m_trace.locations[l].events.sends.size(), openEnd);
        for (LocationIndex l = 0; l < m_shift.size(); ++l)
            for (std::size_t i = 0; i < m_shift[l].size(); ++i) {
                const DependencePoint &point = m_dependences.points(l)[i];
                if (point.kind != Kind::Receive && point.kind != Kind::Probe)
                    continue;
                const MessageEnd send = m_dependences.sendOf(l, point.index);
                if (send.location == none)
                    continue;
                Tick &limit = limits[send.location][send.index];
                const Tick received = point.time + m_shift[l][i];
                limit = std::min(limit, received - std::min(received, m_latency));
            }
        return limits;
    }

    /// By instance: the earliest new time at which a member leaves it that needs the others.
    [[nodiscard]] std::vector<Tick> firstLeaving() const {
        std::vector<Tick> leaving(m_trace.collectives.size(), openEnd);
        for (LocationIndex l = 0; l < m_shift.size(); ++l)
            for (std::size_t i = 0; i < m_shift[l].size(); ++i) {
                const DependencePoint &point = m_dependences.points(l)[i];
                if (point.kind != Kind::CollectiveEnd)
                    continue;
                if (const std::uint32_t instance = m_dependences.instanceNeeded(l, point.index); instance != none)
                    leaving[instance] = std::min(leaving[instance], point.time + m_shift[l][i]);
            }
        return leaving;
    }

    /// By how much a point may be moved.
    [[nodiscard]] Tick limitOf(LocationIndex l, const DependencePoint &point, const std::vector<std::vector<Tick>> &limits,
                               const std::vector<Tick> &leaving) const {
        Tick limit = openEnd;
        if (point.kind == Kind::Send)
            limit = limits[l][point.index];
        else if (point.kind == Kind::CollectiveEnter && m_dependences.isNeeded(l, point.index))
            limit = leaving[instanceOf(l, point)];
        return limit == openEnd ? openEnd : limit - std::min(limit, point.time);
    }

    const Dependences &m_dependences;
    const Trace &m_trace;
    double m_slack;
    Tick m_latency;
    std::vector<std::vector<Tick>> m_shift;     ///< by location and point: new time less old one
    std::vector<std::vector<Tick>> m_sendShift; ///< by location and send, before backward amortization
    std::vector<Tick> m_lastEntry;              ///< by instance: the latest new entry that others need
};

} // namespace

ClockViolations findViolations(const Trace &trace, const Work &work) {
    std::vector<Tick> lastEntry(trace.collectives.size(), 0);
    std::vector<Tick> firstLeaving(trace.collectives.size(), openEnd);
    ClockViolations violations;
    for (LocationIndex l = 0; l < trace.locations.size(); ++l) {
        throwIfCancelled(work);
        const Location &location = trace.locations[l];
        const LocationEvents &events = location.events;
        for (std::uint32_t i = 0; i < events.receives.size(); ++i) {
            if (events.receives.match[i] == none)
                continue;
            const Message message = trace.messageOfReceive(l, i);
            violations.messages += message.sent > message.received ? 1 : 0;
            violations.largest = std::max(violations.largest, message.sent - std::min(message.sent, message.received));
        }
        for (std::uint32_t i = 0; i < events.collectives.size(); ++i) {
            if (events.collectives.row[i] == none)
                continue;
            const Tick start = events.track.start[events.collectives.row[i]];
            if (isEntryNeeded(location, trace, i))
                lastEntry[events.collectives.instance[i]] = std::max(lastEntry[events.collectives.instance[i]], start);
            if (const std::uint32_t instance = instanceNeeded(location, trace, i); instance != none)
                firstLeaving[instance] = std::min(firstLeaving[instance], std::max(start, events.collectives.end[i]));
        }
    }
    for (std::size_t i = 0; i < lastEntry.size(); ++i)
        if (firstLeaving[i] < lastEntry[i]) {
            ++violations.collectives;
            violations.largest = std::max(violations.largest, lastEntry[i] - firstLeaving[i]);
        }
    return violations;
}

LogicalClock correctClocks(const Dependences &dependences, const Work &work, const LogicalClockOptions &options) {
    Correction correction(dependences, options);
    LogicalClock result;
    const auto problem = dependences.inOrder(
        [&correction](LocationIndex l, std::size_t first, std::size_t end) { return correction.forward(l, first, end); }, work);
    if (problem) {
        result.problem = *problem;
        return result;
    }
    correction.backward(work);
    for (LocationIndex l = 0; l < dependences.trace().locations.size(); ++l)
        result.maps.push_back(correction.mapOf(l, result.largestShift));
    return result;
}

std::shared_ptr<const ClockReport> reportClocks(const Trace &trace, const Work &work, std::shared_ptr<const Trace> *right) {
    auto report = std::make_shared<ClockReport>();
    report->before = findViolations(trace, work);
    if (!report->before.any())
        return nullptr;
    const LogicalClock clock = correctClocks(Dependences(trace, work), work);
    report->largestShift = clock.largestShift;
    report->problem = clock.problem;
    if (!clock.problem.empty())
        return report;
    const std::shared_ptr<const Trace> corrected = retimed(trace, clock.maps, work);
    report->after = findViolations(*corrected, work);
    if (right != nullptr)
        *right = corrected;
    return report;
}

} // namespace laggard
