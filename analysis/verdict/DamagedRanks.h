// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/RankSet.h"
#include "trace/Trace.h"

namespace laggard {

/// Ranks some of whose events could not be read.
[[nodiscard]] RankSet damagedRanks(const Trace &trace);

/// The most confidence in a verdict on a job of which something was lost: assumed, not measured, and below what counts as high.
inline constexpr double mostWithDamage = 0.8;

} // namespace laggard
