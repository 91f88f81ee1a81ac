// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/behaviour/ClusterCut.h"

#include <vector>

namespace laggard {

/// A characteristic transition in which a reader sees what sets the unusual ranks apart (ours: the paper's characteristic
/// transitions are the largest contributions to Diff, however small these are).
struct Separation {
    enum class What : std::uint8_t {
        Time,        ///< its state lasted `value` seconds on average, in the other clusters between `low` and `high`
        Probability, ///< it was taken with probability `value`, by the others between `low` and `high`
        Alone        ///< nobody else takes it, though others are in the state before it
    };
    std::uint32_t transition = none;
    What what = What::Time;
    double value = 0;
    double low = 0;
    double high = 0;
};

/// Those in `cut.characteristic` that differ by a tenth in time and by at least a tenth of the largest such time
/// (a difference of nanoseconds in a job that lost seconds is none), by 0.25 in probability, or are taken by nobody else; in
/// order of `cut.characteristic`. If none does, the first one, so that what is named can be seen. Empty without a faulty cluster.
[[nodiscard]] std::vector<Separation> separations(const SemiMarkovReport &report, const ClusterCut &cut);

} // namespace laggard
