// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/RankSet.h"
#include "trace/Trace.h"

#include <QString>

namespace laggard {

/// Ranks some of whose events could not be read.
[[nodiscard]] RankSet damagedRanks(const Trace &trace);

/// One sentence on what could not be read: "Some of ranks 3, 7 could not be read (2 losses)." Empty without data loss.
[[nodiscard]] QString describeDamage(const Trace &trace);

} // namespace laggard
