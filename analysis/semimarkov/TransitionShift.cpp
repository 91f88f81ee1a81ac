// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/semimarkov/TransitionShift.h"

#include "analysis/semimarkov/CountedTimes.h"
#include "trace/Parallel.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace laggard {
namespace {

constexpr double leastFactor = 2;
constexpr double mostFactor = 20;    ///< more would show by itself; so far apart are times with and without the processor
constexpr double othersAtMost = 0.5; ///< of the shift, in logarithms
constexpr double leastLoss = 0.03;   ///< of the rank's computation
constexpr double mostChance = 0.01;
constexpr double leastBelow = 0.25; ///< share of the phases before that are below the middle
constexpr std::size_t margin = 2;   ///< phases on either side

double lowerQuartile(std::vector<double> values) {
    const auto at = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) / 4);
    std::nth_element(values.begin(), at, values.end());
    return *at;
}

/// What a transition takes on a rank, phase by phase of a set.
struct Series {
    std::vector<std::uint32_t> phases; ///< in which it was taken
    std::vector<double> seconds;       ///< lower quartile of each
    std::vector<double> count;         ///< how often, in each
    std::vector<double> references;    ///< the same of the references' phases
};

using SeriesOfSet = std::map<std::pair<std::uint32_t, std::uint32_t>, Series>; ///< by set and transition

/// Calls take(transition, lower quartile, how often) for each computation of a rank in a phase of a run.
template <typename Take>
void forEachComputation(const Histories &histories, const PhaseTable &phases, std::size_t run, std::uint32_t phase,
                        std::size_t rank, Take take) {
    const PhaseSpan &span = phases.span(run, phase, rank);
    const RankHistory &history = histories.runs[run].ranks[rank];
    std::map<std::uint32_t, std::vector<CountedTime>> times;
    for (std::uint32_t row = span.firstRow; row < span.endRow; ++row)
        if (const std::uint32_t t = history.transition[row]; histories.table.isComputation(t) && !histories.table.isCensored(t))
            times[t].push_back({histories.runs[run].seconds(history.duration(row)), history.countOf(row)});
    for (auto &[transition, values] : times) {
        const double count = totalCount(values);
        take(transition, takeSmallest(values, std::floor((count - 1) / 4)).seconds, count);
    }
}

SeriesOfSet seriesOf(const Histories &histories, const PhaseTable &phases, std::size_t rank) {
    SeriesOfSet result;
    for (std::uint32_t p = 0; p < phases.size(); ++p) {
        const std::uint32_t set = phases.phases[p].set;
        forEachComputation(histories, phases, 0, p, rank, [&](std::uint32_t transition, double quartile, double count) {
            Series &series = result[{set, transition}];
            series.phases.push_back(p);
            series.seconds.push_back(quartile);
            series.count.push_back(count);
        });
        for (std::size_t run = 1; run < histories.runs.size(); ++run)
            forEachComputation(histories, phases, run, p, rank, [&](std::uint32_t transition, double quartile, double) {
                result[{set, transition}].references.push_back(quartile);
            });
    }
    return result;
}

double logChoose(double n, double k) { return std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1); }

/// Fisher's exact test, one side: that of `below` among all, at most `belowAfter` are among the `after`.
double chanceOf(double before, double after, double belowBefore, double belowAfter) {
    const double below = belowBefore + belowAfter;
    double sum = 0;
    for (double k = std::max(0.0, below - before); k <= belowAfter; ++k)
        sum += std::exp(logChoose(after, k) + logChoose(before, below - k) - logChoose(before + after, below));
    return sum;
}

struct Split {
    double before = 0;
    double after = 0;
    double chance = 1;
};

/// The series divided at a position; a chance of 1 where it is no shift.
Split splitAt(const Series &series, std::size_t at) {
    const auto middle = series.seconds.begin() + static_cast<std::ptrdiff_t>(at);
    std::vector<double> own(series.seconds.begin(), middle);
    std::vector<double> before = own;
    before.insert(before.end(), series.references.begin(), series.references.end());
    const std::vector<double> after(middle, series.seconds.end());
    Split split{lowerQuartile(before), lowerQuartile(after), 1};
    if (!(split.before > 0) || split.after < leastFactor * split.before || split.after > mostFactor * split.before)
        return split;
    const double between = std::sqrt(split.before * split.after);
    const auto below = [between](const std::vector<double> &values) {
        return static_cast<double>(std::count_if(values.begin(), values.end(), [between](double v) { return v < between; }));
    };
    if (below(own) < leastBelow * static_cast<double>(own.size()))
        return split;
    split.chance = chanceOf(static_cast<double>(before.size()), static_cast<double>(after.size()), below(before), below(after));
    return split;
}

/// A phase in which the processor was shared could belong to either side: the first one that is slow and nothing else.
std::size_t firstSlow(const Series &series, std::size_t at, double after) {
    const auto begin = series.seconds.begin() + static_cast<std::ptrdiff_t>(at);
    const auto found = std::find_if(begin, series.seconds.end(), [after](double seconds) { return seconds <= 2 * after; });
    return static_cast<std::size_t>(found - series.seconds.begin());
}

/// What a rank computes at best in a phase of the set, on average.
double bestComputation(const SeriesOfSet &all, std::uint32_t set, std::size_t phases) {
    double sum = 0;
    for (const auto &[key, series] : all)
        for (std::size_t i = 0; i < series.seconds.size() && key.first == set; ++i)
            sum += series.seconds[i] * series.count[i];
    return sum / static_cast<double>(std::max<std::size_t>(phases, 1));
}

/// Whether another rank shows something of the same at the same time.
bool othersToo(const std::vector<SeriesOfSet> &ofRank, const TransitionShift &shift, std::uint32_t set) {
    for (Rank rank = 0; rank < ofRank.size(); ++rank) {
        const auto found = ofRank[rank].find({set, shift.transition});
        if (rank == shift.rank || found == ofRank[rank].end())
            continue;
        const Series &series = found->second;
        const auto at = static_cast<std::size_t>(std::lower_bound(series.phases.begin(), series.phases.end(), shift.phase) -
                                                 series.phases.begin());
        if (at < margin || at + margin > series.seconds.size())
            continue;
        const Split split = splitAt(series, at);
        if (split.before > 0 && std::log(split.after / split.before) > othersAtMost * std::log(shift.factor()))
            return true;
    }
    return false;
}

} // namespace

std::optional<TransitionShift> transitionShift(const Histories &histories, const PhaseTable &phases, const Work &work) {
    std::vector<SeriesOfSet> ofRank(phases.ranks());
    forEachParallel(ofRank.size(), work, [&](std::size_t rank, unsigned) { ofRank[rank] = seriesOf(histories, phases, rank); });
    double tried = 0;
    std::vector<std::pair<TransitionShift, std::uint32_t>> candidates; // with their sets
    for (Rank rank = 0; rank < ofRank.size(); ++rank)
        for (const auto &[key, series] : ofRank[rank]) {
            throwIfCancelled(work);
            TransitionShift best{0, rank, key.second, 0, 0, 1, 0};
            tried += 1;
            double counts = 0;
            for (std::size_t at = margin; at + margin <= series.seconds.size(); ++at) {
                const Split split = splitAt(series, at);
                if (split.chance < best.chance) {
                    best.phase = series.phases[firstSlow(series, at, split.after)];
                    best.before = split.before;
                    best.after = split.after;
                    best.chance = split.chance;
                }
            }
            for (const double count : series.count)
                counts += count;
            if (best.chance >= 1)
                continue;
            best.lost = (best.after - best.before) * counts / static_cast<double>(series.count.size());
            candidates.emplace_back(best, key.first);
        }
    std::optional<TransitionShift> result;
    for (auto &[shift, set] : candidates) {
        shift.chance *= tried;
        const double computation = bestComputation(ofRank[shift.rank], set, phases.sets[set].phases);
        if (shift.chance <= mostChance && shift.lost >= leastLoss * computation && (!result || shift.lost > result->lost) &&
            !othersToo(ofRank, shift, set))
            result = shift;
    }
    return result;
}

} // namespace laggard
