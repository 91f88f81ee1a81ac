// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/units/Connections.h"
#include "trace/CallModel.h"

namespace laggard {

/// A stretch of one thread (thesis §6.1.2): rows [begin, end) of its track, and the calls that were open at their beginning.
struct ExecutionUnit {
    UnitKind kind = UnitKind::Handler;
    LocationIndex location = none;
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
    std::uint32_t receive = none; ///< for Handler: the row of its first accept or receive
    std::uint32_t connection =
        none; ///< for Handler: the one it received from (for an accept: the one that listens); `none`: inherited, not known
    CallPathId wait = none; ///< for Handler and Turn: the loop's wait. It and its callers are in every turn, and do not count
    Tick start = 0;         ///< for Handler: the receive's start
    Tick finish = 0;
    /// All of it is there. Otherwise what was not called may only have been not yet called, or not recorded: that is no evidence.
    bool isComplete = false;
};

/// A process in units.
struct ProcessUnits {
    Connections connections;
    std::vector<ExecutionUnit> units;  ///< by thread, then in order of time
    std::vector<CallPathId> signature; ///< calls of bind, connect, listen and accept in the initializer, sorted (§6.1.4)
    std::vector<CallPathId> loops;     ///< waits of its event loops, sorted
    bool isWholeFromStart = false;     ///< its beginning is there, so that the signature is all of it
};

/// Cuts a process into units (§6.1.2), with two differences. What a turn of the loop does before it receives (finding out which
/// descriptor is ready) belongs to the unit of that receive, not to the one before; and a turn that receives nothing is a unit of
/// its own. Several receives from one connection in one turn are one (§6.1.2: a message may come in parts). `knownLoops`: as in
/// findEventLoop.
[[nodiscard]] ProcessUnits decompose(const Trace &trace, Rank rank, const std::vector<CallRole> &roles,
                                     const std::vector<bool> &knownLoops);

} // namespace laggard
