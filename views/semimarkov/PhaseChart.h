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
};

/// Those that the report has, the most telling first.
[[nodiscard]] std::vector<PhaseMetric> phaseMetrics(const SemiMarkovReport &report);
/// The comparison that the verdict rests on: one in which its phase has the highest score, times of computing before the rest.
/// Without such a one, or a phase that is named, the first of `phaseMetrics`, which must not be empty.
[[nodiscard]] PhaseMetric metricOfVerdict(const SemiMarkovReport &report);

[[nodiscard]] QString metricName(PhaseMetric metric);

/// Deviation score of each phase (AutomaDeD Figure 11), the sample runs' own as a band, the faulty phase emphasised. Items are
/// phases, their id and position the number.
[[nodiscard]] Chart phaseChart(const Trace &trace, const SemiMarkovReport &report, PhaseMetric metric);

} // namespace laggard
