// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/progress/TransitionTimes.h"

#include "trace/Parallel.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <unordered_map>

namespace laggard {
namespace {

/// States by call path.
class StateNumbers {
  public:
    StateNumbers(const Trace &trace, const ModelSet &models)
        : m_communication(trace.callPaths.size(), none), m_computation(trace.callPaths.size(), none) {
        for (std::uint32_t state = 0; state < models.states.size(); ++state) {
            const ModelState &each = models.states[state];
            if (each.kind == ModelState::Kind::Start)
                m_start = state;
            else if (each.callPath < m_communication.size())
                (each.kind == ModelState::Kind::Communication ? m_communication : m_computation)[each.callPath] = state;
        }
    }
    [[nodiscard]] std::uint32_t start() const { return m_start; }
    [[nodiscard]] std::uint32_t in(CallPathId path) const { return m_communication[path]; }
    [[nodiscard]] std::uint32_t after(CallPathId path) const { return m_computation[path]; }

  private:
    std::uint32_t m_start = none;
    std::vector<std::uint32_t> m_communication;
    std::vector<std::uint32_t> m_computation;
};

/// Times of one transition while they are collected: Welford's sums.
struct Sums {
    std::uint64_t count = 0;
    double mean = 0;
    double squares = 0; ///< of deviations from the mean
    double shortest = 0;
    double longest = 0;
    Histogram histogram;

    void add(double seconds) {
        ++count;
        const double before = seconds - mean;
        mean += before / static_cast<double>(count);
        squares += before * (seconds - mean);
        shortest = count == 1 ? seconds : std::min(shortest, seconds);
        longest = std::max(longest, seconds);
        histogram.add(seconds);
    }
    void merge(const Sums &other) {
        if (count == 0) {
            *this = other;
            return;
        }
        const auto mine = static_cast<double>(count);
        const auto theirs = static_cast<double>(other.count);
        const double between = other.mean - mean;
        squares += other.squares + between * between * mine * theirs / (mine + theirs);
        mean += between * theirs / (mine + theirs);
        count += other.count;
        shortest = std::min(shortest, other.shortest);
        longest = std::max(longest, other.longest);
        histogram.merge(other.histogram);
    }
};

using Key = std::tuple<std::int32_t, std::uint32_t, std::uint32_t>; // phase, from, to
using SumsByKey = std::map<Key, Sums>;

/// Walks over the MPI calls of one rank, as its model does.
void collect(const Trace &trace, Rank rank, const StateNumbers &numbers, SumsByKey &sums) {
    const LocationEvents *events = trace.mainEvents(rank);
    if (events == nullptr || events->track.empty())
        return;
    const Track &track = events->track;
    const double tick = 1 / static_cast<double>(trace.clock.ticksPerSecond);
    std::uint32_t state = numbers.start();
    Tick since = track.start[0];
    std::size_t phase = 0;
    const auto take = [&](std::uint32_t to, Tick at) {
        while (phase < events->phases.size() && events->phases[phase].time <= at)
            ++phase;
        if (state != none && to != none)
            sums[{static_cast<std::int32_t>(phase), state, to}].add(static_cast<double>(at - since) * tick);
        state = to;
        since = at;
    };
    for (std::uint32_t row = 0; row < track.size(); ++row) {
        const CallPathId path = track.callPath[row];
        if (numbers.in(path) == none) // outside MPI, or within an MPI call
            continue;
        take(numbers.in(path), track.start[row]);
        if (track.isOpen(row))
            return;
        take(numbers.after(path), track.end[row]);
    }
}

std::vector<PhaseTransitionTimes> finish(const SumsByKey &sums, const RankSet &ranks) {
    std::vector<PhaseTransitionTimes> result;
    for (const auto &[key, times] : sums) {
        const auto [phase, from, to] = key;
        if (result.empty() || result.back().phase != phase)
            result.push_back({ranks, phase, {}});
        result.back().transitions.push_back({from, to, times.count, times.mean,
                                             std::sqrt(times.squares / static_cast<double>(times.count)), times.shortest,
                                             times.longest, times.histogram});
    }
    return result;
}

} // namespace

std::vector<PhaseTransitionTimes> transitionTimes(const Trace &trace, const ModelSet &models, std::size_t mostSingleRanks,
                                                  const Work &work) {
    const StateNumbers numbers(trace, models);
    const std::size_t rankCount = std::min(trace.processes.size(), models.modelOfRank.size());
    std::vector<RankSet> groups;
    if (rankCount <= mostSingleRanks) {
        for (Rank rank = 0; rank < rankCount; ++rank)
            groups.push_back({rank});
    } else {
        groups.resize(models.models.size());
        for (Rank rank = 0; rank < rankCount; ++rank)
            if (models.modelOfRank[rank] != none)
                groups[models.modelOfRank[rank]].push_back(rank);
    }
    std::vector<std::vector<PhaseTransitionTimes>> found(groups.size());
    forEachParallel(groups.size(), work, [&](std::size_t group, unsigned) {
        SumsByKey all;
        for (const Rank rank : groups[group]) {
            throwIfCancelled(work);
            SumsByKey sums;
            collect(trace, rank, numbers, sums);
            for (const auto &[key, times] : sums)
                all[key].merge(times);
        }
        found[group] = finish(all, groups[group]);
    });
    std::vector<PhaseTransitionTimes> result;
    for (auto &some : found)
        std::move(some.begin(), some.end(), std::back_inserter(result));
    return result;
}

} // namespace laggard
