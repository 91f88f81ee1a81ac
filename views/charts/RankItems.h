// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/RankSet.h"
#include "views/charts/Chart.h"

#include <vector>

namespace laggard {

/// The items of a chart of ranks (ids are ranks) that stand for `ranks`.
[[nodiscard]] std::vector<std::size_t> itemsOfRanks(const Chart &chart, const RankSet &ranks);

} // namespace laggard
