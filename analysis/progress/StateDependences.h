// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/progress/Dependence.h"
#include "trace/ModelSet.h"
#include "trace/Work.h"

#include <array>
#include <vector>

namespace laggard {

/// The dependence between the tasks in two states, united over all tasks (PDI §4.2).
struct StatePair {
    std::uint32_t row = none;    ///< state
    std::uint32_t column = none; ///< state, greater than `row`
    Dependence dependence = Dependence::None;
    /// By finding (position = value of Dependence), the lowest rank that found it, `none` if nobody did. At None: a rank that
    /// knows a way between the states but not whether there is one back, which leaves the pair open if nobody else decides it.
    std::array<Rank, 4> witness{none, none, none, none};
};

/// The state in which the history of `rank` breaks off, `none` if it finished.
[[nodiscard]] std::uint32_t lastState(const ModelSet &models, Rank rank);

/// Pairs of states that tasks are in and that somebody has something to say about, sorted. Each task judges only its own
/// state against the states of others, in its own model; tasks that would judge alike are asked once. Throws Cancelled.
[[nodiscard]] std::vector<StatePair> stateDependences(const ModelSet &models, const Work &work);

} // namespace laggard
