// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/ModelDump.h"
#include "trace/Work.h"

namespace laggard {

/// How long the ranks stayed in each state before they took a transition (AutomaDeD §2.1), by phase: each MPI_Pcontrol that the
/// trace has marked begins one. `models` are those of the trace. One entry for each rank and phase; where there are more than
/// `mostSingleRanks`, ranks with the same model share theirs. Throws Cancelled.
[[nodiscard]] std::vector<PhaseTransitionTimes> transitionTimes(const Trace &trace, const ModelSet &models,
                                                                std::size_t mostSingleRanks, const Work &work);

} // namespace laggard
