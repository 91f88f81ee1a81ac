// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "collect/store/Process.h"

namespace laggard::collect {

/// Copies the stacks of the process's threads when it was found hanging, or a reader has asked for them. A thread that is in a
/// system call which a signal would cut short is left alone, and only its stack pointer and program counter are known. Used by
/// the monitor thread.
class HangCapture {
  public:
    explicit HangCapture(Process &process) : m_process(process) {}
    [[nodiscard]] Process &process() { return m_process; }
    /// Takes a real-time signal by which threads are asked to copy themselves. Before the monitor thread starts.
    void prepare();

    /// The main thread; those that record; and of those of which the recorder has heard nothing first the ones that run (a thread
    /// that hangs in a computation may never have called MPI), then those that wait for another thread in a lock or its like.
    void captureAll(recording::CaptureReason reason);
    /// The process goes on: what was said of threads that record nothing holds no longer.
    void goesOn();

  private:
    /// A thread beside the main one, and where it is copied to.
    struct Other {
        CrashChunk chunk;
        recording::ThreadState *state = nullptr; ///< for a thread that records nothing
        bool isPrepared = false;
    };
    static constexpr std::size_t mostOthers = 15;
    static constexpr std::size_t mostWaiting = 8; ///< waiting ones: idle threads' pools are large; each takes 64 KiB of the file

    /// Threads are taken in two rounds, as there is room for some only: the second is of those that wait for another thread.
    enum class Round { Recording, Waiting };
    void captureOther(std::int32_t tid, Round round, recording::CaptureReason reason);
    /// Where it is copied to; nullptr if there is no room left.
    [[nodiscard]] Other *next(std::int32_t tid, const Thread *log);
    void capture(std::int32_t tid, CrashChunk &chunk, std::uint32_t thread, std::uintptr_t stackEnd,
                 recording::CaptureReason reason);
    [[nodiscard]] bool ask(std::int32_t tid, CrashChunk &chunk, std::uint32_t thread, std::uintptr_t stackEnd,
                           recording::CaptureReason reason) const;
    [[nodiscard]] const Thread *logOf(std::int32_t tid);
    /// Writes down who has the lock of a file that the main thread waits for.
    void lookForLock();

    static constexpr std::size_t longestList = 1U << 17U; ///< bytes of the system's list of locks: about two thousand

    Process &m_process;
    int m_signal = 0; ///< 0: all are in use
    Other m_others[mostOthers];
    std::size_t m_otherCount = 0;
    std::size_t m_waitingCount = 0; ///< waiting ones among them, in the second round
    std::int32_t m_lockHolder = 0;  ///< as it was written down last, since the process went on
    char m_locks[longestList];
};

} // namespace laggard::collect
