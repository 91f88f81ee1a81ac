// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/verdict/Truncation.h"
#include "analysis/waitfor/WaitForGraph.h"
#include "trace/Trace.h"

#include <optional>
#include <string>
#include <vector>

namespace laggard {

/// Processes that did not end of their own accord, or that said the job had failed (recordings only).
struct Crash {
    enum class Manner : std::uint8_t {
        Alive,
        Fault,     ///< a signal for what the program did
        Itself,    ///< a signal that it sent to itself
        Aborted,   ///< it called MPI_Abort
        Erroneous, ///< MPI found an error in one of its calls
        Failed,    ///< it exited as one that failed
        Limited,   ///< its time was up
        Ended,     ///< by a signal from outside, or by its MPI library
        Killed,    ///< without a word
    };
    RankSet ranks;                 ///< the first, and those that ended in the same way
    Rank first = none;             ///< where it began, as far as the clocks tell
    Manner manner = Manner::Alive; ///< how the first one ended
    CallPathId callPath = none;    ///< what it was in
    std::string function;          ///< innermost function with a known source, else the innermost
    std::string file;
    std::uint32_t line = 0;
    double confidence = 1;                ///< less where it was lost whether a rank with a failure status had come to its end
    std::optional<Truncation> truncation; ///< the message for which MPI ended it, with which nothing below is known
    bool isInsideMpi = false;             ///< in the middle of an MPI call
    bool isEndLost = false;               ///< nobody knows whether MPI_Finalize was called
    bool outlivedError = false;           ///< for Erroneous: it did not end at once
    bool hostLivedOn = false;             ///< others of its machine were there after it had gone
    bool mayBeLimitOfJob = false;         ///< for Limited: others that computed ended with it
    std::uint32_t lastCall = none;        ///< row of its latest MPI call, in its main thread
};

/// The crash of the job by `waits.at`; nothing if it did not crash. A job that was ended as a whole from outside, as one that
/// hangs is, has not crashed.
[[nodiscard]] std::optional<Crash> findCrash(const Trace &trace, const WaitForGraph &waits);

/// A signal for what a process did itself (SIGSEGV), not one by which others end it (SIGTERM, SIGKILL).
[[nodiscard]] bool isFaultSignal(std::int32_t number);

/// Whether it is known that MPI_Finalize was called, or not, whatever became of the events.
[[nodiscard]] bool tellsFinalize(const ProcessEnd &end);

/// MPI ends the process when it is called after MPI_Finalize.
[[nodiscard]] bool isEndedByMpi(const ProcessEnd &end);

/// The innermost frame of the program's own with a line, else the innermost with one; nullptr if none has.
[[nodiscard]] const Frame *placedFrame(const std::vector<Frame> &stack);

} // namespace laggard
