// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/waitfor/WaitForGraph.h"

#include <optional>
#include <vector>

namespace laggard {

class JobView;

/// A rank that makes MPI calls again and again which all return, and of which none brought it anything from another rank, nor
/// another rank anything of it: neither a message nor a collective of several ranks since. Recordings only: other traces have no
/// record of what a call was for. Whether it computes between the calls or spins is not known: how long the others wait for it,
/// compared with earlier, tells that (analysis/verdict/Overdue). Nothing for ranks that make no such calls, or not
/// twice as many as they ever made before between two exchanges with others.
[[nodiscard]] std::optional<IdleLoop> idleLoopOf(const JobView &job, Rank rank);

/// A rank that makes the few calls of its last turns again and again, far more often than in any row of just these before: also
/// where it has exchanged nothing with anybody all the time, and where it does something in between (it may sleep). Says little
/// of one rank, which may wait for one that works; it takes that all do so. Recordings only.
[[nodiscard]] std::optional<IdleLoop> idleRunOf(const JobView &job, Rank rank);

/// Ranks that go round without end: each makes the few calls of its last turns again and again, at least ten times as often as
/// in any of three or more rows of just these calls that it has left before; they answer each other (`isExchange`) and nobody
/// else, or exchange with nobody, as one that asks for a counter in another's memory; and all others stand in calls that wait.
/// By rank; empty if there are no such ranks. Recordings only. Linear in the events of ranks that do not stand.
[[nodiscard]] std::vector<IdleLoop> endlessLoopsOf(const JobView &job);

/// The only one of these ranks that has made a call once less than each of the others before its last row began.
struct CallsShort {
    Rank rank = none;
    CallPathId callPath = none; ///< of the call
    std::uint32_t times = 0;    ///< that it made it
};
/// Of three ranks or more. Nothing where calls tell of different ranks, or earlier calls are lost. Linear in their events.
[[nodiscard]] std::optional<CallsShort> onlyShortOfCalls(const JobView &job, const std::vector<IdleLoop> &loops);

/// The latest moment at or before `at` at which the location exchanged a message with another rank, or took part in a collective
/// of several; 0: it never did. Linear in the records after that moment.
[[nodiscard]] Tick lastCommunication(const Trace &trace, const Location &location, Tick at);

/// Adds the moments up to `until` at which it did either, unsorted.
void addCommunications(const Trace &trace, const Location &location, Tick until, std::vector<Tick> &times);

} // namespace laggard
