// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/automaded/TwoMeans.h"
#include "analysis/semimarkov/ModelDifference.h"

#include <optional>
#include <utility>
#include <vector>

namespace laggard {

/// How far each phase is from its counterparts (AutomaDeD §4.2), by the SMM metric.
///
/// Distance of two phases: Σ over ranks of Diff², divided by the number of ranks that have both. Deviation score: root mean
/// square of the distances to the counterparts; it orders phases as the paper's sum of squares does, and does not grow with the
/// number of counterparts.
struct PhaseDeviation {
    /// By phase. Against the other phases of the set ("without samples"), always there.
    std::vector<double> self;
    std::vector<double> selfComputation; ///< the same over computation states and transitions only
    std::vector<double> toPrevious;      ///< distance to the phase before in its set; 0 for the first
    std::vector<double> toPreviousComputation;
    /// By phase, against the same phase in the references; empty without references.
    std::vector<double> samples;
    std::vector<double> samplesComputation;
    /// By reference, then phase: each reference against the other ones, as the band in the chart (Figure 11). Empty with fewer
    /// than two.
    std::vector<std::vector<double>> ofReferences;

    /// 1/ν by phase, then transition; a single row for all phases with references.
    std::vector<std::vector<double>> inverseNoise;
    [[nodiscard]] const std::vector<double> &noiseFor(std::size_t phase) const {
        return inverseNoise[inverseNoise.size() == 1 ? 0 : phase];
    }
    std::vector<std::uint32_t> lags; ///< phases this far apart were compared with each other
    bool allPairs = true;            ///< all of them were
};

/// How many comparisons of time distributions the phases of a run with `occurrences` of states may cost before distances between
/// phases are thinned out: two for each, so that the cost grows with the trace as reading does (a comparison, made twice, takes
/// 25 ns, and reading an event 20 ns: bench/README.md), and not with the phases squared. Short traces are compared whole.
[[nodiscard]] double comparisonBudget(std::uint64_t occurrences);

/// The lags at which the phases of a set of `phases` are compared: all of them if `phases · lags · cost` stays within the budget,
/// else the first of 1, 2, 3, 4, 6, 8, 12, 16, 24, … that do, at least two. `cost`: comparisons for one pair of phases.
[[nodiscard]] std::vector<std::uint32_t> comparedLags(std::uint32_t phases, double cost, double budget);

/// All deviations, and ν (AutomaDeD §3.3). ν is taken over pairs of the same rank and phase in different references. With one
/// reference these are pairs of phases of one rank in it; with none, pairs of phases of one rank in the run, at the compared
/// lags, and for each phase only pairs that it is not in. Phases that were cut off by the end take no part in ν, and are compared
/// with counterparts that are cut as early. Throws Cancelled.
[[nodiscard]] PhaseDeviation phaseDeviations(const Histories &histories, const PhaseTable &phases, const ModelScale &scale,
                                             std::uint32_t buckets, const Work &work);

/// The models of a rank's phase and of a counterpart, cut alike where either was cut off by the end of its trace.
struct ModelPair {
    PreparedModel a;
    PreparedModel b;
};
[[nodiscard]] ModelPair comparableModels(ModelMaker &maker, const Histories &histories, const ModelScale &scale, std::size_t rank,
                                         std::size_t runA, const PhaseSpan &a, std::size_t runB, const PhaseSpan &b);

} // namespace laggard
