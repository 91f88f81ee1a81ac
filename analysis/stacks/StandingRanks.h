// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/MpiCall.h"
#include "trace/StackSamples.h"
#include "trace/Trace.h"

#include <vector>

namespace laggard {

class PlaceOrder;

/// What the samples tell of a rank: of its main thread, or of one in MPI that the main thread waits for.
struct StandingRank {
    enum class Kind : std::uint8_t {
        Unknown,    ///< no sample has it
        Moving,     ///< it left a call of MPI that may block between two samples, or came into one
        Stopped,    ///< its process is stopped by a signal
        InCall,     ///< in one and the same call of MPI all the time
        Finalizing, ///< that call is MPI_Finalize
        Polling,    ///< it asks MPI again and again (MPI_Test, MPI_Iprobe)
        Computing,  ///< outside MPI all the time
    };
    Kind kind = Kind::Unknown;
    CallPathId callPath = none; ///< innermost in the last sample
    CallSiteId site = none;     ///< where in that function
    CallPathId mpiCall = none;  ///< the call of MPI that it is in; `none` outside
    CallPathId stays = none;    ///< innermost call that it was in during all samples without leaving it; `none`: not known
    bool moves = false;         ///< it did something below, or in, `stays`
    std::uint32_t thread = 0;   ///< all this is of: 0, the main thread, unless that waits for another one
    bool othersInMpi = false;   ///< other threads of the rank are in MPI, too: they may take or send what others wait for
    std::shared_ptr<const MpiArguments> arguments; ///< what `mpiCall` was given, in the last sample; nullptr: not known
};

/// Who holds a job up, as far as stacks tell that were taken at several moments: of history they know nothing, and
/// of messages and communicators what the calls were given. Nobody is named for being in the way of the most.
struct StacksJudgement {
    enum class Kind : std::uint8_t {
        Running,         ///< ranks came on between the samples; nobody is named
        Crashed,         ///< ended by a fault of their own (core files)
        Stopped,         ///< processes that a signal has stopped
        Computing,       ///< outside MPI while others wait in it
        LeftEarly,       ///< in MPI_Finalize while others are not
        OtherCollective, ///< in another collective than most, or at another place
        Behind,          ///< they wait for single messages, and the others have come to a collective or to MPI_Finalize
        Lacking,         ///< others wait for them in a collective, and they are in another one
        Awaited,         ///< others wait for their messages, or for theirs to be received, and they have gone on
        LedTo,           ///< all others wait for their messages, through however many; for what they wait is not known
        Cycle,           ///< they wait for each other's messages
        OtherArguments,  ///< in the same collective as most, on another communicator or with another root
        OddCall,         ///< in another call than most
        Astray,          ///< where the earlier run never was
        Earliest,        ///< at the place that comes before those of all others, by the earlier run
        Unclear,         ///< the stacks do not tell; nobody is named
    };
    Kind kind = Kind::Unclear;
    RankSet ranks;                      ///< whom it names; of Running those that moved
    double confidence = 0;              ///< 0..1
    RankSet awaiting;                   ///< Awaited, Lacking: who waits for `ranks`
    bool isOneSample = false;           ///< nobody can tell then whether anything moves
    std::size_t unseen = 0;             ///< ranks of the job of which there is no stack
    std::vector<StandingRank> standing; ///< by rank
};

/// docs/algorithms.md, "From stacks alone". `order`: of an earlier, sound run; nullptr: there is none.
[[nodiscard]] StacksJudgement judgeStacks(const Trace &job, const StackSamples &samples, const PlaceOrder *order = nullptr);

} // namespace laggard
