// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "collect/store/Capture.h"

#include <atomic>
#include <cstdint>

namespace laggard::collect {

/// What the monitor thread asks of one other thread at a time: to copy its own stack. The other one looks at it in a handler of
/// signals, which may come late: a thread that blocked the signal until nobody waited any more gets it while another one is
/// asked. So whom the question is for and how far it has got are one number, and nothing else is read before that number was
/// changed: what is to be done is written before a thread is asked, and not again until the question is withdrawn or answered.
/// Async-signal-safe; takes no lock.
class CaptureRequest {
  public:
    struct Copy {
        CrashChunk *chunk = nullptr; ///< where to
        std::uint32_t thread = recording::nothing;
        std::uintptr_t stackEnd = 0;
        bool isFiltered = true; ///< its system calls are
        recording::CaptureReason reason = recording::CaptureReason::Hang;
    };

    /// By the monitor thread: `tid`, greater than 0, is to make this copy. Nothing may be asked at that moment.
    void ask(std::int32_t tid, const Copy &copy) {
        m_copy = copy;
        m_step.store(tid, std::memory_order_release);
    }
    /// By the monitor thread.
    [[nodiscard]] bool isDone() const { return m_step.load(std::memory_order_acquire) == done; }
    /// By the monitor thread: nothing is asked any more. False if the thread has begun, and is to be waited for.
    [[nodiscard]] bool withdraw(std::int32_t tid) {
        std::int32_t expected = tid;
        return m_step.compare_exchange_strong(expected, idle, std::memory_order_acq_rel);
    }
    /// By the monitor thread, once it is done.
    void end() { m_step.store(idle, std::memory_order_release); }

    /// By the thread `tid`: what it is to copy, and says with `finish` that it did; nullptr if it is not the one that is asked.
    [[nodiscard]] const Copy *take(std::int32_t tid) {
        std::int32_t expected = tid;
        return m_step.compare_exchange_strong(expected, working, std::memory_order_acq_rel) ? &m_copy : nullptr;
    }
    void finish() { m_step.store(done, std::memory_order_release); }

  private:
    static constexpr std::int32_t idle = 0, working = -1, done = -2; // greater than 0: that thread is asked
    std::atomic<std::int32_t> m_step{idle};
    Copy m_copy;
};

} // namespace laggard::collect
