// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/behaviour/BothModels.h"

#include "analysis/semimarkov/Histories.h"

#include <algorithm>
#include <cmath>

namespace laggard {
namespace {

constexpr double fewTimes = 2;      // means that differ by less are in most pairs of good runs
constexpr double leastShare = 0.01; // share of all time: less changes nothing for those who wait for the end

using Moments = std::vector<TimeMoments>; ///< by transition

Moments momentsOf(const RunHistory &run, std::size_t transitions, const Work &work) {
    Moments moments(transitions);
    for (const RankHistory &rank : run.ranks) {
        throwIfCancelled(work);
        if (rank.isSummary())
            continue;
        for (std::uint32_t row = 0; row < rank.size(); ++row)
            moments[rank.transition[row]].add(run.seconds(rank.duration(row)));
    }
    return moments;
}

/// By state: how often it was left.
std::vector<double> leftOf(const StateTable &table, const Moments &moments) {
    std::vector<double> left(table.states.size(), 0);
    for (std::uint32_t t = 0; t < moments.size(); ++t)
        left[table.transitions[t].from] += moments[t].count;
    return left;
}

double secondsOf(const Moments &moments) {
    double sum = 0;
    for (const TimeMoments &each : moments)
        sum += each.count * each.mean;
    return sum;
}

bool differs(const BothTransition &both, double longer) {
    if (both.times[0].count == 0 || both.times[1].count == 0)
        return true;
    const auto [least, most] = std::minmax(both.times[0].mean, both.times[1].mean);
    return most >= fewTimes * least && std::abs(both.excess()) >= leastShare * longer;
}

} // namespace

BothModels compareModelsOf(const Trace &here, const Trace &there, const Work &work) {
    const std::array<const Trace *, 2> traces{&here, &there};
    Histories histories = buildHistories(traces, work);
    BothModels both;
    both.table = std::move(histories.table);
    const std::size_t size = both.table.transitions.size();
    const std::array<Moments, 2> moments{momentsOf(histories.runs[0], size, work), momentsOf(histories.runs[1], size, work)};
    const std::array<std::vector<double>, 2> left{leftOf(both.table, moments[0]), leftOf(both.table, moments[1])};
    const double longer = std::max(secondsOf(moments[0]), secondsOf(moments[1]));
    for (std::uint32_t t = 0; t < size; ++t) {
        BothTransition transition{t, {moments[0][t], moments[1][t]}};
        for (const std::size_t run : {0, 1})
            if (const double all = left[run][both.table.transitions[t].from]; all > 0)
                transition.probability[run] = moments[run][t].count / all;
        if (transition.times[0].count + transition.times[1].count == 0)
            continue; // "not returned" stands in the table for every state
        transition.differs = differs(transition, longer);
        both.transitions.push_back(transition);
    }
    std::ranges::stable_sort(both.transitions, std::greater<>(), [](const BothTransition &t) { return std::abs(t.excess()); });
    return both;
}

} // namespace laggard
