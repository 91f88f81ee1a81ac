// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/RankSet.h"
#include "trace/Trace.h"

namespace laggard {

/// Ranks some of whose events could not be read.
[[nodiscard]] RankSet damagedRanks(const Trace &trace);

} // namespace laggard
