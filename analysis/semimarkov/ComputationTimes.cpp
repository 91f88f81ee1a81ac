// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/semimarkov/ComputationTimes.h"

#include "analysis/semimarkov/CountedTimes.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace laggard {

std::vector<ComputationTime> computationTimes(const Histories &histories, const PhaseTable &phases, std::size_t run,
                                              std::uint32_t phase, std::size_t rank) {
    const PhaseSpan &span = phases.span(run, phase, rank);
    const RankHistory &history = histories.runs[run].ranks[rank];
    std::map<std::uint32_t, std::vector<CountedTime>> times;
    for (std::uint32_t row = span.firstRow; row < span.endRow; ++row)
        if (const std::uint32_t t = history.transition[row]; histories.table.isComputation(t) && !histories.table.isCensored(t))
            times[t].push_back({histories.runs[run].seconds(history.duration(row)), history.countOf(row)});
    std::vector<ComputationTime> result;
    for (auto &[transition, values] : times) {
        const double count = totalCount(values);
        const auto at = [&, &times = values](double place) { return takeSmallest(times, place).seconds; };
        const double median = (at(std::floor((count - 1) / 2)) + at(std::ceil((count - 1) / 2))) / 2;
        result.push_back({transition, at(std::floor((count - 1) / 4)), median, count});
    }
    return result;
}

double SortedTimes::atWithout(double own, std::size_t place) const {
    const auto self = static_cast<std::size_t>(std::lower_bound(seconds.begin(), seconds.end(), own) - seconds.begin());
    return seconds[place < self ? place : place + 1];
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
