// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/automaded/TwoMeans.h"
#include "analysis/semimarkov/ModelDifference.h"

#include <optional>
#include <vector>

namespace laggard {

/// The unit of each transition's times, in seconds: its mean over the references' phases, or, without references or where they do
/// not have it, the median of its means per rank and phase (the fault is in the mean). Transitions to "not returned": the mean of
/// the units of the source state, weighted by how often they were taken. 1 where a transition has no time at all. And the σ
/// floors that go with them.
[[nodiscard]] ModelScale makeScale(const Histories &histories, const PhaseTable &phases, DistributionKind distribution,
                                   double timerResolution, const Work &work);

/// How long phases took, and how slow ranks computed in them.
struct PhaseTimes {
    std::vector<double> seconds;  ///< by phase: mean over the ranks that went through all of it; 0 if none did
    std::vector<double> expected; ///< by phase: the same in the references; 0 where there are none
    /// By phase · ranks + rank: time in computation states, over the time that as many occurrences usually take (units); 0
    /// without any.
    std::vector<double> slowness;
    std::vector<double> computation; ///< by phase · ranks + rank: seconds in computation states
    std::vector<double> usual;       ///< by phase · ranks + rank: what these occurrences usually take, seconds
};

[[nodiscard]] PhaseTimes phaseTimes(const Histories &histories, const PhaseTable &phases, const ModelScale &scale,
                                    const Work &work);

/// A shift to permanently slower phases.
struct PermanentShift {
    std::uint32_t phase = 0; ///< first slow phase
    Rank rank = none;        ///< the rank that computes slower from there on; `none`: the phases as a whole take longer
    double factor = 1;       ///< how many times slower
    double explained = 0;    ///< share of the variance of the logarithms that one step explains
};

/// Looks for one upward step (least squares) in log10 of the phases' times over their reference (recipe), and of each rank's
/// slowness (ours: in a job that balances its load, one slow rank lengthens the phases by little). It counts if it explains at
/// least 0.6 of the variance, more than a straight line does (ours: a slope is no shift), and is at least 0.3 (twice as slow),
/// with two phases on either side; for a rank also only if the time lost is at least 3 % of the later phases' time. The phases as
/// a whole go first; if several ranks have a step, the one that loses most counts.
[[nodiscard]] std::optional<PermanentShift> permanentShift(const PhaseTable &phases, const PhaseTimes &times);

} // namespace laggard
