// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/behaviour/StatePlaces.h"

#include "trace/Parallel.h"

#include <algorithm>
#include <map>
#include <set>

namespace laggard {
namespace {

/// What a function took of a state, added up over its occurrences.
struct FunctionTime {
    double ticks = 0;
    double moment = 0; ///< ticks, each times the share of the state's time that was over by then

    /// `begin`, `end`: ticks since the state began, which lasted `length`.
    void add(double begin, double end, double length, double sign) {
        ticks += sign * (end - begin);
        moment += sign * (end - begin) * (begin + end) / (2 * length);
    }
    [[nodiscard]] double middle() const { return ticks > 0 ? moment / ticks : 0; }
};

using StateTimes = std::map<RegionId, FunctionTime>; ///< by innermost function

/// Adds the time in [begin, end) to the innermost function of each moment.
void addStateTimes(const Trace &trace, const Track &track, Tick begin, Tick end, StateTimes &times) {
    const auto endOf = [&](std::uint32_t row) { return std::min(end, track.isOpen(row) ? trace.range.end : track.end[row]); };
    const auto regionOf = [&](std::uint32_t row) { return trace.callPaths[track.callPath[row]].region; };
    const auto since = [begin](Tick at) { return static_cast<double>(at - begin); };
    Tick reached = begin; // callers open at the beginning, innermost first
    std::uint32_t row = track.innermostAt(begin);
    for (; row != none && reached < end; row = track.parent[row]) {
        const Tick until = std::max(reached, endOf(row));
        times[regionOf(row)].add(since(reached), since(until), since(end), 1);
        reached = until;
    }
    const auto first = std::upper_bound(track.start.begin(), track.start.end(), begin);
    for (auto at = first; at != track.start.end() && *at < end; ++at) {
        const auto call = static_cast<std::uint32_t>(at - track.start.begin());
        times[regionOf(call)].add(since(track.start[call]), since(endOf(call)), since(end), 1);
        if (track.parent[call] != none)
            times[regionOf(track.parent[call])].add(since(track.start[call]), since(endOf(call)), since(end), -1);
    }
}

double sumOf(const StateTimes &times) {
    double sum = 0;
    for (const auto &[region, time] : times)
        sum += std::max(0.0, time.ticks);
    return sum;
}

/// When a function comes, each way out counted once: one rank that stays in it for long does not
/// move it behind the others.
double middleOf(RegionId region, const std::map<std::uint32_t, StateTimes> &byTransition) {
    double sum = 0;
    double ways = 0;
    for (const auto &[transition, times] : byTransition)
        if (const auto time = times.find(region); time != times.end() && time->second.ticks > 0) {
            sum += time->second.middle();
            ++ways;
        }
    return ways > 0 ? sum / ways : 0;
}

/// The parts of a state, and after which of them it is left by each transition out of it.
void divide(StatePlace &place, const StateTimes &whole, const std::map<std::uint32_t, StateTimes> &byTransition) {
    const double sum = sumOf(whole);
    // A tenth of the time of any one way out is enough: if one rank never came back, it has nearly all the time of the state.
    std::set<RegionId> parts;
    for (const auto &[transition, times] : byTransition)
        for (const auto &[region, time] : times)
            if (time.ticks > 0 && time.ticks >= StatePlace::leastPart * sumOf(times))
                parts.insert(region);
    std::vector<std::pair<double, StatePart>> found;
    for (const RegionId region : parts)
        found.push_back({middleOf(region, byTransition), {region, whole.at(region).ticks / sum}});
    std::ranges::stable_sort(found, {}, [](const auto &each) { return each.first; });
    for (const auto &[middle, part] : found)
        place.parts.push_back(part);
    for (const auto &[transition, times] : byTransition) {
        const double least = StatePlace::leastPart * sumOf(times);
        for (std::size_t part = place.parts.size(); part-- > 0;)
            if (const auto time = times.find(place.parts[part].region); time != times.end() && time->second.ticks >= least) {
                place.leaving[transition] = part;
                break;
            }
    }
}

} // namespace

std::vector<StatePlace> statePlaces(const Trace &trace, const Histories &histories, const PhaseTable &phases, std::size_t phase,
                                    const Work &work) {
    const StateTable &table = histories.table;
    const RunHistory &run = histories.runs[0];
    const std::size_t workers = std::max<std::size_t>(1, work.threadCount());
    std::vector<std::map<std::uint32_t, StateTimes>> byWorker(workers); // by transition
    forEachParallel(phases.ranks(), work, [&](std::size_t rank, unsigned worker) {
        const PhaseSpan &span = phases.span(0, phase, rank);
        const LocationEvents *events = trace.mainEvents(static_cast<Rank>(rank));
        const RankHistory &history = run.ranks[rank];
        if (!span.present() || events == nullptr || history.isSummary())
            return;
        for (std::uint32_t row = span.firstRow; row < span.endRow; ++row)
            if (table.isComputation(history.transition[row]))
                addStateTimes(trace, events->track, history.start[row], history.endOf(row),
                              byWorker[worker][history.transition[row]]);
    });
    std::vector<std::map<std::uint32_t, StateTimes>> byState(table.states.size()); // then by transition
    for (const auto &part : byWorker)
        for (const auto &[transition, times] : part)
            for (const auto &[region, time] : times) {
                FunctionTime &sum = byState[table.transitions[transition].from][transition][region];
                sum.ticks += time.ticks;
                sum.moment += time.moment;
            }
    std::vector<StatePlace> places(table.states.size());
    for (std::uint32_t state = 0; state < places.size(); ++state) {
        StateTimes times;
        for (const auto &[transition, each] : byState[state])
            for (const auto &[region, time] : each) {
                times[region].ticks += time.ticks;
                times[region].moment += time.moment;
            }
        const double sum = sumOf(times);
        const auto most = std::ranges::max_element(times, {}, [](const auto &each) { return each.second.ticks; });
        if (sum <= 0 || most->second.ticks <= 0)
            continue;
        places[state].region = most->first;
        places[state].share = most->second.ticks / sum;
        places[state].seconds = run.seconds(most->second.ticks);
        divide(places[state], times, byState[state]);
    }
    return places;
}

} // namespace laggard
