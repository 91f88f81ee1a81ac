// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/RankSet.h"
#include "trace/Trace.h"

namespace laggard {

/// Ranks some of whose events could not be read.
[[nodiscard]] RankSet damagedRanks(const Trace &trace);

/// The most confidence in a verdict on a job of which something was lost: assumed, not measured, and below what counts as high.
inline constexpr double mostWithDamage = 0.8;
/// What to add to a verdict where something was lost of ranks that count as whole: they had no room, and say what they do last.
[[nodiscard]] std::string describeLoss(const Trace &trace);

} // namespace laggard
