// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/MpiCall.h"
#include "trace/Trace.h"
#include "trace/Work.h"

#include <vector>

namespace laggard {

/// The part of each rank's time in which it does the same again and again: from entering the first MPI call that it makes at
/// least five times at its place (MPI_Init, MPI_Finalize and polls apart) to leaving the last one. What comes before is start and
/// set-up, what comes behind is the end: both are done once, so that nothing tells how long they usually take. A rank that
/// repeats nothing has the part of the others; if none does, all of the time is such a part. By rank; linear in calls. Throws
/// Cancelled.
[[nodiscard]] std::vector<TimeRange> repeatingParts(const Trace &trace, const MpiCallTable &calls, const Work &work);

} // namespace laggard
