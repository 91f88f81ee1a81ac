// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/RankSet.h"
#include "trace/Trace.h"
#include "trace/Work.h"

#include <string>
#include <vector>

namespace laggard {

/// What a rank was doing at the moment asked about.
struct Activity {
    enum class Kind : std::uint8_t {
        Unknown,      ///< nothing readable of it, or it was not read
        NotStarted,   ///< before its first event
        Finished,     ///< left its outermost call, or MPI_Finalize, for good
        Finalizing,   ///< inside MPI_Finalize
        Computing,    ///< innermost open call is outside MPI, or between the recorded calls
        Collective,   ///< inside a collective
        PointToPoint, ///< inside a blocking send, receive, wait, test or probe
        OtherMpi,     ///< inside an MPI call that waits for nobody (MPI_Comm_rank)
    };
    /// What the open call needs of other ranks.
    enum class Need : std::uint8_t {
        Nothing, ///< it is not a call that waits
        Missing, ///< another rank has not done its part: there is a Wait
        Met,     ///< all others have done their parts
        Unclear, ///< the trace does not tell whom the call concerns
    };
    Kind kind = Kind::Unknown;
    std::uint32_t row = none;   ///< innermost open call in the main thread's track; `none` between calls
    CallPathId callPath = none; ///< of that call
    Tick since = 0;             ///< when it entered that call, finished, or (between calls) left the last one
    Need need = Need::Nothing;
    double confidence = 1; ///< of `need`, 0..1
};

/// Ranks that wait for other ranks, for one reason. Collectives on many ranks are one entry, not one per pair.
struct Wait {
    enum class Kind : std::uint8_t { Collective, PointToPoint };
    Kind kind = Kind::Collective;
    RankSet waiters;
    RankSet on;                         ///< whom they wait for; never empty, may overlap nothing of `waiters`
    bool anyOf = false;                 ///< one of `on` is enough (ANY_SOURCE, Waitany); otherwise all are needed
    double confidence = 1;              ///< 0..1; 1 where the trace says so itself
    std::string evidence;               ///< a sentence with its numbers
    CommunicatorId communicator = none; ///< of collectives, where known
    std::uint32_t instance = none;      ///< of collectives: its number on the communicator, from 0
    std::uint32_t tag = none;           ///< of a single awaited message, where known
};

/// A send that was due, by the sender's own earlier behaviour, and was not made.
struct MissingSend {
    Rank from = none;
    Rank to = none;
    Tick due = 0;               ///< when the sender passed the place
    CallPathId callPath = none; ///< of the call that made this send in earlier rounds
    double confidence = 0;
    std::string evidence;
};

/// The answer to "who holds the others up?", with its grounds.
struct WaitForVerdict {
    enum class Kind : std::uint8_t {
        Finished,    ///< every rank has finished
        LeftEarly,   ///< ranks have finished or finalize while others wait for them
        Computing,   ///< a rank outside MPI, for which the others wait
        StuckInCall, ///< a rank inside an MPI call that nothing holds up
        MissingSend, ///< a cycle of waits that began with a send that was never made
        Deadlock,    ///< a cycle of waits
        Unknown,     ///< the waits do not tell, or nobody waits
    };
    Kind kind = Kind::Unknown;
    RankSet ranks;           ///< whom the verdict names; empty for Finished and Unknown
    std::size_t waiting = 0; ///< ranks that wait for them, directly or through others (not counting themselves)
    /// Every rank that has not finished is named or waits for one that is. Without it the job may still move. False where ranks
    /// were not read.
    bool everybodyWaits = false;
    /// From when on nothing has changed in this: the latest moment at which a named or waiting rank entered its call; `at` if
    /// none is named.
    Tick since = 0;
    double confidence = 0;
    std::string why;
    std::vector<MissingSend> missingSends; ///< most convincing first
};

/// Who waits for whom at one moment, by calls, messages and collectives of the trace.
struct WaitForGraph {
    Tick at = 0;
    Tick lastEvent = 0;               ///< of any rank, not after `at`: how long before `at` the whole job fell silent
    std::vector<Activity> activities; ///< by rank
    std::vector<Wait> waits;
    WaitForVerdict verdict;
};

/// The wait-for graph at time `at` (`openEnd`: the end of the trace): docs/algorithms.md, "Who waits for whom".
///
/// Messages, collectives and calls count as they were at that moment: a message received later is not received. Whom an open call
/// concerns is taken from its own records where it completed later in the trace, from a pending request posted by that very call
/// (recordings), else inferred from the rank's own history.
/// Of a trace that was read in part (Trace::part), `at` is moved into the time that was read, ranks that were not read are
/// Unknown, and nobody is said to wait for them: what they did is not known. Throws Cancelled.
[[nodiscard]] WaitForGraph buildWaitForGraph(const Trace &trace, Tick at, const Work &work);

} // namespace laggard
