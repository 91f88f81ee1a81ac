// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/Trace.h"
#include "trace/Work.h"

#include <vector>

namespace laggard {

/// Time that a rank spent waiting inside an MPI call that returned, until other ranks had done their parts.
struct WaitSegment {
    Tick begin = 0;
    Tick end = 0;
    Rank cause = none; ///< whom it waited for; of several, the last one to do its part
    bool operator==(const WaitSegment &) const = default;
};

/// Waits of one rank's main thread, by begin, without overlap.
using WaitSegments = std::vector<WaitSegment>;

/// All waits in `window`, by rank, as completed calls show them:
///
/// * In a collective that none leaves before all have come, a member waits from its entry to that of the last one.
///   In MPI_Bcast and MPI_Scatter(v) all wait for the root first. There, in MPI_Reduce, MPI_Gather(v) and MPI_Scan members pass
///   data on; which to which is not recorded, so that a member waits until the last one that came before it left.
/// * A receive, or a wait for receives, waits until the last of its messages was sent; so do probes and unsuccessful tests
///   directly before it.
/// * A send whose receiver entered its call before the send returned, but after it began, waited for that.
///
/// Linear in calls, messages and collective calls, but for sorting. Throws Cancelled.
[[nodiscard]] std::vector<WaitSegments> findWaitSegments(const Trace &trace, TimeRange window, const Work &work);

} // namespace laggard
