// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/automaded/PhaseDeviation.h"
#include "analysis/automaded/UsualTimes.h"

#include <optional>
#include <vector>

namespace laggard {

/// Transitions of a phase that took an unusual time, or out of a state that is new (AutomaDeD §4.4, temporary faults).
struct AbnormalTransitions {
    /// By start; the first is the paper's answer. At most 200: then the earliest of each rank, and of those the most improbable.
    std::vector<Occurrence> occurrences;
    std::optional<TwoMeans> division; ///< the negative log densities in two classes
};

/// Log density of each occurrence in `phase` by the usual times, divided in two classes: the improbable class, if it is clearly
/// apart. With it all occurrences of states that are not among the usual ones (UsualTimes::isNew): their probability is 0, its
/// logarithm −∞, which no classes could be made with. A state that was seen once has no usual time and is in neither class.
[[nodiscard]] AbnormalTransitions abnormalTransitions(const Histories &histories, const PhaseTable &phases,
                                                      const UsualTimes &usual, const ModelScale &scale, std::size_t phase);

/// A transition whose variation increased (AutomaDeD §4.4, permanent faults).
struct Theta {
    Rank rank = 0;
    std::uint32_t transition = 0;
    std::uint32_t phase = 0; ///< the phase in which θ increased most
    double time = 0;         ///< seconds from the start of the trace to the begin of its first occurrence in that phase
    double theta = 0;        ///< the increase
    std::uint32_t wins = 0;  ///< pairs in which it is the better choice
};

/// The relation of AutomaDeD §4.4, with the prose's meaning (the printed second case contradicts it): of two transitions the
/// earlier one is better if its θ times 1 + Δ is larger than the later one's, Δ being the time between them in units of
/// `phaseSeconds`; else the later one is. Not transitive.
[[nodiscard]] bool isBetter(const Theta &a, const Theta &b, double phaseSeconds);

/// θ = σ/ν with references, σ² without; σ is the standard deviation of the times of a transition of a rank from the first phase
/// up to each phase, in units of the transition. The 256 largest increases, by falling number of pairwise wins among them, ties
/// by θ.
[[nodiscard]] std::vector<Theta> thetaRanking(const Histories &histories, const PhaseTable &phases, const ModelScale &scale,
                                              const PhaseDeviation &deviation, double phaseSeconds, const Work &work);

} // namespace laggard
