// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/JobState.h"
#include "trace/MpiCall.h"
#include "trace/RankSet.h"
#include "trace/Work.h"

namespace laggard {

class MessageFates;
class WaitIndex;

/// What the ranks that were read tell of whether the job has begun, and is over. Shares of a trace join theirs with `and`, and
/// `anyPresent` with `or`.
struct JobBounds {
    bool allEnded = true;    ///< every rank is at its end, or between MPI calls when its record ends
    bool allInInit = true;   ///< every rank of which anything was recorded stands in MPI_Init
    bool anyPresent = false; ///< something was recorded of some rank
};

/// A trace at one moment: what every rank is doing, before anything is inferred.
struct Snapshot {
    const Trace &trace;
    Tick at;
    const WaitIndex *index;              ///< makes it quick; may be nullptr
    const MessageFates *fates = nullptr; ///< for a share of a trace, whose messages are not matched; else nullptr
    MpiCallTable calls;
    std::vector<Activity> activities;     ///< by rank; `need` is not yet filled
    std::vector<std::uint32_t> openCalls; ///< by rank: row of the outermost open MPI call in `events`, `none` outside MPI

    Snapshot(const Trace &trace, Tick at, const Work &work, const WaitIndex *index = nullptr);
    /// Of a share: what `ranks` do, as far as each tells by itself. `settle` says the rest.
    Snapshot(const Trace &trace, const RankSet &ranks, const Work &work);
    [[nodiscard]] JobBounds boundsOf(const RankSet &ranks) const;
    /// Ranks of which the recording ends between MPI calls may compute or be gone: if all of the job end there, it is over. Those
    /// without a recording have not come to MPI_Init, if all others stand in it. `bounds`: of the whole job.
    void settle(const RankSet &ranks, const JobBounds &bounds);

    /// What the rank's open MPI call says; there must be one.
    [[nodiscard]] const MpiCall &openCall(Rank rank) const;
    /// True if the open call returns later in the trace: then its own records tell whom it concerns.
    [[nodiscard]] bool returnsLater(Rank rank) const;
    /// The thread whose calls are what the rank does: the main thread, or one that it waits for. The rank must have events.
    [[nodiscard]] LocationIndex location(Rank rank) const;
    [[nodiscard]] const LocationEvents &events(Rank rank) const { return trace.locations[location(rank)].events; }
};

} // namespace laggard
