// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <cstdint>

namespace laggard::collect {

/// While it lives, the calling thread does work of the recorder that must come to its end: it is not cancelled (pthread_cancel(),
/// either type), and no signal handler of the program interrupts it, which might call in again or leave by longjmp(). Crash
/// signals come as always. Whoever holds a lock of the recorder (Mutex.h) is undisturbed. Nests. Leaves errno as it was:
/// functions of the program are announced where it looks at it. Costs no system call as long as nobody has asked for a handler.
class Undisturbed {
  public:
    Undisturbed() { begin(); }
    ~Undisturbed() { end(); }
    Undisturbed(const Undisturbed &) = delete;
    Undisturbed &operator=(const Undisturbed &) = delete;

    /// begin() and end() are called in pairs, for work that begins and ends in different functions.
    static void begin() {
        if (t_state.depth == 0)
            enter();
        ++t_state.depth;
    }
    /// What was held up comes now: the thread may end here.
    static void end() {
        if (--t_state.depth == 0)
            leave();
    }
    /// The calling thread is in such work.
    [[nodiscard]] static bool isHeld() { return t_state.depth != 0; }
    /// The thread has left such work by other means (a handler for crashes that calls longjmp()).
    static void recover() {
        if (t_state.depth == 0)
            return;
        t_state.depth = 0;
        leave();
    }

    /// From now on, signals are held up as well: the program has set a handler.
    static void handlersAreSet();
    [[nodiscard]] static bool areHandlersSet() { return s_hasHandlers.load(std::memory_order_relaxed); }

  private:
    struct State {
        std::uint32_t depth = 0;
        int cancelState = 0; ///< as the program had it
        int cancelType = 0;
        int error = 0; ///< errno
        bool holdsSignals = false;
        std::uint64_t mask = 0; ///< the signal mask, as the program had it
    };
    static void enter();
    static void leave();

    static constinit std::atomic<bool> s_hasHandlers;
    static constinit thread_local State t_state __attribute__((tls_model("initial-exec")));
};

} // namespace laggard::collect
