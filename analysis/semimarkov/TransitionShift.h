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
    double before = 0; ///< seconds: what it took at best before, the lower quartile of the phases
    double after = 0;  ///< seconds: the same from the phase on
    double chance = 0; ///< probability of such a division of the phases by chance, times the computations looked at
    double lost = 0;   ///< seconds a phase: what the longer time adds, over all occurrences

    [[nodiscard]] double factor() const { return after / before; }
};

/// A rank that has to share its processor computes longer now and then, but never faster. So the times of a transition are looked
/// at from below: the lower quartile of each phase, of which in turn the lower quartile before and from a phase on are compared.
/// A shift is a factor of 2 to 20, at least twice (in logarithms) what any other rank shows of the transition at the same
/// phase, and costs at least 3 % of what the rank computes. `chance` (Fisher's exact test: before, phases below the middle of the
/// two, from the phase on hardly any) is at most 0.01. With references, their phases count as before. Throws Cancelled.
[[nodiscard]] std::optional<TransitionShift> transitionShift(const Histories &histories, const PhaseTable &phases,
                                                             const Work &work);

} // namespace laggard
