// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>

/// What the searches for "since when, and who" demand (RankShift, TransitionShift, permanentShift, ShiftOnset, and the choice
/// between them). All were set on recordings (bench/README.md, accuracy of semi-Markov models and sound programs), unless a
/// reason stands beside them.
namespace laggard::shifts {

// What every search demands.
inline constexpr double mostChance = 0.01;   ///< chance of such a division of phases, times what was looked at
inline constexpr double othersChance = 0.05; ///< beyond this chance, what another rank shows means nothing
inline constexpr double mostFactor = 20;     ///< more would show by itself; so far apart are times with and without the processor
inline constexpr double alike = 0.5;         ///< part of a shift, in logarithms: a rank that shows more shows the same
inline constexpr double leastLoss = 0.03;    ///< share of the time of the phases from the shift on
inline constexpr std::size_t margin = 2;     ///< phases on either side: after one, nobody knows whether it stays
inline constexpr std::size_t fewest = 3;     ///< ranks, references or phases that are a measure: with two, neither is better

// All that a rank computes.
inline constexpr double rankFactor = 1.3;       ///< computations vary by less without a cause
inline constexpr double slowerThanOthers = 1.2; ///< with references: than the other ranks were before
inline constexpr double slowerThanUsual = 1.1;  ///< … and than the same rank in the references
inline constexpr double slowerFromStart = 1.4;  ///< … or than the other ranks, where there is no step
inline constexpr double timesReferences = 2;    ///< … and what a rank of a reference is slower than its others, in logarithms
inline constexpr double alikeWithReferences = 2.0 / 3; ///< as `alike`: what all ranks do shows in the references, too
inline constexpr double belowBefore = 0.9;             ///< share of the phases before that are below the middle
inline constexpr double aboveAfter = 0.75;             ///< share of those from the place on that are above
inline constexpr double ofProcessor = 0.8;             ///< share of what the rank computes that is slow, if its processor is

// One computation of a rank.
inline constexpr double transitionFactor = 1.5; ///< lower quartiles of few times vary by more than medians
inline constexpr double transitionLoss = 0.1;   ///< share of what the rank computes
inline constexpr double transitionBelow = 0.25; ///< share of the phases before that are below the middle: quartiles are compared

// Phases as a whole, or what a rank computes in them.
inline constexpr double leastExplained = 0.6; ///< share of the variance
inline constexpr double leastHeight = 0.3;    ///< in log10: a factor of two

// The computation in which it begins.
inline constexpr double aboutAsWell = 0.01; ///< by how much a division may fit worse, as a share of a phase's usual computation
inline constexpr double directlyBefore = 0.02; ///< how far back to look for the processor being taken away, as such a share
inline constexpr double heldUp = 3;            ///< times the largest usual time

} // namespace laggard::shifts
