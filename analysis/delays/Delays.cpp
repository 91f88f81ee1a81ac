// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/delays/Delays.h"

#include "analysis/delays/RepeatingPart.h"
#include "analysis/delays/WaitSegments.h"
#include "analysis/verdict/Describe.h"
#include "trace/MpiCall.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace laggard {
namespace {

// Shares of all waiting.
constexpr double worthKeeping = 0.01; // who caused less does not lead
constexpr double worthSaying = 0.1;   // what is less is no sentence: a person would look for more
constexpr int mostSteps = 16;         // from rank to rank: beyond, what is left is charged to the rank where it stands

/// What part of a second on rank's time line is charged with how much waiting.
struct Charge {
    Rank rank;
    TimeRange time;
    double weight; ///< rank-seconds of waiting for each second of `time`
    int steps;
};

class Charger {
  public:
    Charger(const Trace &trace, const std::vector<WaitSegments> &segments, const Work &work)
        : m_trace(trace),
          m_segments(segments),
          m_calls(trace),
          m_parts(repeatingParts(trace, m_calls, work)),
          m_caused(trace.processes.size()),
          m_once(trace.processes.size()) {}

    void chargeAll(const Work &work) {
        for (Rank waiter = 0; waiter < m_segments.size(); ++waiter)
            for (std::size_t i = 0; i < m_segments[waiter].size(); ++i) {
                if (i % 1024 == 0)
                    throwIfCancelled(work);
                const WaitSegment &segment = m_segments[waiter][i];
                charge({segment.cause, {segment.begin, segment.end}, 1, 0});
            }
    }

    std::vector<Delay> delays() const {
        std::vector<Delay> list;
        for (const auto &[key, ticks] : m_byPath)
            list.push_back({key.rank, key.path, secondsOf(ticks), isTransit(key.path), key.once});
        std::sort(list.begin(), list.end(), [](const Delay &a, const Delay &b) {
            return std::tuple(-a.seconds, a.rank, a.callPath, a.once) < std::tuple(-b.seconds, b.rank, b.callPath, b.once);
        });
        return list;
    }
    double transit() const { return secondsOf(m_transit); }
    std::vector<double> caused() const { return secondsOf(m_caused); }
    std::vector<double> once() const { return secondsOf(m_once); }

  private:
    struct Key {
        Rank rank;
        CallPathId path;
        bool once;
        auto operator<=>(const Key &) const = default;
    };

    [[nodiscard]] double secondsOf(double ticks) const { return ticks / static_cast<double>(m_trace.clock.ticksPerSecond); }
    [[nodiscard]] std::vector<double> secondsOf(const std::vector<double> &ticks) const {
        std::vector<double> seconds;
        for (const double one : ticks)
            seconds.push_back(secondsOf(one));
        return seconds;
    }

    void charge(Charge first) {
        m_open.assign(1, first);
        while (!m_open.empty()) {
            const Charge charge = m_open.back();
            m_open.pop_back();
            const WaitSegments &waits = m_segments[charge.rank];
            Tick now = charge.time.begin;
            auto wait = std::partition_point(waits.begin(), waits.end(), [&](const WaitSegment &w) { return w.end <= now; });
            while (now < charge.time.end) {
                const bool inWait = wait != waits.end() && wait->begin <= now;
                const Tick until = std::min(charge.time.end, inWait ? wait->end : wait != waits.end() ? wait->begin : openEnd);
                if (inWait && charge.steps < mostSteps && wait->cause != charge.rank)
                    m_open.push_back({wait->cause, {now, until}, charge.weight, charge.steps + 1});
                else
                    spread(charge.rank, {now, until}, charge.weight);
                now = until;
                if (inWait)
                    ++wait;
            }
        }
    }

    /// Charges a stretch of a rank's time to the call paths that were innermost then.
    void spread(Rank rank, TimeRange time, double weight) {
        const LocationEvents *events = m_trace.mainEvents(rank);
        if (events == nullptr || events->track.empty()) {
            note(rank, none, time, weight);
            return;
        }
        const Track &track = events->track;
        std::uint32_t row = track.innermostAt(time.begin);
        auto next = static_cast<std::uint32_t>(std::upper_bound(track.start.begin(), track.start.end(), time.begin) -
                                               track.start.begin());
        Tick now = time.begin;
        while (now < time.end) {
            // The innermost call lasts until it ends or the next one begins within it.
            const Tick ends = row == none ? openEnd : track.end[row];
            const Tick begins = next < track.size() ? track.start[next] : openEnd;
            const Tick until = std::min({time.end, ends, begins});
            note(rank, row == none ? none : track.callPath[row], {now, until}, weight);
            now = until;
            if (until == begins && until < ends)
                row = next++;
            else if (until == ends && row != none)
                row = track.parent[row];
        }
    }
    [[nodiscard]] bool isTransit(CallPathId path) const {
        return path != none && (m_calls[path].isPointToPoint() || m_calls[path].kind == MpiCall::Kind::Collective);
    }
    void note(Rank rank, CallPathId path, TimeRange time, double weight) {
        const TimeRange &part = m_parts[rank];
        const Tick begin = std::max(time.begin, part.begin);
        const Tick end = std::min(time.end, part.end);
        const Tick within = std::max(begin, end) - begin;
        note({rank, path, false}, weight * static_cast<double>(within));
        note({rank, path, true}, weight * static_cast<double>(time.length() - within));
    }
    void note(const Key &key, double ticks) {
        if (ticks <= 0)
            return;
        m_byPath[key] += ticks;
        (isTransit(key.path) ? m_transit : key.once ? m_once[key.rank] : m_caused[key.rank]) += ticks;
    }

    const Trace &m_trace;
    const std::vector<WaitSegments> &m_segments;
    MpiCallTable m_calls;
    std::vector<TimeRange> m_parts; ///< by rank
    std::vector<double> m_caused;   ///< by rank
    std::vector<double> m_once;     ///< by rank
    double m_transit = 0;
    std::map<Key, double> m_byPath;
    std::vector<Charge> m_open;
};

/// The rank that causes most waiting, and by how much it exceeds the next.
void judgeDelays(const Trace &trace, DelayReport &report) {
    if (report.waiting <= 0 || report.delays.empty())
        return;
    const auto top = std::max_element(report.causedSeconds.begin(), report.causedSeconds.end());
    const auto rank = static_cast<Rank>(top - report.causedSeconds.begin());
    double next = 0;
    for (Rank other = 0; other < report.causedSeconds.size(); ++other)
        next = other == rank ? next : std::max(next, report.causedSeconds[other]);
    const double share = *top / report.waiting;
    const double once = std::accumulate(report.onceSeconds.begin(), report.onceSeconds.end(), 0.0);

    const auto delay = std::find_if(report.delays.begin(), report.delays.end(),
                                    [rank](const Delay &d) { return d.rank == rank && !d.transit && !d.once; });
    if (share >= worthKeeping && delay != report.delays.end())
        report.leading = *delay;
    if (share >= worthSaying)
        report.why =
            "Rank " + std::to_string(rank) + " made the others wait most: " + describeShare(share) + " of all waiting (" +
            describeDuration(*top) + " of " + describeDuration(report.waiting) + ", summed over the waiting ranks)" +
            (report.leading ? ", most of it while it was in " + describeCall(trace, report.leading->callPath) : "") + ". ";
    else if (report.transit + once < 0.9 * report.waiting)
        report.why = "Nobody made the others wait for more than " + describeShare(worthSaying) + " of all waiting (" +
                     describeDuration(report.waiting) + ", summed over the waiting ranks). ";
    report.standsOut = report.leading && share >= 0.25 && *top >= 2 * next && report.waiting >= 0.02 * report.total;
    if (report.transit >= worthSaying * report.waiting)
        report.why += describeShare(report.transit / report.waiting) +
                      " of all waiting is nobody's doing: data were on their way, or who was to take them had no processor. ";
    if (once >= worthSaying * report.waiting)
        report.why += describeShare(once / report.waiting) +
                      " of all waiting was for what ranks do once, before their first step or behind the last one. ";
    report.why += "Waiting takes " + describeShare(report.waiting / report.total) + " of the ranks' time.";
}

} // namespace

DelayReport findDelays(const Trace &trace, TimeRange window, const Work &work) {
    DelayReport report;
    report.window = window;
    const std::vector<WaitSegments> segments = findWaitSegments(trace, window, work);
    const auto secondsOf = [&trace](double ticks) { return ticks / static_cast<double>(trace.clock.ticksPerSecond); };
    for (const WaitSegments &waits : segments) {
        double ticks = 0;
        for (const WaitSegment &wait : waits)
            ticks += static_cast<double>(wait.end - wait.begin);
        report.waitedSeconds.push_back(secondsOf(ticks));
        report.waiting += secondsOf(ticks);
    }
    report.total = secondsOf(static_cast<double>(window.length())) * static_cast<double>(trace.processes.size());
    Charger charger(trace, segments, work);
    charger.chargeAll(work);
    report.causedSeconds = charger.caused();
    report.onceSeconds = charger.once();
    report.transit = charger.transit();
    report.delays = charger.delays();
    std::erase_if(report.delays, [&](const Delay &delay) { return delay.seconds < 0.001 * report.waiting; });
    judgeDelays(trace, report);
    return report;
}

} // namespace laggard
