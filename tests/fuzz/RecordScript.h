// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/RecordingWriter.h"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace laggard::test {

/// Bytes that say which records two processes have written: whatever they are, two recordings come of them whose checks are all
/// right. A step is a byte for what is done (RecordStep) and its numbers. A number is one byte below 0x60 for itself, 0x60 to
/// 0x7F for multiples of 100 from 0 on, one from 0x80 on for a number of note (`numbersOfNote`), 0xA0 for two halves that follow,
/// and any other for the 8 bytes that follow. A list is a byte for its length, and its numbers.
enum class RecordStep : std::uint8_t {
    Define,     ///< kind, list of words
    Event,      ///< kind, argument, list of words
    Chunk,      ///< time, chunks left out
    Thread,     ///< its number
    Begin,      ///< time, operation (index into operationsInScripts): a call is begun
    Polls,      ///< time, operation, number
    State,      ///< list of words: of ThreadState, from the second one on; so are the next three, and FewTimes
    Request,    ///<
    Count,      ///<
    Transition, ///<
    Crash,      ///< thread, list of words of CrashState, list of words of the stack
    Header,     ///< which word (below), value
    Exited,     ///< time, status
    Signalled,  ///< time, signal
    Process,    ///< further steps are of the other process
    FewTimes,   ///< see State
};
inline constexpr unsigned recordSteps = 16;

inline constexpr std::array<std::uint64_t, 8> numbersOfNote = {recording::nothing, recording::anySource, recording::nullProcess,
                                                               0x7FFFFFFF,         0x80000000,           0xFFFFFFFFFFFFFFFF,
                                                               0x7FFFFFFFFFFFFFFF, 0x8000000000000000};

/// Calls of each kind that the analyses know.
inline constexpr std::array<const char *, 24> operationsInScripts = {
    "MPI_Send",    "MPI_Recv",     "MPI_Irecv",     "MPI_Isend",    "MPI_Wait",      "MPI_Waitall",
    "MPI_Waitany", "MPI_Test",     "MPI_Barrier",   "MPI_Ibarrier", "MPI_Allreduce", "MPI_Bcast",
    "MPI_Reduce",  "MPI_Sendrecv", "MPI_Probe",     "MPI_Iprobe",   "MPI_Comm_dup",  "MPI_Comm_split",
    "MPI_Init",    "MPI_Finalize", "MPI_Win_fence", "MPI_Win_lock", "MPI_Start",     "MPI_Ssend"};

/// The recordings of ranks 0 and 1 of two that the script says.
[[nodiscard]] std::array<std::string, 2> recordingsOf(std::string_view script);

/// Writes scripts, for seeds.
class RecordScript {
  public:
    RecordScript &step(RecordStep step, const std::vector<std::uint64_t> &numbers = {});
    RecordScript &list(const std::vector<std::uint64_t> &numbers); ///< that the step before ends with
    RecordScript &event(recording::RecordKind kind, std::uint64_t argument, const std::vector<std::uint64_t> &words);
    RecordScript &define(recording::RecordKind kind, const std::vector<std::uint64_t> &words);
    [[nodiscard]] const std::string &bytes() const { return m_bytes; }

  private:
    void number(std::uint64_t value);
    std::string m_bytes;
};

} // namespace laggard::test
