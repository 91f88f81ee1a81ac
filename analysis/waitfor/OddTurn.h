// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/waitfor/JobView.h"
#include "analysis/waitfor/WaitForGraph.h"

#include <optional>
#include <vector>

namespace laggard {

/// The only one of those who wait for each other in receives, or in sends, that does so before its turn: in each exchange with
/// the other rank until now it had sent (received) more often by then. The calls may be made in other functions than before, so
/// that only messages are counted. Recordings only.
[[nodiscard]] std::optional<LeftOutAct> onlyOutOfTurn(const JobView &job, const std::vector<Wait> &waits, const RankSet &members);

} // namespace laggard
