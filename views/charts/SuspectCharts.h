// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/outliers/Outliers.h"
#include "views/charts/Chart.h"

namespace laggard {

/// The charts of the outlier analyses, as plain values. Items of ranks have the rank as their id and position, items of functions
/// and call paths the component.

/// Suspect score of each rank, by both algorithms where there are references, and the threshold (thesis Figures 5.7, 5.8).
[[nodiscard]] Chart suspectChart(const Trace &trace, const Ranking &ranking);

/// What contributes to the suspect score of a rank, largest first: difference to the neighbour that gave the score, with its sign
/// (thesis Figure 5.9). Empty with a reason for a rank that is not ranked.
[[nodiscard]] Chart contributionChart(const Trace &trace, const Ranking &ranking, Rank rank);

/// The profile of ranks, averaged, against the neighbour that gave the score of the most suspicious of them, and against the
/// nearest reference. At most 20 components, those with the largest shares.
[[nodiscard]] Chart profileChart(const Trace &trace, const Ranking &ranking, const RankSet &ranks);

/// When each rank made its last record, with the gap that fail-stop is about and what it would have to be (thesis §5.1.1).
[[nodiscard]] Chart lastRecordChart(const Trace &trace, const FailStop &failStop);

/// Position in `ranking.scores` of the most suspicious of `ranks`; `none` if none of them is ranked.
[[nodiscard]] std::uint32_t mostSuspicious(const Ranking &ranking, const RankSet &ranks);

} // namespace laggard
