// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/behaviour/SemiMarkov.h"
#include "views/charts/Chart.h"

#include <vector>

namespace laggard {

/// By what phases are compared, and with what (AutomaDeD §4.2).
enum class PhaseMetric : std::uint8_t {
    SmmSamples,         ///< Diff of models, to the same phase in the sample runs
    SmmPhases,          ///< Diff of models, to the other phases
    SmmPrevious,        ///< Diff of models, to the phase before
    ComputationSamples, ///< Diff over computation states alone, to the same phase in the sample runs
    ComputationPhases,  ///< Diff over computation states alone, to the other phases
    ClusterSamples,     ///< Mirkin distance of clusterings, to the same phase in the sample runs
    ClusterPhases,      ///< Mirkin distance of clusterings, to the other phases
    ClusterPrevious,
    RankSlowness, ///< how many times longer than usual the rank of a lasting change computes: what such a verdict rests on (ours)
    PhaseLength,  ///< how long the phase took, where the phases as a whole became longer (ours)
};

/// Those that the report has, the most telling first.
[[nodiscard]] std::vector<PhaseMetric> phaseMetrics(const SemiMarkovReport &report);
/// The comparison that the verdict rests on. A lasting change is shown by what changed; else it is one in which the verdict's
/// phase has the highest score, times of computing before the rest. If there is none, or no phase is named, the first of
/// `phaseMetrics`, which must not be empty.
[[nodiscard]] PhaseMetric metricOfVerdict(const SemiMarkovReport &report);

/// "Models, against other phases", "Computing of rank 7".
[[nodiscard]] QString metricName(const SemiMarkovReport &report, PhaseMetric metric);

/// Deviation score of each phase (AutomaDeD Figure 11), the sample runs' own as a band, the faulty phase emphasised. A lasting
/// change is shown by the times themselves. Items are phases, their id and position the number.
[[nodiscard]] Chart phaseChart(const Trace &trace, const SemiMarkovReport &report, PhaseMetric metric);

} // namespace laggard
