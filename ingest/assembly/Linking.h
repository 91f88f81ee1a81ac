// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/Trace.h"
#include "trace/Work.h"

#include <optional>
#include <span>

namespace laggard {

/// Gives every call path one number in all locations: `tables[t]` numbered the tracks of the locations with `tableOf[location] ==
/// t`. Fills `trace.callPaths` and rewrites the tracks. The numbers do not depend on the number of tables (threads).
void linkCallPaths(Trace &trace, const std::vector<CallPathTable> &tables, const std::vector<std::uint32_t> &tableOf,
                   const Work &work);

/// Messages of one channel of a rank that are not among its records: a recording has overwritten them, and counted them; or they
/// were lost.
struct EarlierMessages {
    Rank rank = none;
    bool isSend = false; ///< sent by it; else received
    Rank peer = none;
    CommunicatorId communicator = none;
    std::uint32_t tag = 0;
    std::uint64_t count = 0;
    std::optional<std::uint64_t> after = {}; ///< lost behind so many that are there; nothing: overwritten, before all of them
};

/// Finds the two ends of each message: the k-th send from a rank to another with a communicator and tag belongs to the
/// k-th receive (MPI 3.1 §3.5, non-overtaking). Fills `match` of all ends, the message counts, and `clock.resolution`
/// with the largest time by which a receive precedes its send. Ends whose other end was overwritten are dropped; their
/// number is in `trace.unshown`. Those whose other end was lost stay, without a match.
void linkMessages(Trace &trace, const Work &work, std::span<const EarlierMessages> earlier = {});

/// Numbers the collective calls of each communicator and fills `trace.collectives` (MPI 3.1 §5.12: all members call
/// a communicator's collectives in the same order), beginning with those that a rank has completed before its records
/// (`LocationEvents::earlierCollectives`). `starts`: by location, when the call of each collective was entered; empty:
/// as the track says.
void linkCollectives(Trace &trace, const Work &work, std::span<const Column<Tick>> starts = {});

} // namespace laggard
