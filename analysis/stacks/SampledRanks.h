// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/stacks/StandingRanks.h"

#include <vector>

namespace laggard {

/// What all samples together tell of each rank; by rank.
[[nodiscard]] std::vector<StandingRank> standingRanks(const Trace &job, const MpiCallTable &calls, const StackSamples &samples);

} // namespace laggard
