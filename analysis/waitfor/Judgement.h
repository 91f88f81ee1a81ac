// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/waitfor/Snapshot.h"

namespace laggard {

/// The verdict from waits, in the order of docs/algorithms.md, "Who waits for whom". Throws Cancelled.
[[nodiscard]] WaitForVerdict judgeWaits(const Snapshot &snapshot, const std::vector<Wait> &waits, const Work &work);

} // namespace laggard
