// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "attach/LoadedModules.h"
#include "attach/Snapshot.h"

#include <memory>
#include <optional>
#include <vector>

struct Dwfl;

namespace laggard::attach {

/// A frame of a stack that was copied.
struct WalkedFrame {
    std::uint64_t counter = 0;
    bool isReturnAddress = false;    ///< it is in a call, `counter` is behind that
    std::uint64_t stackPointer = 0;  ///< its own: what lies above belongs to it and its callers
    std::vector<std::uint64_t> kept; ///< the registers that calls keep, as they are in this frame
    std::uint32_t known = 0;         ///< bits: which of `kept` were found

    /// The value of a register that calls keep, or the stack pointer; nothing if it is not known.
    [[nodiscard]] std::optional<std::uint64_t> valueOf(unsigned registerNumber) const;
};

/// Unwinds the stacks that were copied of one process, after it runs again (elfutils).
class StackWalk {
  public:
    StackWalk(pid_t process, const LoadedModules &modules);
    ~StackWalk();
    StackWalk(const StackWalk &) = delete;
    StackWalk &operator=(const StackWalk &) = delete;

    /// Innermost first; ends where a module is not known, or the copy ends. At least one frame.
    [[nodiscard]] std::vector<WalkedFrame> walk(const ThreadSnapshot &thread);
    /// The outermost frame is where a thread begins: nothing is missing.
    [[nodiscard]] bool isComplete(const std::vector<WalkedFrame> &frames) const;
    /// The modules of the process, for what else is asked of them.
    [[nodiscard]] Dwfl *dwfl() const;

  private:
    struct Impl;
    std::unique_ptr<Impl> m;
};

/// Puts what `known` has of callers behind `frames`, whose unwinding ended early, where what lies on the stack there is the same
/// in both copies. Without such a place nothing changes. Both innermost first.
void continueAs(const ThreadSnapshot &thread, std::vector<WalkedFrame> &frames, const ThreadSnapshot &knownThread,
                const std::vector<WalkedFrame> &known);

/// For two stacks of one thread, innermost first: the number of outermost frames that have not been left in between, as far as
/// what they have on the stack and in registers tells: their callers have not changed anything of their own. `areComplete`: both
/// end with the frame with which the thread begins.
[[nodiscard]] std::size_t framesNotLeft(const ThreadSnapshot &before, const std::vector<WalkedFrame> &framesBefore,
                                        const ThreadSnapshot &after, const std::vector<WalkedFrame> &framesAfter,
                                        bool areComplete);

} // namespace laggard::attach
