// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/semimarkov/Phases.h"
#include "trace/Work.h"

#include <optional>

namespace laggard {

/// A rank whose computations all take longer from a phase on (ours): another thread or process takes part of its processor, or
/// the processor has become slower.
struct RankShift {
    std::uint32_t phase = 0; ///< the phase that `row` lies in: the first slow one, or the one before, if it began at its end
    std::uint32_t row = 0;   ///< row of the rank's history: the computation in which it shows first (shiftOnset)
    Rank rank = none;
    double factor = 1; ///< how many times longer computations take than before, or, if `phase` is the first one, than usual
    double chance = 0; ///< probability of such a division of the phases by chance, times the ranks
    double lost = 0;   ///< seconds: what the longer time adds, over all phases from `phase` on
    /// The share of the rank's computations, by their usual time, that shows at least half of the shift (in logarithms). If the
    /// processor is at fault, that is nearly all of them.
    double share = 1;
};

/// Looks at all computations of a rank together, by ComputationSlowness, for the best step up between two medians. A shift is a
/// step for which all of this holds:
///
/// * it is a factor of 1.3 to 20, and costs at least 3 % of the time of the rank's phases;
/// * in logarithms it is at least one and a half times (without references twice) what any other rank shows in the three phases
///   from there on;
/// * nine tenths of the phases before are below the middle of the two medians, and three quarters of the others above;
/// * the `chance` of that (fisherTest) is at most 0.01. Each phase of the references counts as one before, by how far it is from
///   the median of its run and rank.
///
/// With references, the rank must also be 1.2 times slower afterwards than the other ranks were before, and twice (in logarithms)
/// what a rank of a reference is slower than its others: that it was quicker before is no fault. With three of them or more, a
/// rank may have been slow from the first phase on: by 1.4, without a step. Without references, its own times must become longer,
/// too, as it could be the others that became quicker. Throws Cancelled.
[[nodiscard]] std::optional<RankShift> rankShift(const Histories &histories, const PhaseTable &phases, const Work &work);

} // namespace laggard
