// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/semimarkov/Phases.h"
#include "trace/Work.h"

#include <optional>

namespace laggard {

/// One computation of one rank that takes longer from a phase on (ours): a fault in a function that is a small part of the run,
/// or that hides behind what the machine does.
struct TransitionShift {
    std::uint32_t phase = 0; ///< first slow phase
    Rank rank = none;
    std::uint32_t transition = none;
    double factor = 1; ///< how many times longer it takes from the phase on than before
    double chance = 0; ///< probability of such a division of the phases by chance, times the computations looked at
    double lost = 0;   ///< seconds a phase: what the longer time adds, over all occurrences
};

/// A rank that has to share its processor computes longer now and then, but never faster. So the times of a transition are looked
/// at from below: the lower quartile of each phase, divided by that of what the other ranks show in the phase (if three or
/// more do), as problems change with time. The lower quartiles of these before and from a phase on are compared.
/// A shift is a factor of 1.5 to 20, at least twice (in logarithms) what any other rank shows of the transition at the same
/// phase, and costs at least a tenth of what the rank computes. `chance` (Fisher's exact test: before, phases below the middle of
/// the two, from the phase on hardly any) is at most 0.01. With references, their phases count as before. Throws Cancelled.
[[nodiscard]] std::optional<TransitionShift> transitionShift(const Histories &histories, const PhaseTable &phases,
                                                             const Work &work);

} // namespace laggard
