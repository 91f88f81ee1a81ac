// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/Trace.h"
#include "trace/Work.h"

#include <span>

namespace laggard {

/// Gives every call path one number in all locations: `tables[t]` numbered the tracks of the locations with `tableOf[location] ==
/// t`. Fills `trace.callPaths` and rewrites the tracks. The numbers do not depend on the number of tables (threads).
void linkCallPaths(Trace &trace, const std::vector<CallPathTable> &tables, const std::vector<std::uint32_t> &tableOf,
                   const Work &work);

/// Finds the two ends of each message: the k-th send from a rank to another with a communicator and tag belongs to the
/// k-th receive (MPI 3.1 §3.5, non-overtaking). Fills `match` of all ends, the message counts, and `clock.resolution`
/// with the largest time by which a receive precedes its send.
void linkMessages(Trace &trace, const Work &work);

/// Numbers the collective calls of each communicator and fills `trace.collectives` (MPI 3.1 §5.12: all members call
/// a communicator's collectives in the same order). `starts`: by location, when the call of each collective was entered; empty:
/// as the track says.
void linkCollectives(Trace &trace, const Work &work, std::span<const Column<Tick>> starts = {});

} // namespace laggard
