// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/RankSet.h"

#include <optional>
#include <vector>

namespace laggard {

/// Which way the data of a rooted collective go.
enum class TreeFlow { ToRoot, FromRoot };

/// All have come to a rooted collective, and `late` (sorted, without the root) have not left it: the one that the others in it
/// wait for, if they lie as they would in a binomial tree in which one member stands still; null if they do not, or if that is
/// true of two members. To the root these are a member and those between it and the root, from the root a member and those below
/// it. Binomial trees are what MPI libraries use for short messages (Thakur, Rabenseifner, Gropp, "Optimization of collective
/// communication operations in MPICH", 2005, §4): a member's parent is found by clearing a bit of its place behind the root, the
/// lowest one in MPICH, and the highest one in a part of Open MPI. `order` holds the members in the communicator's order.
[[nodiscard]] std::optional<Rank> heldInTree(const std::vector<Rank> &order, Rank root, const RankSet &late, TreeFlow flow);

} // namespace laggard
