// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/recording/Format.h"

#include <cstdint>
#include <span>

namespace laggard::collect {

using Ticks = std::uint64_t;

/// A part of a call or one of its completions, as Format.h lays it out: what follows the header.
struct Part {
    recording::RecordKind kind;
    std::uint32_t argument = 0;
    std::uint64_t words[9] = {};
    unsigned count = 0; ///< number of words
};

/// If a function of an interpreter makes the call that the thread is about to make: its line; 0: not known. Not linked where
/// there is no interpreter.
[[gnu::weak, nodiscard]] std::uint32_t scriptLine();
/// In a child: the number in its recording of a function of an interpreter that its parent's recording has under this one;
/// `nothing` if it is none.
[[gnu::weak, nodiscard]] std::uint32_t scriptInChild(std::uint32_t number);

/// Now, in ticks of the recording (nanoseconds of CLOCK_MONOTONIC).
[[nodiscard, gnu::visibility("default")]] Ticks now();

/// Records what one thread does: its events, live state, model and counts. Used by that thread alone, and never from a signal
/// handler. Nothing here throws or fails: what finds no room is counted as dropped.
class ThreadLog {
  public:
    virtual ~ThreadLog() = default;

    /// The path of the operation at the place where the thread is now: its stack (with --stacks on), or its open instrumented
    /// functions. Frames of the recorder and of the MPI library are left out. Cheap where the stack is the one of the last calls.
    [[nodiscard]] virtual std::uint32_t callPath(std::uint32_t operation, std::uint32_t datatype) = 0;

    /// An MPI call begins; it is in the file, with its parts, before this returns. Calls do not nest. `entered`: when the
    /// wrapper was entered; what lies between that and `now()` is the recorder's own cost.
    virtual void beginCall(std::uint32_t path, Ticks entered, std::span<const Part> parts,
                           std::span<const std::uint64_t> awaited = {}) = 0;
    /// The open call has returned at `returned`. Sends, receives and collectives among `completions` are counted.
    virtual void endCall(Ticks returned, std::uint32_t flags, std::span<const Part> completions) = 0;

    /// Calls of the C library nest where a signal handler comes in one: the open one, to be resumed when the other has ended.
    struct OpenCall {
        std::uint32_t path = recording::nothing; ///< `nothing`: none is open
        Ticks entered = 0;
        Ticks began = 0;
    };
    [[nodiscard]] virtual OpenCall openCall() const = 0;
    virtual void resumeCall(const OpenCall &call) = 0;
    /// The thread is in the recorder: what is called now is the recorder's own, or a signal handler's that came in there.
    [[nodiscard]] virtual bool isBusy() const = 0;
    /// A call was not recorded for that: it is counted as dropped.
    virtual void missed() = 0;

    /// Begins a call that returns at once (MPI_Test, MPI_Iprobe): marks it as open in the live state, writes no record.
    virtual void beginPoll(std::uint32_t path, Ticks entered) = 0;
    /// It found nothing: a run of equal polls is one record.
    virtual void endPollUnsuccessful(Ticks returned, std::span<const Part> parts, std::span<const std::uint64_t> awaited) = 0;
    /// It found something: recorded as a call from when it was entered.
    virtual void endPollSuccessful(Ticks returned, std::span<const Part> parts, std::span<const std::uint64_t> awaited,
                                   std::span<const Part> completions) = 0;

    /// An instrumented function is entered or left; `address` as the program sees it.
    virtual void enter(const void *address) = 0;
    virtual void leave(const void *address) = 0;
    /// The same for a function of an interpreter, by the number that `defineScript` gave it; `line`: where it is called, in its
    /// caller's file; 0: not known.
    virtual void enterScript(std::uint32_t number, std::uint32_t line) = 0;
    virtual void leaveScript(std::uint32_t number) = 0;

    /// MPI_Pcontrol(level): a new phase begins.
    virtual void phase(std::int32_t level) = 0;
};

/// The file of this process: what all its threads share. Thread-safe.
class ProcessLog {
  public:
    virtual ~ProcessLog() = default;

    /// The log of the calling thread; made at its first call. nullptr where nothing is recorded (the file could not be made, the
    /// thread is ending, or the recorder's own thread asks).
    [[nodiscard]] virtual ThreadLog *thread() = 0;

    /// Messages are to have fingerprints of their contents.
    [[nodiscard]] virtual bool takesFingerprints() const = 0;
    [[nodiscard]] virtual std::uint32_t defineOperation(const char *name) = 0;
    /// `basic`: the predefined datatype that all of it is made of, or `nothing`, or `itself`.
    static constexpr std::uint32_t itself = 0xFFFFFFFE;
    [[nodiscard]] virtual std::uint32_t defineDatatype(std::uint64_t bytes, const char *name, std::uint32_t basic) = 0;
    /// `key` as of communicators.
    [[nodiscard]] virtual std::uint32_t defineWindow(std::uint64_t key, std::uint32_t communicator) = 0;
    [[nodiscard]] virtual std::uint32_t defineGroup(std::span<const std::uint32_t> members) = 0; ///< world ranks
    /// `key` is the same in all members and different for different communicators of the job. `members`: world ranks in the
    /// communicator's order (for an intercommunicator: in the remote group's).
    [[nodiscard]] virtual std::uint32_t defineCommunicator(std::uint64_t key, std::uint32_t parent, std::uint32_t flags,
                                                           std::uint32_t ownRank, std::span<const std::uint32_t> members) = 0;
    virtual void nameCommunicator(std::uint32_t communicator, const char *name) = 0;
    /// A function of an interpreter; `nothing` if there is no room.
    [[nodiscard]] virtual std::uint32_t defineScript(const char *name, const char *file, std::uint32_t line) = 0;
    /// From now on, frames of these modules are the interpreter's own, and left out of call paths: the one that holds `code`, and
    /// those with `part` in their paths.
    virtual void hideInterpreter(const void *code, const char *part) = 0;

    /// A request was posted by a part of a call at `path` (parts carry the number that this returns). Numbers start at 1. Posted
    /// again, a request (a persistent one that is started) is described anew.
    [[nodiscard]] virtual std::uint64_t newRequest() = 0;
    virtual void requestPosted(std::uint64_t request, const Part &part, std::uint32_t path, Ticks when) = 0;
    /// It is complete, or freed. Before `endCall` of the call that found it so. A collective counts as completed by this.
    virtual void requestDone(std::uint64_t request) = 0;

    /// After MPI_Init.
    virtual void worldKnown(std::int32_t rank, std::int32_t size, std::uint32_t threadLevel) = 0;
    virtual void finalized() = 0;
    /// As RecordKind::ClockOffset has it.
    virtual void clockOffset(Ticks time, std::int64_t offset, std::uint64_t roundTrip) = 0;
    /// MPI_Abort is about to end the process, if no signal of the launcher does so first.
    virtual void aborts(std::int32_t status) = 0;
    /// MPI has found an error in a call of the calling thread, and hands it to the error handler. If several, the latest counts.
    /// `function`: "MPI_Type_commit"; it counts where the call is none that is recorded, and its place is recorded with it.
    /// Returns when it was, for errorHandled().
    [[nodiscard]] virtual Ticks errorFound(const char *text, const char *function) = 0;
    /// The handler has returned: the call goes on, and returns an error.
    virtual void errorHandled(Ticks found) = 0;
};

/// The recording of this process; begun at the first call. nullptr if recording is off or impossible, which was said once on
/// stderr. What the process keeps for its whole life lives behind this function, as a preloaded library has no main().
[[nodiscard, gnu::visibility("default")]] ProcessLog *processLog();

/// Counts the forks that led to this process from the one that was started: what was remembered under another number belongs to
/// the recording of another process.
[[nodiscard]] unsigned recordingGeneration();
/// The calling thread is about to call vfork(): until it has returned in the parent, what it calls may be the child's, in the
/// memory of the parent.
void vforkBegins();

} // namespace laggard::collect
