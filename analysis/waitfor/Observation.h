// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/waitfor/Judgement.h"
#include "analysis/waitfor/Snapshot.h"

namespace laggard {

/// The latest time stamp at or before `at`, over all locations; the start of the trace if there is none.
[[nodiscard]] Tick lastEventBefore(const Trace &trace, Tick at);

/// True if a collective counts among those of its communicator that all members make in the same order. Nobody waits in
/// MPI_Comm_free, and who left early may have called it where the others are in something else.
[[nodiscard]] bool isNumbered(const CollectiveKind &kind);

/// True for a rank in a call that may wait for others.
[[nodiscard]] bool mayWait(const Activity &activity);

/// What one rank does, and what it waits for, as far as its own events and the fates of its messages tell.
[[nodiscard]] TaskState observeRank(const Snapshot &snapshot, Rank rank);

/// The rank is in a collective, and on which communicator is not known: other ranks may tell (CommunicatorGuess).
[[nodiscard]] bool lacksCommunicator(const MpiCallTable &calls, const TaskState &task);

/// Counts the collective that the rank is in as begun, and gives it its number: it comes after those that were posted before,
/// unless the call waits for one of these. Once the communicator is known, or is not to be known.
void beginOpenCollective(const Snapshot &snapshot, TaskState &task);

/// Where the senders of a receive from any source are foretold from those seen at its place, a message under way of one that was
/// never seen there is as good. Once it is known what is under way.
void addUnseenSenders(const MpiCallTable &calls, JobState &state);

/// What a trace tells of a moment: whom open calls concern, messages on their way, collectives completed. Throws Cancelled.
[[nodiscard]] JobState observe(const Snapshot &snapshot, const Work &work);

/// The wait-for graph of what was observed. `missingSends` is asked only for sends to ranks whose call never returns: the others
/// got their message.
[[nodiscard]] WaitForGraph connectWaits(const Snapshot &snapshot, JobState state, const MissingSendsOf &missingSends,
                                        const Work &work);

} // namespace laggard
