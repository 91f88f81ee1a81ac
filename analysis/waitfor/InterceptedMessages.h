// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/waitfor/JobView.h"
#include "analysis/waitfor/WaitForGraph.h"

#include <optional>

namespace laggard {

/// The latest such message at one of `receivers` since the receive that now waits was last served; nothing if there is none. Only
/// recordings tell how receives were posted.
[[nodiscard]] std::optional<InterceptedMessage> findIntercepted(const JobView &job, const RankSet &receivers);

} // namespace laggard
