// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/RankSet.h"

#include <cstdint>
#include <optional>
#include <string>

namespace laggard {

/// What a headline is made of (analysis/words/HeadlineWords.h): the answer as facts. What is not known is empty.
struct HeadlineFacts {
    enum class Kind : std::uint8_t {
        Unknown, ///< nothing is known of what became of the job
        Running, ///< it ran when the trace ended, or at the moment asked about
        Finished,
        Crashed, ///< `ending`: how, where that is known
        // A job that hangs:
        Computing,   ///< ranks outside MPI, for which the others wait
        Spinning,    ///< all ranks make calls of MPI again and again that bring nothing
        Stuck,       ///< ranks that do not come out of a call
        Halted,      ///< ranks whose processes are stopped (SIGSTOP)
        LeftEarly,   ///< ranks that finished while others wait for them
        MissingSend, ///< ranks that never sent what others wait for
        LostMessage, ///< ranks wait for a message that was sent
        Deadlock,
        Mismatch,   ///< ranks in another collective than the others
        Untaken,    ///< a message that nobody received
        Misfit,     ///< the two ends of a message that do not fit
        HoldsLock,  ///< a rank keeps a lock that `others` ranks wait for
        HabitBreak, ///< did something else than in the same situation before, as the only one of those who hold each other up
        OddReceive, ///< a receive that differs from those of earlier rounds, or takes what is meant for another one
        NoSender,   ///< ranks wait for a message that nobody sends
        LeftOut,    ///< ranks that left out what they did in earlier rounds
        NoDump,     ///< ranks of which there is no dump
        Behind,     ///< by their place in the code alone
        Standing,   ///< nobody can be singled out
        // A job that moved, and was slow:
        Delayed,         ///< a rank made others wait, again and again or at once
        DelayedOnce,     ///< the same by what it did once, at the start or the end
        Slower,          ///< a rank, or all (no ranks), computes `times` slower from a moment on
        Exception,       ///< a rank was once in a state for longer than usual
        Stopped,         ///< ranks stopped long before the others
        Unlike,          ///< ranks spend their time differently
        RepeatedMessage, ///< ranks received a message twice
        // A job that finished, and used MPI wrongly (MpiUse.h):
        Disagreed,  ///< ranks that disagreed with others about a collective
        Unreceived, ///< the two ends of a message that nobody received
        Unwaited,   ///< ranks that never completed a request
        OtherType,  ///< ranks that sent or received a message as something else than its other end
    };
    Kind kind = Kind::Unknown;
    RankSet ranks;           ///< whom it is about; of Finished and Running nobody
    std::size_t others = 0;  ///< how many ranks waited for them
    std::string function;    ///< where they were
    bool isKept = false;     ///< of HabitBreak: it has not passed on a message (HabitBreak::isKept)
    bool isReceiver = false; ///< of Misfit, where one is named: it asks for another message; else it sent another one
    enum class Ending : std::uint8_t {
        Unknown,
        MpiError,
        Signal,
        OwnSignal, ///< one that the rank sent to itself
        Aborted,   ///< it called MPI_Abort
        ExitStatus,
        Killed
    };
    Ending ending = Ending::Unknown; ///< for Crashed; also for Mismatch, where MPI ended a rank for it
    std::int32_t endValue = 0;       ///< for Crashed: the signal, or the exit status
    std::optional<double> at;        ///< seconds from the start: when it began, or was at its worst
    std::optional<double> seconds;   ///< how long it took; of Delayed, what each of the others waited
    std::optional<double> usual;     ///< seconds: of Exception
    std::optional<double> times;     ///< for Slower: how many times
    /// 0..1: of all waiting; of Finished, and of what a finished job did wrongly, of the ranks' time that was waiting.
    std::optional<double> share;
    std::size_t job = 0;              ///< ranks of the job
    std::size_t known = 0;            ///< those of which events could be read to the end
    std::optional<double> jobSeconds; ///< how long it ran; nothing where a trace does not tell
    bool operator==(const HeadlineFacts &) const = default;
};

} // namespace laggard
