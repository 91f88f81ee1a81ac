// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/behaviour/PhaseTimes.h"

#include "analysis/behaviour/ShiftConstants.h"
#include "analysis/semimarkov/MedianStep.h"
#include "trace/Parallel.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace laggard {
namespace {

/// Means of more ranks and phases than this are not collected for a median; evenly spread ranks stand for the others.
constexpr double mostMeans = 4e6;

/// Sum and number of the times of each transition over the phases of a run.
void addTimes(const RunHistory &run, const PhaseTable &phases, std::size_t number, std::vector<TimeMoments> &times) {
    for (std::size_t p = 0; p < phases.size(); ++p)
        for (std::size_t rank = 0; rank < phases.ranks(); ++rank) {
            const PhaseSpan &span = phases.span(number, p, rank);
            const RankHistory &history = run.ranks[rank];
            for (std::uint32_t row = span.firstRow; row < span.endRow; ++row)
                times[span.transitionOf(history, row)].merge({history.countOf(row), run.seconds(history.duration(row)), 0});
        }
}

/// Median of the means per rank and phase of the judged run, and how often each transition was taken there.
void medianUnits(const Histories &histories, const PhaseTable &phases, std::vector<double> &unit, std::vector<double> &count,
                 const Work &work) {
    const double models = static_cast<double>(phases.ranks()) * static_cast<double>(phases.size());
    const auto step = static_cast<std::size_t>(std::max(1.0, models * 32 / mostMeans));
    std::vector<std::vector<ModelTransition>> ofRank((phases.ranks() + step - 1) / step);
    forEachParallel(ofRank.size(), work, [&](std::size_t i, unsigned) {
        ModelMaker maker(histories.table, false);
        for (std::size_t p = 0; p < phases.size(); ++p)
            if (const PhaseSpan &span = phases.span(0, p, i * step); span.present())
                for (const ModelTransition &t : maker.make(histories.runs[0], i * step, span).transitions)
                    ofRank[i].push_back(t);
    });
    std::vector<std::vector<double>> means(unit.size());
    for (std::vector<ModelTransition> &models : ofRank) {
        for (const ModelTransition &t : models) {
            means[t.transition].push_back(t.times.mean);
            count[t.transition] += t.times.count;
        }
        models = {};
    }
    forEachParallel(unit.size(), work, [&](std::size_t t, unsigned) {
        if (!means[t].empty() && unit[t] <= 0)
            unit[t] = medianOf(std::move(means[t]));
    });
}

} // namespace

ModelScale makeScale(const Histories &histories, const PhaseTable &phases, DistributionKind distribution, double timerResolution,
                     const Work &work) {
    const StateTable &table = histories.table;
    std::vector<TimeMoments> reference(table.transitions.size());
    for (std::size_t run = 1; run < histories.runs.size(); ++run)
        addTimes(histories.runs[run], phases, run, reference);
    ModelScale scale;
    scale.distribution = distribution;
    scale.unit.assign(reference.size(), 0);
    std::vector<double> count(reference.size());
    for (std::size_t t = 0; t < reference.size(); ++t) {
        scale.unit[t] = reference[t].mean;
        count[t] = reference[t].count;
    }
    medianUnits(histories, phases, scale.unit, count, work);
    for (std::uint32_t begin = 0; begin < table.transitions.size();) {
        std::uint32_t end = begin;
        double times = 0;
        double weight = 0;
        for (; end < table.transitions.size() && table.transitions[end].from == table.transitions[begin].from; ++end)
            if (!table.isCensored(end)) {
                times += scale.unit[end] * count[end];
                weight += count[end];
            }
        for (; begin < end; ++begin)
            if (table.isCensored(begin) && weight > 0)
                scale.unit[begin] = times / weight;
    }
    for (double &unit : scale.unit) {
        if (!(unit > 0))
            unit = timerResolution > 0 ? timerResolution : 1;
        scale.floor.push_back(sigmaFloor(timerResolution, unit));
    }
    return scale;
}

PhaseTimes phaseTimes(const Histories &histories, const PhaseTable &phases, const ModelScale &scale, const Work &work) {
    PhaseTimes result;
    const std::size_t ranks = phases.ranks();
    const auto meanOf = [&](std::size_t run, std::size_t p) {
        TimeMoments lengths;
        for (std::size_t rank = 0; rank < ranks; ++rank)
            if (const PhaseSpan &span = phases.span(run, p, rank); span.present() && !span.cut)
                lengths.add(histories.runs[run].seconds(span.end - span.begin));
        return lengths.mean;
    };
    for (std::size_t p = 0; p < phases.size(); ++p) {
        result.seconds.push_back(meanOf(0, p));
        TimeMoments expected;
        for (std::size_t run = 1; run < histories.runs.size(); ++run)
            if (const double mean = meanOf(run, p); mean > 0)
                expected.add(mean);
        result.expected.push_back(expected.mean);
    }
    result.slowness.assign(phases.size() * ranks, 0);
    result.computation.assign(phases.size() * ranks, 0);
    result.usual.assign(phases.size() * ranks, 0);
    forEachParallel(ranks, work, [&](std::size_t rank, unsigned) {
        const RankHistory &history = histories.runs[0].ranks[rank];
        for (std::size_t p = 0; p < phases.size(); ++p) {
            const PhaseSpan &span = phases.span(0, p, rank);
            double seconds = 0;
            double usual = 0;
            for (std::uint32_t row = span.firstRow; row < span.endRow; ++row) {
                const std::uint32_t t = span.transitionOf(history, row);
                if (!histories.table.isComputation(t) || histories.table.isCensored(t))
                    continue;
                seconds += histories.runs[0].seconds(history.duration(row)) * history.countOf(row);
                usual += scale.unit[t] * history.countOf(row);
            }
            result.computation[p * ranks + rank] = seconds;
            result.usual[p * ranks + rank] = usual;
            result.slowness[p * ranks + rank] = usual > 0 ? seconds / usual : 0;
        }
    });
    return result;
}

namespace {

/// The upward step in one row of values by phase (those <= 0 left out), if it counts. `at` is a position in `set`.
std::optional<UpwardStep> stepOf(const std::vector<std::uint32_t> &set, const std::function<double(std::uint32_t)> &value) {
    std::vector<double> logs;
    std::vector<std::size_t> position;
    for (std::size_t i = 0; i < set.size(); ++i)
        if (const double v = value(set[i]); v > 0) {
            logs.push_back(std::log10(v));
            position.push_back(i);
        }
    std::optional<UpwardStep> step = upwardStep(logs, shifts::margin);
    if (!step || step->explained < shifts::leastExplained || step->height < shifts::leastHeight || step->byLine > step->explained)
        return {};
    step->at = position[step->at];
    return step;
}

} // namespace

std::optional<PermanentShift> permanentShift(const PhaseTable &phases, const PhaseTimes &times) {
    const std::size_t ranks = phases.ranks();
    std::vector<std::vector<std::uint32_t>> sets(phases.sets.size());
    for (std::uint32_t p = 0; p < phases.size(); ++p)
        sets[phases.phases[p].set].push_back(p);
    std::optional<PermanentShift> best;
    double bestLoss = 0;
    for (const auto &set : sets) {
        const auto whole = stepOf(set, [&](std::uint32_t p) {
            return times.expected[p] > 0 ? times.seconds[p] / times.expected[p] : times.seconds[p];
        });
        if (whole)
            return PermanentShift{set[whole->at], none, std::pow(10, whole->height), whole->explained};
        for (std::size_t rank = 0; rank < ranks; ++rank) {
            const auto step = stepOf(set, [&](std::uint32_t p) { return times.slowness[p * ranks + rank]; });
            if (!step)
                continue;
            double lost = 0;
            double total = 0;
            for (std::size_t i = step->at; i < set.size(); ++i) {
                lost += times.computation[set[i] * ranks + rank] - times.usual[set[i] * ranks + rank];
                total += times.seconds[set[i]];
            }
            if (lost >= shifts::leastLoss * total && lost > bestLoss) {
                bestLoss = lost;
                best = {set[step->at], static_cast<Rank>(rank), std::pow(10, step->height), step->explained};
            }
        }
    }
    return best;
}

} // namespace laggard
