// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/delays/Delays.h"

#include "analysis/delays/RepeatingPart.h"
#include "analysis/delays/WaitCharges.h"
#include "trace/MpiCall.h"

#include <algorithm>
#include <numeric>

namespace laggard {
namespace {

constexpr double worthKeeping = 0.01; // share of all waiting: who caused less does not lead

/// Sums up what the waits are charged to.
class ChargeSums {
  public:
    ChargeSums(const Trace &trace, const std::vector<WaitSegments> &segments, const Work &work)
        : m_trace(trace),
          m_calls(trace),
          m_parts(repeatingParts(trace, m_calls, work)),
          m_charges(chargeWaits(trace, segments, m_parts, work)) {}

    /// The time in which a rank does the same again and again.
    [[nodiscard]] TimeRange partOf(Rank rank) const { return m_parts[rank]; }

    [[nodiscard]] std::vector<Delay> delays() const {
        std::vector<Delay> list;
        for (Rank rank = 0; rank < m_charges.size(); ++rank)
            for (const WaitCharge &charge : m_charges[rank])
                list.push_back({rank, charge.callPath, secondsOf(charge.ticks), isTransit(charge.callPath), charge.once});
        std::sort(list.begin(), list.end(), [](const Delay &a, const Delay &b) {
            return std::tuple(-a.seconds, a.rank, a.callPath, a.once) < std::tuple(-b.seconds, b.rank, b.callPath, b.once);
        });
        return list;
    }
    [[nodiscard]] double transit() const {
        Tick sum = 0;
        for (const auto &ofRank : m_charges)
            for (const WaitCharge &charge : ofRank)
                sum += isTransit(charge.callPath) ? charge.ticks : 0;
        return secondsOf(sum);
    }
    /// By rank, outside `transit`.
    [[nodiscard]] std::vector<double> caused(bool once) const {
        std::vector<double> seconds;
        for (const auto &ofRank : m_charges) {
            Tick sum = 0;
            for (const WaitCharge &charge : ofRank)
                sum += charge.once == once && !isTransit(charge.callPath) ? charge.ticks : 0;
            seconds.push_back(secondsOf(sum));
        }
        return seconds;
    }

  private:
    [[nodiscard]] double secondsOf(Tick ticks) const {
        return static_cast<double>(ticks) / static_cast<double>(m_trace.clock.ticksPerSecond);
    }
    [[nodiscard]] bool isTransit(CallPathId path) const {
        return path != none && (m_calls[path].isPointToPoint() || m_calls[path].kind == MpiCall::Kind::Collective);
    }

    const Trace &m_trace;
    MpiCallTable m_calls;
    std::vector<TimeRange> m_parts;                 ///< by rank
    std::vector<std::vector<WaitCharge>> m_charges; ///< by rank
};

/// The rank that causes most waiting, and by how much it exceeds the next.
void judgeDelays(DelayReport &report) {
    if (report.waiting <= 0 || report.delays.empty())
        return;
    const auto top = std::max_element(report.causedSeconds.begin(), report.causedSeconds.end());
    const auto rank = static_cast<Rank>(top - report.causedSeconds.begin());
    double next = 0;
    for (Rank other = 0; other < report.causedSeconds.size(); ++other)
        next = other == rank ? next : std::max(next, report.causedSeconds[other]);
    const double share = *top / report.waiting;
    const auto delay = std::find_if(report.delays.begin(), report.delays.end(),
                                    [rank](const Delay &d) { return d.rank == rank && !d.transit && !d.once; });
    if (share >= worthKeeping && delay != report.delays.end())
        report.leading = *delay;
    report.standsOut = report.leading && share >= 0.25 && *top >= 2 * next && report.waiting >= 0.02 * report.total;
}

} // namespace

DelayReport findDelays(const Trace &trace, TimeRange window, const Work &work) {
    return findDelays(trace, window, findWaitSegments(trace, window, work), work);
}

DelayReport findDelays(const Trace &trace, TimeRange window, const std::vector<WaitSegments> &segments, const Work &work) {
    DelayReport report;
    report.window = window;
    const auto secondsOf = [&trace](double ticks) { return ticks / static_cast<double>(trace.clock.ticksPerSecond); };
    for (const WaitSegments &waits : segments) {
        double ticks = 0;
        for (const WaitSegment &wait : waits)
            ticks += static_cast<double>(wait.end - wait.begin);
        report.waitedSeconds.push_back(secondsOf(ticks));
        report.waiting += secondsOf(ticks);
    }
    report.total = secondsOf(static_cast<double>(window.length())) * static_cast<double>(trace.processes.size());
    const ChargeSums charges(trace, segments, work);
    report.causedSeconds = charges.caused(false);
    report.onceSeconds = charges.caused(true);
    report.transit = charges.transit();
    report.delays = charges.delays();
    std::erase_if(report.delays, [&](const Delay &delay) { return delay.seconds < 0.001 * report.waiting; });
    judgeDelays(report);
    report.longest = longestWaits(segments, DelayReport::mostLongest);
    if (report.leading)
        report.delayed =
            ranksDelayedBy(trace, segments, report.leading->rank, report.leading->callPath, charges.partOf(report.leading->rank));
    return report;
}

} // namespace laggard
