// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/units/JudgeUnits.h"
#include "trace/Trace.h"
#include "views/charts/Chart.h"

#include <optional>

namespace laggard {

/// Suspect scores of execution units over time (thesis Figure 6.7), of all processes or of one, with the score from which a unit
/// is told. Items have the position in `report.units` as their id, and begin in order of time.
[[nodiscard]] Chart unitChart(const Trace &trace, const UnitReport &report, std::optional<Rank> only);

} // namespace laggard
