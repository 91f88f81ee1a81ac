// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/behaviour/TransitionShift.h"

#include "analysis/behaviour/ComputationTimes.h"
#include "analysis/behaviour/FisherTest.h"
#include "analysis/behaviour/ShiftConstants.h"
#include "analysis/semimarkov/RunningQuartile.h"
#include "trace/Parallel.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <span>

namespace laggard {
namespace {

double lowerQuartile(std::vector<double> values) {
    const auto at = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) / 4);
    std::nth_element(values.begin(), at, values.end());
    return *at;
}

/// What a transition takes on a rank of a run, phase by phase of a set.
struct Series {
    std::vector<std::uint32_t> phases; ///< phases in which it was taken
    std::vector<double> seconds;       ///< lower quartile of each
    std::vector<double> relative;      ///< the same over what other ranks take
    std::vector<double> count;         ///< how often, in each
    std::vector<double> references;    ///< for the judged run: `relative` in the references' phases
};

using SeriesOfSet = std::map<std::pair<std::uint32_t, std::uint32_t>, Series>; ///< by set and transition

SeriesOfSet seriesOf(const Histories &histories, const PhaseTable &phases, std::size_t run, std::size_t rank) {
    SeriesOfSet result;
    for (std::uint32_t p = 0; p < phases.size(); ++p)
        for (const ComputationTime &time : computationTimes(histories, phases, run, p, rank)) {
            Series &series = result[{phases.phases[p].set, time.transition}];
            series.phases.push_back(p);
            series.seconds.push_back(time.quartile);
            series.count.push_back(time.count);
        }
    return result;
}

/// Fills in `relative` of all ranks of a run; 0 where hardly any other rank takes the transition.
void compareRanks(std::vector<SeriesOfSet> &ofRank, std::size_t phases, const Work &work) {
    std::map<SeriesOfSet::key_type, std::vector<Series *>> byKey;
    for (SeriesOfSet &series : ofRank)
        for (auto &[key, one] : series)
            byKey[key].push_back(&one);
    std::vector<const std::vector<Series *> *> all;
    for (const auto &[key, series] : byKey)
        all.push_back(&series);
    forEachParallel(all.size(), work, [&](std::size_t i, unsigned) {
        std::vector<SortedTimes> ofPhase(phases);
        for (const Series *series : *all[i])
            for (std::size_t j = 0; j < series->phases.size(); ++j)
                ofPhase[series->phases[j]].seconds.push_back(series->seconds[j]);
        for (SortedTimes &times : ofPhase)
            std::sort(times.seconds.begin(), times.seconds.end());
        for (Series *series : *all[i])
            for (std::size_t j = 0; j < series->phases.size(); ++j) {
                const double usual = ofPhase[series->phases[j]].quartileWithout(series->seconds[j], shifts::fewest);
                series->relative.push_back(usual > 0 ? series->seconds[j] / usual : 0);
            }
    });
}

/// Where other ranks are no measure, the same phase of the references is; where neither is, times stand for themselves.
void compareRuns(std::vector<std::vector<SeriesOfSet>> &runs, std::size_t rank) {
    std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, SortedTimes> references; // by set, transition and phase
    for (std::size_t run = 1; run < runs.size(); ++run)
        for (const auto &[key, series] : runs[run][rank])
            for (std::size_t i = 0; i < series.phases.size(); ++i)
                references[{key.first, key.second, series.phases[i]}].seconds.push_back(series.seconds[i]);
    for (auto &[key, one] : references)
        std::sort(one.seconds.begin(), one.seconds.end());
    for (std::size_t run = 0; run < runs.size(); ++run)
        for (auto &[key, series] : runs[run][rank])
            for (std::size_t i = 0; i < series.phases.size(); ++i) {
                if (series.relative[i] > 0)
                    continue;
                SortedTimes same = references[{key.first, key.second, series.phases[i]}];
                if (run == 0)
                    same.seconds.insert(std::upper_bound(same.seconds.begin(), same.seconds.end(), series.seconds[i]),
                                        series.seconds[i]);
                const double usual = same.quartileWithout(series.seconds[i], shifts::fewest);
                series.relative[i] = series.seconds[i] / (usual > 0 ? usual : 1);
            }
}

/// By rank of the judged run, with what the references show.
std::vector<SeriesOfSet> allSeries(const Histories &histories, const PhaseTable &phases, const Work &work) {
    std::vector<std::vector<SeriesOfSet>> runs(histories.runs.size());
    for (std::size_t run = 0; run < runs.size(); ++run) {
        runs[run].resize(phases.ranks());
        forEachParallel(phases.ranks(), work,
                        [&](std::size_t rank, unsigned) { runs[run][rank] = seriesOf(histories, phases, run, rank); });
        compareRanks(runs[run], phases.size(), work);
    }
    forEachParallel(phases.ranks(), work, [&](std::size_t rank, unsigned) {
        compareRuns(runs, rank);
        for (std::size_t run = 1; run < runs.size(); ++run)
            for (const auto &[key, series] : runs[run][rank])
                if (const auto found = runs[0][rank].find(key); found != runs[0][rank].end())
                    found->second.references.insert(found->second.references.end(), series.relative.begin(),
                                                    series.relative.end());
    });
    return std::move(runs[0]);
}

struct Split {
    double before = 0; ///< lower quartile
    double after = 0;
    double chance = 1;
    [[nodiscard]] double between() const { return std::sqrt(before * after); }
};

/// Values on either side of a place, and how many of them are below the middle of the two.
struct SideCounts {
    std::size_t own = 0; ///< before the place, without those of the references
    std::size_t before = 0;
    std::size_t after = 0;
    std::size_t ownBelow = 0;
    std::size_t beforeBelow = 0;
    std::size_t afterBelow = 0;
};

double chanceOf(const SideCounts &sides) {
    if (static_cast<double>(sides.ownBelow) < shifts::transitionBelow * static_cast<double>(sides.own))
        return 1;
    return fisherTest(static_cast<double>(sides.before), static_cast<double>(sides.after), static_cast<double>(sides.beforeBelow),
                      static_cast<double>(sides.afterBelow));
}

/// The series divided at a position; a chance of 1 where it does not become longer.
Split splitAt(const Series &series, std::size_t at) {
    const auto middle = series.relative.begin() + static_cast<std::ptrdiff_t>(at);
    std::vector<double> own(series.relative.begin(), middle);
    std::vector<double> before = own;
    before.insert(before.end(), series.references.begin(), series.references.end());
    const std::vector<double> after(middle, series.relative.end());
    Split split{lowerQuartile(before), lowerQuartile(after), 1};
    if (!(split.before > 0) || split.after <= split.before)
        return split;
    const auto below = [between = split.between()](const std::vector<double> &values) {
        return static_cast<std::size_t>(std::count_if(values.begin(), values.end(), [between](double v) { return v < between; }));
    };
    split.chance = chanceOf({own.size(), before.size(), after.size(), below(own), below(before), below(after)});
    return split;
}

/// All divisions of a series, from the first place to the last: n log n together.
class Splits {
  public:
    explicit Splits(const Series &series)
        : m_values(series.relative), m_references(series.references), m_after(m_values.size()), m_own(m_values) {
        std::sort(m_references.begin(), m_references.end());
        for (const double value : m_references)
            m_before.add(value);
        RunningQuartile after;
        for (std::size_t i = m_values.size(); i-- > 0;) {
            after.add(m_values[i]);
            m_after[i] = after.value();
        }
        m_all.assign(m_values.begin(), m_values.end());
        std::sort(m_all.begin(), m_all.end());
    }
    /// The division at a place, which may not be before that of the last call, or 0; the chance is left at 1.
    [[nodiscard]] Split at(std::size_t place) {
        for (; m_place < place; ++m_place) {
            m_before.add(m_values[m_place]);
            m_own.add(m_values[m_place]);
        }
        return {m_before.value(), m_after[place], 1};
    }
    /// The chance of the division asked for last; needs quartiles that rise from above 0.
    [[nodiscard]] double chance(const Split &split) const {
        const double between = split.between();
        const auto below = [between](const std::vector<double> &sorted) {
            return static_cast<std::size_t>(std::lower_bound(sorted.begin(), sorted.end(), between) - sorted.begin());
        };
        const std::size_t own = m_own.below(between);
        return chanceOf({m_place, m_place + m_references.size(), m_values.size() - m_place, own, own + below(m_references),
                         below(m_all) - own});
    }

  private:
    std::span<const double> m_values;
    std::vector<double> m_references; ///< in rising order
    std::vector<double> m_all;        ///< all values of the series, in rising order
    std::vector<double> m_after;      ///< by place: the quartile from it on
    RunningQuartile m_before;
    RunningCount m_own;
    std::size_t m_place = 0;
};

/// A phase in which the processor was shared could belong to either side: the first one that is slow and nothing else.
std::size_t firstSlow(const Series &series, std::size_t at, double after) {
    const auto begin = series.relative.begin() + static_cast<std::ptrdiff_t>(at);
    const auto found = std::find_if(begin, series.relative.end(), [after](double value) { return value <= 2 * after; });
    return static_cast<std::size_t>(found - series.relative.begin());
}

/// What it takes at best in all phases.
double totalOf(const Series &series) {
    double sum = 0;
    for (std::size_t i = 0; i < series.seconds.size(); ++i)
        sum += series.seconds[i] * series.count[i];
    return sum;
}

/// What a rank computes at best in all phases of each set.
std::vector<double> bestComputation(const SeriesOfSet &all, std::size_t sets) {
    std::vector<double> sum(sets);
    for (const auto &[key, series] : all)
        sum[key.first] += totalOf(series);
    return sum;
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
        if (at < shifts::margin || at + shifts::margin > series.relative.size())
            continue;
        const Split split = splitAt(series, at);
        if (split.chance <= shifts::othersChance && std::log(split.after / split.before) > shifts::alike * std::log(shift.factor))
            return true;
    }
    return false;
}

/// The division of a series that chance explains least; nothing where there is none.
std::optional<TransitionShift> bestShift(const Series &series, Rank rank, std::uint32_t transition) {
    TransitionShift best{0, rank, transition, 1, 1, 0};
    std::size_t from = 0;
    Splits splits(series);
    for (std::size_t at = shifts::margin; at + shifts::margin <= series.relative.size(); ++at) {
        Split split = splits.at(at);
        if (!(split.before > 0) || split.after < shifts::transitionFactor * split.before ||
            split.after > shifts::mostFactor * split.before)
            continue;
        split.chance = splits.chance(split);
        if (split.chance < best.chance) {
            from = firstSlow(series, at, split.after);
            best.factor = split.after / split.before;
            best.chance = split.chance;
        }
    }
    if (best.chance >= 1)
        return {};
    best.phase = series.phases[from];
    for (std::size_t i = from; i < series.seconds.size(); ++i)
        best.lost += series.seconds[i] * series.count[i] * (1 - 1 / best.factor);
    best.lost /= static_cast<double>(series.seconds.size() - from);
    return best;
}

/// What was found of one rank.
struct Tried {
    double series = 0;                                             ///< looked at
    std::vector<std::pair<TransitionShift, std::uint32_t>> shifts; ///< with their sets
};

Tried shiftsOf(const SeriesOfSet &all, Rank rank, const PhaseTable &phases) {
    Tried result;
    const std::vector<double> computation = bestComputation(all, phases.sets.size());
    for (const auto &[key, series] : all) {
        if (totalOf(series) < shifts::transitionLoss * computation[key.first]) // could not cost as much
            continue;
        result.series += 1;
        const std::optional<TransitionShift> shift = bestShift(series, rank, key.second);
        if (shift && shift->lost * phases.sets[key.first].phases >= shifts::transitionLoss * computation[key.first])
            result.shifts.emplace_back(*shift, key.first);
    }
    return result;
}

} // namespace

std::optional<TransitionShift> transitionShift(const Histories &histories, const PhaseTable &phases, const Work &work) {
    const std::vector<SeriesOfSet> ofRank = allSeries(histories, phases, work);
    std::vector<Tried> tried(ofRank.size());
    forEachParallel(ofRank.size(), work,
                    [&](std::size_t rank, unsigned) { tried[rank] = shiftsOf(ofRank[rank], static_cast<Rank>(rank), phases); });
    double all = 0;
    for (const Tried &one : tried)
        all += one.series;
    std::optional<TransitionShift> result;
    for (Tried &one : tried) {
        throwIfCancelled(work);
        for (auto &[shift, set] : one.shifts) {
            shift.chance *= all;
            if (shift.chance <= shifts::mostChance && (!result || shift.lost > result->lost) && !othersToo(ofRank, shift, set))
                result = shift;
        }
    }
    return result;
}

} // namespace laggard
