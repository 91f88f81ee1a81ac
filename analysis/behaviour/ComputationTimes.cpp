// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/behaviour/ComputationTimes.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace laggard {

std::vector<ComputationTime> computationTimes(const Histories &histories, const PhaseTable &phases, std::size_t run,
                                              std::uint32_t phase, std::size_t rank) {
    const PhaseSpan &span = phases.span(run, phase, rank);
    const RankHistory &history = histories.runs[run].ranks[rank];
    struct Time {
        std::uint32_t transition;
        double seconds;
        double count;
    };
    std::vector<Time> times;
    times.reserve(span.rows());
    for (std::uint32_t row = span.firstRow; row < span.endRow; ++row)
        if (const std::uint32_t t = history.transition[row]; histories.table.isComputation(t) && !histories.table.isCensored(t))
            times.push_back({t, histories.runs[run].seconds(history.duration(row)), history.countOf(row)});
    std::sort(times.begin(), times.end(),
              [](const Time &a, const Time &b) { return std::tie(a.transition, a.seconds) < std::tie(b.transition, b.seconds); });
    std::vector<ComputationTime> result;
    for (std::size_t begin = 0; begin < times.size();) {
        std::size_t end = begin;
        double count = 0;
        for (; end < times.size() && times[end].transition == times[begin].transition; ++end)
            count += times[end].count;
        const auto at = [&](double place) {
            std::size_t i = begin;
            for (; i + 1 < end && place >= times[i].count; ++i)
                place -= times[i].count;
            return times[i].seconds;
        };
        const double median = (at(std::floor((count - 1) / 2)) + at(std::ceil((count - 1) / 2))) / 2;
        result.push_back({times[begin].transition, at(std::floor((count - 1) / 4)), median, count});
        begin = end;
    }
    return result;
}

double SortedTimes::atWithout(double own, std::size_t place) const {
    // Places from its own on are one further.
    return seconds[place] < own ? seconds[place] : seconds[place + 1];
}

double SortedTimes::quartileWithout(double own, std::size_t fewest) const {
    const std::size_t others = seconds.size() - 1;
    return others < fewest || others == 0 ? 0 : atWithout(own, (others - 1) / 4);
}

double SortedTimes::medianWithout(double own) const {
    const std::size_t others = seconds.size() - 1;
    return others == 0 ? 0 : (atWithout(own, (others - 1) / 2) + atWithout(own, others / 2)) / 2;
}

} // namespace laggard
