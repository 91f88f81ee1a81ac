// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/MpiArguments.h"
#include "trace/Trace.h"

#include <memory>
#include <vector>

namespace laggard {

/// Where a thread of a rank was in one sample of a job that nobody recorded.
struct SampledStack {
    Rank rank = none;
    std::uint32_t thread = 0;   ///< 0: the main thread
    std::uint32_t sample = 0;   ///< position in `StackSamples::times`
    CallPathId callPath = none; ///< innermost function; in MPI the outermost MPI call, unless that has called the program back
    CallSiteId site = none;     ///< where in that function it was; `none`: not known
    /// The innermost call that was not left since the sample before: `callPath` or one of its callers; `none`: not known.
    CallPathId stays = none;
    bool moves = false;                            ///< it did something since the sample before, be it in a loop that waits
    bool isStopped = false;                        ///< by SIGSTOP or its like
    std::shared_ptr<const MpiArguments> arguments; ///< what the MPI call that it is in was given; nullptr: not known
};

/// The stacks of a job at several moments.
struct StackSamples {
    std::vector<Tick> times;          ///< ticks of the job's clock
    std::vector<SampledStack> stacks; ///< sorted by rank, thread, sample
};

} // namespace laggard
