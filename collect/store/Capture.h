// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "collect/store/MappedFile.h"

#include <csignal>
#include <ucontext.h>

namespace laggard::collect {

/// A chunk in the file, made beforehand, that takes the registers and the stack of a thread. Everything but `prepare` is
/// async-signal-safe.
class CrashChunk {
  public:
    /// Takes room for it in the file, with a stack as large as fits into `units` of chunks.
    void prepare(MappedFile &file, std::uint32_t units = crashUnits);
    /// Copies the state of a thread that was interrupted; `stackEnd`: highest address of its stack, 0 if not known;
    /// `isFiltered`: whether system calls of the calling thread are filtered, so that those that are out of the ordinary are not
    /// tried. Without a signal, for `reason`.
    void capture(std::uint32_t thread, int signal, const siginfo_t *info, const ucontext_t &context, std::uintptr_t stackEnd,
                 bool isFiltered, recording::CaptureReason reason = recording::CaptureReason::Hang);
    /// Captures the calling thread, where it calls this.
    void captureHere(std::uint32_t thread, recording::CaptureReason reason, std::uintptr_t stackEnd, bool isFiltered);
    /// Captures a thread that is blocked in the system: only its stack pointer and program counter are known.
    void capture(std::uint32_t thread, std::uintptr_t stack, std::uintptr_t program, std::uintptr_t stackEnd, bool isFiltered,
                 recording::CaptureReason reason);

    /// What was copied is of no thread any more.
    void withdraw();

  private:
    static constexpr std::uint32_t crashUnits = 2; ///< 128 KiB: about 130,000 bytes of stack
    [[nodiscard]] recording::CrashState *open(std::uint32_t thread);
    void copyStack(recording::CrashState &state, std::uintptr_t stack, std::uintptr_t stackEnd, bool isFiltered);
    void close(recording::CrashState &state);

    recording::ChunkHeader *m_chunk = nullptr;
    std::uint64_t m_sequence = 0;
};

} // namespace laggard::collect
