// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/JobState.h"
#include "trace/MpiCall.h"
#include "trace/Work.h"

namespace laggard {

class WaitIndex;

/// A trace at one moment: what every rank is doing, before anything is inferred.
struct Snapshot {
    const Trace &trace;
    Tick at;
    const WaitIndex *index; ///< makes it quick; may be nullptr
    MpiCallTable calls;
    std::vector<Activity> activities;     ///< by rank; `need` is not yet filled
    std::vector<std::uint32_t> openCalls; ///< by rank: row of the outermost open MPI call in `events`, `none` outside MPI

    Snapshot(const Trace &trace, Tick at, const Work &work, const WaitIndex *index = nullptr);

    /// What the rank's open MPI call says; there must be one.
    [[nodiscard]] const MpiCall &openCall(Rank rank) const;
    /// True if the open call returns later in the trace: then its own records tell whom it concerns.
    [[nodiscard]] bool returnsLater(Rank rank) const;
    /// The thread whose calls are what the rank does: the main thread, or one that it waits for. The rank must have events.
    [[nodiscard]] LocationIndex location(Rank rank) const;
    [[nodiscard]] const LocationEvents &events(Rank rank) const { return trace.locations[location(rank)].events; }
};

} // namespace laggard
