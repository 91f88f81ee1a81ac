// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/semimarkov/Phases.h"

#include <vector>

namespace laggard {

/// What a computation takes in a phase on a rank.
struct ComputationTime {
    std::uint32_t transition = 0; ///< in StateTable::transitions
    double quartile = 0;          ///< seconds: the lower quartile
    double median = 0;            ///< seconds
    double count = 0;             ///< how often
};

/// A rank's computation times in a phase of a run, by transition; without computations that were not returned from.
[[nodiscard]] std::vector<ComputationTime> computationTimes(const Histories &histories, const PhaseTable &phases, std::size_t run,
                                                            std::uint32_t phase, std::size_t rank);

/// What a computation takes on several ranks, or in several runs: `seconds` in rising order.
struct SortedTimes {
    std::vector<double> seconds;

    /// The lower quartile without one that is among them; 0 if there are fewer than `fewest` others.
    [[nodiscard]] double quartileWithout(double own, std::size_t fewest) const;
    /// The median without one that is among them; 0 if there is no other.
    [[nodiscard]] double medianWithout(double own) const;

  private:
    /// The time at a place, as if one were not there.
    [[nodiscard]] double atWithout(double own, std::size_t place) const;
};

} // namespace laggard
