// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/waitfor/JobView.h"
#include "analysis/waitfor/WaitForGraph.h"

#include <optional>

namespace laggard {

/// The only one of those who wait for each other whose latest epoch is for other ranks than three or more before it, one after
/// the other; other by ranks of `changed`. That epoch is open, or one of the ranks that it left out waits for it. The two groups
/// of an epoch must fit (MPI 3.1 §11.5.2), so that who changes alone is wrong, or the others have missed the change. `made` and
/// `expected` are the call that began the epoch, MPI_Win_post or MPI_Win_start. Recordings only.
[[nodiscard]] std::optional<HabitBreak> onlyOddGroup(const JobView &job, const std::vector<Wait> &waits, const RankSet &members,
                                                     const RankSet &changed);

/// Another rank than `except` waits in an epoch of its own for this one, whose latest epochs are not for that one: it may be that
/// the neighbours have changed, and this one does not know it; or the other one is further. Recordings only.
[[nodiscard]] bool isAskedInEpoch(const JobView &job, const std::vector<Wait> &waits, Rank rank, Rank except);

} // namespace laggard
