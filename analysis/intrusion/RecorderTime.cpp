// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/intrusion/RecorderTime.h"

#include <algorithm>

namespace laggard {
namespace {

constexpr std::size_t fewestFunctions = 200; // fewer say nothing about the shortest, and take nothing to speak of
constexpr Tick mostReadings = 4;             // readings of the clock: a guess that rather takes out too little than too much

/// Times at which announced functions were entered or left, each a record of its own. In order.
std::vector<Tick> functionEvents(const Trace &trace, const LocationEvents &events, const MpiCallTable &mpi) {
    std::vector<Tick> times;
    if (!events.tellsFunctions)
        return times;
    const Track &track = events.track;
    for (std::uint32_t row = 0; row < track.size(); ++row) {
        if (mpi[track.callPath[row]].isMpi() || trace.region(track.callPath[row]).isMpi())
            continue;
        times.push_back(track.start[row]);
        if (!track.isOpen(row))
            times.push_back(track.end[row]);
    }
    std::sort(times.begin(), times.end());
    return times;
}

} // namespace

Tick costOfFunctionEvent(const Trace &trace, const LocationEvents &events, const MpiCallTable &mpi) {
    if (events.costs.size() == 0 || events.costs.clockCost == 0)
        return 0;
    const std::vector<Tick> times = functionEvents(trace, events, mpi);
    if (times.size() < fewestFunctions)
        return 0;
    std::vector<Tick> distances;
    for (std::size_t i = 1; i < times.size(); ++i)
        if (times[i] != times[i - 1]) // what was made up from stacks begins and ends with a call
            distances.push_back(times[i] - times[i - 1]);
    if (distances.empty())
        return 0;
    const auto place = distances.begin() + static_cast<std::ptrdiff_t>(distances.size() / 100);
    std::nth_element(distances.begin(), place, distances.end());
    return std::min(*place, mostReadings * events.costs.clockCost);
}

RecorderTime::RecorderTime(const Trace &trace, const LocationEvents &events, const MpiCallTable &mpi) {
    const Track &track = events.track;
    const RecorderCosts &costs = events.costs;
    const Tick perFunction = costOfFunctionEvent(trace, events, mpi);
    std::vector<std::pair<Tick, Tick>> work; // begin, end
    std::size_t poll = 0;
    for (std::uint32_t row = 0; row < track.size(); ++row) {
        const MpiCall &call = mpi[track.callPath[row]];
        if (!call.isMpi()) {
            if (perFunction != 0 && events.tellsFunctions) {
                work.emplace_back(track.start[row], track.start[row] + perFunction);
                if (!track.isOpen(row))
                    work.emplace_back(track.end[row], track.end[row] + perFunction);
            }
            continue;
        }
        if (!isOutermostMpi(trace, track, row))
            continue;
        const Tick end = track.isOpen(row) ? std::max(trace.range.end, track.start[row]) : track.end[row];
        CostedCall costed{track.start[row], track.start[row], end, row, call.isPoll(), 0};
        while (poll < events.polls.size() && events.polls[poll].row < row)
            ++poll;
        if (poll < events.polls.size() && events.polls[poll].row == row)
            costed.pollCount = events.polls[poll].count;
        if (const std::size_t cost = costs.find(row); cost != none) {
            costed.begun = std::min(costed.start + costs.entry[cost], end);
            work.emplace_back(costed.start, costed.begun);
            if (!track.isOpen(row))
                work.emplace_back(end, end + costs.exit[cost]);
        }
        m_calls.push_back(costed);
    }
    std::sort(work.begin(), work.end());
    for (std::size_t i = 0; i < work.size(); ++i) // the recorder is never at two things: the next event cuts it short
        add(work[i].first,
            i + 1 < work.size() ? std::min(work[i].second, std::max(work[i + 1].first, work[i].first)) : work[i].second);
    // What comes after the exit of a call is told to come after it: a call that begins before is one that no cost is known of.
    for (CostedCall &call : m_calls)
        call.begun = std::clamp(call.begun, call.start, call.end);
}

void RecorderTime::add(Tick begin, Tick end) {
    if (end <= begin)
        return;
    const Tick before = m_stretches.empty() ? 0 : m_stretches.back().before + m_stretches.back().end - m_stretches.back().begin;
    m_stretches.push_back({begin, end, before});
}

std::size_t RecorderTime::callOfSend(Tick time) const {
    const auto after = std::upper_bound(m_calls.begin(), m_calls.end(), time,
                                        [](Tick wanted, const CostedCall &call) { return wanted < call.start; });
    return after == m_calls.begin() ? none : static_cast<std::size_t>(after - m_calls.begin()) - 1;
}

std::size_t RecorderTime::callOfCompletion(Tick time) const {
    const auto found = std::lower_bound(m_calls.begin(), m_calls.end(), time,
                                        [](const CostedCall &call, Tick wanted) { return call.end < wanted; });
    return found == m_calls.end() || found->start > time ? none : static_cast<std::size_t>(found - m_calls.begin());
}

Tick RecorderTime::until(Tick time) const {
    const auto after = std::upper_bound(m_stretches.begin(), m_stretches.end(), time,
                                        [](Tick wanted, const Stretch &stretch) { return wanted < stretch.begin; });
    if (after == m_stretches.begin())
        return 0;
    const Stretch &last = *(after - 1);
    return last.before + std::min(time, last.end) - last.begin;
}

} // namespace laggard
