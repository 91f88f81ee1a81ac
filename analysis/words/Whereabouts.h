// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/waitfor/WaitForGraph.h"
#include "trace/Trace.h"

#include <string>

namespace laggard {

/// False where a rank is outside MPI and only the callers of MPI calls are known: it may be in any function that those call.
/// Where its stack was captured, or functions announce themselves, the place is exact.
[[nodiscard]] bool isExactPlace(const Trace &trace, const WaitForGraph &waits, Rank rank);

/// False where a rank is outside MPI and which functions it has been in before is not recorded.
[[nodiscard]] bool knowsFunctions(const Trace &trace, const WaitForGraph &waits, Rank rank);

/// Where a rank is, to be read after "in ": as describeCall() says it or, where that is not exact, "or below step,
/// between MPI_Waitall (step.c:40) and MPI_Allreduce (step.c:52)". The first is the MPI call that it returned from last; the
/// second the one that followed that in earlier rounds of the rank, or else of others, left out where there is none.
[[nodiscard]] std::string describeWhereabouts(const Trace &trace, const WaitForGraph &waits, Rank rank);

/// The same of a rank that was in `path` at an earlier moment, when the call after that is known.
[[nodiscard]] std::string describeWhereaboutsAt(const Trace &trace, Rank rank, CallPathId path, Tick at);

/// The same of ranks that are in one call path: what they have in common.
[[nodiscard]] std::string describeWhereabouts(const Trace &trace, const WaitForGraph &waits, const RankSet &ranks,
                                              CallSiteId commonSite);

} // namespace laggard
