// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/behaviour/ComputationTimes.h"
#include "trace/Work.h"

#include <vector>

namespace laggard {

/// A computation of a rank in a phase, and what it usually takes there.
struct ComparedComputation {
    std::uint32_t transition = 0; ///< in StateTable::transitions
    double seconds = 0;           ///< median
    double usual = 0;             ///< seconds; 0: not known
    double count = 0;             ///< how often in the phase
};

/// How much longer than usual the computations of the ranks take, phase by phase of a set (ours). With references, the usual time
/// is their median for the same rank and phase, or, if they do not have the phase, for all phases of the rank. Without
/// references, it is the median of the other ranks in the phase.
struct ComputationSlowness {
    std::vector<std::uint32_t> phases;                                   ///< the set's phases, in PhaseTable::phases
    std::vector<std::vector<std::vector<ComparedComputation>>> compared; ///< in the judged run: by rank, and place in `phases`
    /// Natural logarithm of the time of all computations that are compared over their usual time, by rank and place; NaN where
    /// less than half of the rank's computation is compared.
    std::vector<std::vector<double>> judged;
    std::vector<std::vector<std::vector<double>>> references; ///< the same by reference

    [[nodiscard]] bool hasReferences() const { return !references.empty(); }
};

/// Throws Cancelled.
[[nodiscard]] ComputationSlowness computationSlowness(const Histories &histories, const PhaseTable &phases, std::uint32_t set,
                                                      const Work &work);

} // namespace laggard
