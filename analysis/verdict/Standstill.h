// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/waitfor/WaitForGraph.h"
#include "trace/Trace.h"

#include <optional>

namespace laggard {

/// The longest stretch of time without an event of any rank that ended at or before `until`, in ticks; without the start of the
/// job, until every rank has left MPI_Init. Stretches shorter than a 65,536th of the trace count as 0. Linear in the events.
[[nodiscard]] Tick longestSilenceBefore(const Trace &trace, Tick until);

/// A job that stood still for long, and then was ended: from its last event until the first of the few that follow, when a
/// launcher wakes (SIGCONT) what it is about to kill. Recordings only; nothing if the last events are not such, or if ranks that
/// were outside MPI, for which the others waited, ended the job themselves: by MPI_Abort, an error, exit.
[[nodiscard]] std::optional<TimeRange> standstillBeforeEnd(const Trace &trace);

/// The moment at which a job is judged that ended as it did: the end of the trace or, of one that stood still and was then
/// ended, the last tick before it was.
[[nodiscard]] Tick momentToJudge(const Trace &trace);

/// The recorder found all processes hanging that are not over.
[[nodiscard]] bool hangWasNoticed(const Trace &trace, const WaitForGraph &waits);

/// True if every rank that has not finished has stood in MPI since the recorder noticed that it hangs, or for long: nothing will
/// change any more, whatever it waits for. Ranks of which nothing is known are left out.
[[nodiscard]] bool standsInMpi(const Trace &trace, const WaitForGraph &waits);

/// Ranks that were stopped (SIGSTOP, a debugger) when the job was last seen: by other processes or, of a job that is there, by
/// us.
[[nodiscard]] RankSet stoppedRanks(const Trace &trace);

} // namespace laggard
