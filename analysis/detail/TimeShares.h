// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/detail/MpiRole.h"
#include "trace/Trace.h"
#include "trace/Work.h"

#include <array>
#include <vector>

namespace laggard {

/// What part of their time ranks spend in MPI, over the whole trace, in equal steps: what a strip over all of it is painted from,
/// whatever the size of the trace.
struct TimeShares {
    TimeRange range;                                ///< the trace's time, divided into `steps.size()` equal steps
    std::vector<std::array<float, mpiRoles>> steps; ///< 0..1 of the ranks' time, by MpiRole
    static constexpr std::size_t usualSteps = 2048; ///< more than pixels across most screens: 32 KiB

    /// All of MPI but MPI_Init and MPI_Finalize, 0..1.
    [[nodiscard]] float inMpi(std::size_t step) const {
        const auto &share = steps[step];
        return share[0] + share[1] + share[2];
    }
    /// The step that a time lies in. There must be one.
    [[nodiscard]] std::size_t stepAt(Tick time) const;
};

/// The main threads of all ranks that were read. Calls of MPI made within calls of MPI belong to the outermost one; those that
/// never returned end with the trace. One pass over the tracks, ranks in parallel. Throws Cancelled.
[[nodiscard]] TimeShares timeShares(const Trace &trace, const Work &work, std::size_t steps = TimeShares::usualSteps);

} // namespace laggard
