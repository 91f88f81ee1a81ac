// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/behaviour/StatePlaces.h"

#include "trace/Parallel.h"

#include <algorithm>
#include <map>

namespace laggard {
namespace {

using StateTimes = std::map<RegionId, double>; ///< ticks by innermost function

/// Adds the time in [begin, end) to the innermost function of each moment.
void addStateTimes(const Trace &trace, const Track &track, Tick begin, Tick end, StateTimes &times) {
    const auto endOf = [&](std::uint32_t row) { return std::min(end, track.isOpen(row) ? trace.range.end : track.end[row]); };
    const auto regionOf = [&](std::uint32_t row) { return trace.callPaths[track.callPath[row]].region; };
    Tick reached = begin; // callers open at the beginning, innermost first
    std::uint32_t row = track.innermostAt(begin);
    for (; row != none && reached < end; row = track.parent[row]) {
        const Tick until = std::max(reached, endOf(row));
        times[regionOf(row)] += static_cast<double>(until - reached);
        reached = until;
    }
    const auto first = std::upper_bound(track.start.begin(), track.start.end(), begin);
    for (auto at = first; at != track.start.end() && *at < end; ++at) {
        const auto call = static_cast<std::uint32_t>(at - track.start.begin());
        const auto length = static_cast<double>(endOf(call) - track.start[call]);
        times[regionOf(call)] += length;
        if (track.parent[call] != none)
            times[regionOf(track.parent[call])] -= length;
    }
}

} // namespace

std::vector<StatePlace> statePlaces(const Trace &trace, const Histories &histories, const PhaseTable &phases, std::size_t phase,
                                    const Work &work) {
    const StateTable &table = histories.table;
    const RunHistory &run = histories.runs[0];
    const std::size_t workers = std::max<std::size_t>(1, work.threadCount());
    std::vector<std::map<std::uint32_t, StateTimes>> byWorker(workers);
    forEachParallel(phases.ranks(), work, [&](std::size_t rank, unsigned worker) {
        const PhaseSpan &span = phases.span(0, phase, rank);
        const LocationEvents *events = trace.mainEvents(static_cast<Rank>(rank));
        const RankHistory &history = run.ranks[rank];
        if (!span.present() || events == nullptr || history.isSummary())
            return;
        for (std::uint32_t row = span.firstRow; row < span.endRow; ++row)
            if (table.isComputation(history.transition[row]))
                addStateTimes(trace, events->track, history.start[row], history.endOf(row),
                              byWorker[worker][table.transitions[history.transition[row]].from]);
    });
    std::vector<StatePlace> places(table.states.size());
    for (std::uint32_t state = 0; state < places.size(); ++state) {
        StateTimes times;
        for (const auto &part : byWorker)
            if (const auto found = part.find(state); found != part.end())
                for (const auto &[region, ticks] : found->second)
                    times[region] += ticks;
        double sum = 0;
        for (const auto &[region, ticks] : times) {
            sum += std::max(0.0, ticks);
            if (ticks > 0 && (places[state].region == none || ticks > times[places[state].region]))
                places[state].region = region;
        }
        if (places[state].region == none || sum <= 0)
            continue;
        places[state].share = times[places[state].region] / sum;
        places[state].seconds = run.seconds(times[places[state].region]);
    }
    return places;
}

} // namespace laggard
