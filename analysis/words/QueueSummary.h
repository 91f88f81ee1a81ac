// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/waitfor/WaitForGraph.h"

#include <string>

namespace laggard {

/// Where the graph shows what is enqueued (showsQueues), the answer: who has not enqueued, begun or completed what, and who waits
/// for that.
[[nodiscard]] std::string summariseQueues(const Trace &trace, const WaitForGraph &waits);

} // namespace laggard
