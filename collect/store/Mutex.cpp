// SPDX-License-Identifier: GPL-3.0-or-later
#include "collect/store/Mutex.h"

#include <cerrno>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace laggard::collect {

// After U. Drepper, "Futexes are tricky", the second mutex.

void Mutex::waitFor(std::uint32_t state) {
    const int error = errno;
    if (state != isAwaited)
        state = m_state.exchange(isAwaited, std::memory_order_acquire);
    while (state != isFree) {
        syscall(SYS_futex, &m_state, FUTEX_WAIT_PRIVATE, isAwaited, nullptr);
        state = m_state.exchange(isAwaited, std::memory_order_acquire);
    }
    errno = error;
}

void Mutex::wakeOne() {
    const int error = errno;
    syscall(SYS_futex, &m_state, FUTEX_WAKE_PRIVATE, 1);
    errno = error;
}

} // namespace laggard::collect
