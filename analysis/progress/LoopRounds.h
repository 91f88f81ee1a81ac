// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/progress/LoopNest.h"
#include "trace/Trace.h"
#include "trace/Work.h"

namespace laggard {

/// From the calls up to `at`: for ranks within a loop within a loop, by walking back to where they came into the outermost of the
/// inner loops. `models`: of the trace at that moment; `outermost`: outermostMpi(trace). Ranks whose calls do not reach back so
/// far stay without. Throws Cancelled.
[[nodiscard]] InnerRoundsOfRank innerRoundsAt(const ModelSet &models, const Trace &trace, Tick at,
                                              const std::vector<CallPathId> &outermost, const Work &work);

} // namespace laggard
