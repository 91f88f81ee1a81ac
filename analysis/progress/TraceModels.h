// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/progress/LoopNest.h"
#include "trace/ModelSet.h"
#include "trace/Trace.h"
#include "trace/Work.h"

#include <vector>

namespace laggard {

/// The stack of an open call path, innermost first, each function at the line that it has come to, where that is known, else at
/// its first. `stoppedAt`: where the innermost one was seen. Empty for `none`.
[[nodiscard]] std::vector<Frame> stackOf(const Trace &trace, CallPathId callPath, CallSiteId stoppedAt = none);

/// The control-flow models of a trace at one moment (PDI §3.1).
struct TraceModels {
    /// Transitions of the whole trace, counted up to the moment: a count of 0 is a transition seen only later. The state of
    /// a rank that had finished is the one after its last MPI call; who has finished is not for the models to say.
    ModelSet set;
    InnerRoundsOfRank innerRounds;    ///< since the ranks came into the loops within loops that they are in
    std::vector<CallPathId> openPath; ///< by rank: innermost open call of the main thread; `none` outside all calls
};

/// Models and current states of all ranks at `at` (`openEnd`: the end of the trace), from their main threads, in one pass
/// over each track. MPI calls made within MPI calls belong to the outermost one. Throws Cancelled.
[[nodiscard]] TraceModels buildTraceModels(const Trace &trace, Tick at, const Work &work);

} // namespace laggard
