// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/Trace.h"
#include "trace/Work.h"

#include <vector>

namespace laggard {

/// What cutting the calls of all locations to a part of the time left to be done; by location.
struct TimeCut {
    std::vector<TimeRange> records; ///< messages and collectives in it are kept: the part, and the MPI calls at its borders whole
    std::vector<Column<Tick>> collectiveStart; ///< when the call of each collective was entered, whether it was kept or not
};

/// Keeps of a location's calls those that overlap `part`, their callers, and beside it what tells a rank between calls from one
/// that has finished: the last call and the last MPI call entered before it, and the first entered after it. All keep their
/// times.
///
/// Messages and collectives stay (`cutRecords`): their partners and numbers follow from all of them. `regions` are the trace's; a
/// call of any other is not MPI. Fills `cut` at `location`, so that locations can be cut in parallel.
void cutCalls(LocationEvents &events, const std::vector<Region> &regions, const CallPathTable &paths, TimeRange part,
              LocationIndex location, TimeCut &cut);

/// Drops what lies outside `trace.part.time`, after all was linked. A message stays, with both ends, if one of them is in the
/// `records` of its location or if it was on its way during the part; one that was never received is on its way for ever.
/// Collectives stay if they are in the `records`; instances that are left without any are dropped, those before are counted
/// (`LocationEvents::earlierCollectives`). Throws Cancelled.
void cutRecords(Trace &trace, const TimeCut &cut, const Work &work);

/// By rank, for each message end of the process, over all its locations: `none` if it is to be dropped.
using EndPositions = std::vector<std::vector<std::uint32_t>>;

/// Drops message ends after linking; both ends of a matched message must stay or go, and sends of pending requests stay. The
/// others are given their new positions. Throws Cancelled.
void keepMessageEnds(Trace &trace, EndPositions &sends, EndPositions &receives, const Work &work);

/// Counts matched and unmatched messages anew. An end whose partner was not read does not count as unmatched.
void recountMessages(Trace &trace);

} // namespace laggard
