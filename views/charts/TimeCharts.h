// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/delays/Delays.h"
#include "analysis/delays/UnfinishedWaits.h"
#include "analysis/detail/CallStatistics.h"
#include "views/charts/Chart.h"

namespace laggard {

/// In which functions the ranks spent their time, themselves and not in what they called: the largest first, as shares of all of
/// it, as the legend has them. MPI_Init and MPI_Finalize have no row; a remark tells them. At most 20; the rest is one row. Items
/// have the region as their id, the rest `none`. `statistics` by region.
[[nodiscard]] Chart timeByFunctionChart(const Trace &trace, const std::vector<RegionStatistics> &statistics);

/// How long each rank waited for others, and how long it made others wait, summed over those; in s, ms or µs. What waits that
/// have not ended cost up to now (`unfinished`) counts. Ranks of which events were lost have no values. Items have the rank as id
/// and position.
[[nodiscard]] Chart waitingByRankChart(const Trace &trace, const DelayReport &delays, const UnfinishedWaits &unfinished = {});

} // namespace laggard
