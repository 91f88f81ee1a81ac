// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/divergence/Acts.h"
#include "trace/RankSet.h"
#include "trace/Trace.h"
#include "trace/Work.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace laggard {

/// How a rank leaves what it did in the other run.
enum class Departure : std::uint8_t {
    OtherCall,    ///< it calls another MPI function
    OtherPath,    ///< the same function, from another place
    Operation,    ///< another collective operation
    Partner,      ///< another peer or root
    Tag,          ///< another tag of a message
    Communicator, ///< another communicator of a message or collective
    Size,         ///< in bytes
    Messages,     ///< more or fewer messages in one call
    NotReturned,  ///< the call returned in the other run only
    OnlyReturned, ///< the call returned in this run only
    NoMoreCalls,  ///< it made no further call; in the other run it did
    MoreCalls,    ///< it made a further call; in the other run it did not
};

/// "other_call", … : as in the JSON report.
[[nodiscard]] const char *name(Departure departure);

/// A call of one run.
struct DivergedCall {
    std::uint32_t row = none; ///< in the track of the rank's main thread
    CallPathId callPath = none;
    Tick start = 0;
    Tick end = 0;                ///< openEnd: it did not return
    std::optional<ActPart> part; ///< what is different in it: a message, a collective
};

/// Where a rank first departs from what it did in the other run.
struct RankDivergence {
    Rank rank = none;
    Departure what = Departure::OtherCall;
    std::uint64_t callsAlike = 0;     ///< MPI calls before it, the same in both (Acts)
    std::uint64_t logicalTime = 0;    ///< in the other run; in this one where the other has no such call
    std::optional<DivergedCall> here; ///< nothing where this run made no further call
    std::optional<DivergedCall> there;
    bool afterWildcard = false; ///< a receive from any source had got another rank's message before: it may follow from that
};

/// A receive for any source or any tag that got another message than in the other run, which MPI leaves open.
struct WildcardOutcome {
    Rank rank = none;
    std::uint64_t callsAlike = 0;
    DivergedCall here;
    DivergedCall there;
};

/// Two runs of one program, call by call.
struct DivergenceReport {
    std::string otherPath; ///< the other trace's path
    Clock otherClock;
    Tick otherBegin = 0;
    std::size_t ranks = 0; ///< ranks of this run
    std::size_t otherRanks = 0;
    RankSet compared;
    bool comparesPaths = true;              ///< false: functions alone
    bool comparesPartners = true;           ///< false: neither partners nor sizes, as runs of other sizes have others
    bool comparesSizes = true;              ///< false: not the sizes of collectives, as formats count them differently
    std::vector<RankDivergence> departures; ///< the earliest in logical time first
    std::vector<WildcardOutcome> wildcards; ///< the first of each rank, by rank
    RankSet notCompared;                    ///< ranks that both have, but whose first calls are not in both traces
    RankSet damaged;                        ///< events of them were lost, in one of the traces
    std::string format;                     ///< this trace's format
    std::string otherFormat;
};

/// For each rank the first of its acts (analysis/divergence/Acts.h) at which `here` does something else than `there`, the
/// earliest in logical time first (logicalTimes, in `there`): what happened before a departure cannot follow from it. A departure
/// into another call has the time at which it was entered, a call that did not return that at which it returned in the other run.
///
/// Compared are call paths by functions' names, messages (peer, tag, bytes, communicator) and collectives (operation, root,
/// communicator, bytes) as far as both traces have them. Times are not compared. What a receive for any source got is a wildcard
/// outcome, and no departure. Linear in calls and messages, but for sorting; ranks in parallel. Throws Cancelled.
[[nodiscard]] DivergenceReport findDivergence(const Trace &here, const Trace &there, const Work &work);

} // namespace laggard
