// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "collect/store/Undisturbed.h"

#include <atomic>
#include <cstdint>

namespace laggard::collect {

/// A mutex of the recorder's own, for std::lock_guard. The C library's may be replaced by the program, or by what is preloaded
/// beside the recorder (checkers, profilers, libraries that give the core away when a lock is released): the recorder's locks are
/// none of their business. Who holds it is undisturbed: it is neither cancelled nor left by a longjmp() of a signal handler, and
/// nobody waits for it in vain. Not recursive. Leaves errno as it was.
class Mutex {
  public:
    constexpr Mutex() = default;
    Mutex(const Mutex &) = delete;
    Mutex &operator=(const Mutex &) = delete;

    void lock() {
        Undisturbed::begin();
        std::uint32_t before = isFree;
        if (!m_state.compare_exchange_strong(before, isTaken, std::memory_order_acquire, std::memory_order_relaxed))
            waitFor(before);
    }
    void unlock() {
        if (m_state.exchange(isFree, std::memory_order_release) == isAwaited)
            wakeOne();
        Undisturbed::end();
    }

  private:
    enum State : std::uint32_t { isFree, isTaken, isAwaited };
    void waitFor(std::uint32_t state);
    void wakeOne();

    std::atomic<std::uint32_t> m_state{isFree};
};

} // namespace laggard::collect
