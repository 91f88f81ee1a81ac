// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/waitfor/JobView.h"
#include "analysis/waitfor/WaitForGraph.h"

#include <optional>
#include <vector>

namespace laggard {

/// The only rank that holds what others wait for in calls that lock (of a window, MPI 3.1 §11.5.3; of a file, fcntl), if it is
/// itself in an MPI call that it has made before, and never with a lock of a window in its hands: it went on without giving it
/// back. By the rule of succession, 0.85 at most. Of files earlier locks are not recorded: there any MPI call counts, with 0.6.
/// Nothing where several hold what others wait for, or for model dumps. Linear in the holder's calls.
[[nodiscard]] std::optional<HeldLock> onlyHeldLock(const JobView &job, const std::vector<Wait> &waits);

} // namespace laggard
