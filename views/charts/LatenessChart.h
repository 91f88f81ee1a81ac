// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/lateness/AlwaysLast.h"
#include "views/charts/Chart.h"

namespace laggard {

/// How often each rank came last, how often chance would have it, and which part of the waiting was for it, in percent: over
/// ranks, those that recur emphasised. Ids of items are ranks.
[[nodiscard]] Chart latenessChart(const Trace &trace, const Lateness &lateness);

/// The same of machines, as rows; the id of an item is the position of the host in `lateness.hosts`.
[[nodiscard]] Chart hostLatenessChart(const Trace &trace, const Lateness &lateness);

} // namespace laggard
