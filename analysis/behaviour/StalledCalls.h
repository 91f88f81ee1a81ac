// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/automaded/UsualTimes.h"

namespace laggard {

/// The MPI calls that returned late, but not because of others (ours), the first to return first. `calls` are
/// occurrences of communication states of the judged run; not of a model dump, which has no events.
///
/// 1. Time in which whom a call waited for had not come, or had not sent, is explained (findWaitSegments). Calls in which less
///    than half the largest unexplained time is left are victims. A call that returns at once by definition explains nothing.
/// 2. What is left began when all were there. A call needs that of another rank if it received a message of that call, if it is
///    a send whose message that call received, or in a collective: MPI_Bcast and MPI_Scatter(v) need the root, the root of
///    MPI_Reduce and MPI_Gather(v) all members, MPI_Scan those before it, others each other. Calls that need another one of
///    those left, which does not need them, are victims as well.
/// 3. Of calls that need each other, the one that returned first did not wait for the others' returns.
///
/// Throws Cancelled.
[[nodiscard]] std::vector<Occurrence> stalledCalls(const Trace &trace, std::vector<Occurrence> calls, const Work &work);

} // namespace laggard
