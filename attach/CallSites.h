// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "attach/Memory.h"
#include "attach/StackWalk.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace laggard::attach {

/// What functions on a stack were called with, as far as the callers' code tells: call sites of the debug information (DWARF 5
/// §3.4: optimised code), stack slots of the calling convention, or, where code is not optimised, the instructions that load the
/// registers (x86-64).
class CallSites {
  public:
    /// All of them live as long. `frames`: of `thread`, innermost first.
    CallSites(const StackWalk &walk, const Memory &memory, const ThreadSnapshot &thread, const std::vector<WalkedFrame> &frames)
        : m_walk(walk), m_memory(memory), m_thread(thread), m_frames(frames) {}

    /// Integer or pointer number `number` (from 0) that the function `called` got in the call in which frame `callee` is.
    [[nodiscard]] std::optional<std::uint64_t> argument(std::size_t callee, const std::string &called, unsigned number) const;

    /// `size` (up to 8) bytes at an address: of the copied stack, or else of the process as it is now.
    [[nodiscard]] std::optional<std::uint64_t> valueAt(std::uint64_t address, std::size_t size) const;

  private:
    friend class Evaluation;
    [[nodiscard]] std::optional<std::uint64_t> atCall(std::size_t callee, const std::string *called, unsigned registerNumber,
                                                      unsigned depth) const;

    const StackWalk &m_walk;
    const Memory &m_memory;
    const ThreadSnapshot &m_thread;
    const std::vector<WalkedFrame> &m_frames;
};

} // namespace laggard::attach
