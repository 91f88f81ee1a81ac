// SPDX-License-Identifier: GPL-3.0-or-later
#include "collect/store/Undisturbed.h"

#include <cerrno>
#include <csignal>
#include <initializer_list>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace laggard::collect {

namespace {

/// All but those that the processor or the program raises at this very place, and the two that the C library has for itself.
std::uint64_t heldSignals() {
    std::uint64_t held = ~std::uint64_t{0};
    for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS, SIGABRT, 32, 33})
        held &= ~(std::uint64_t{1} << static_cast<unsigned>(signal - 1));
    return held;
}

/// The system's own call: what the C library has for it may be replaced by the program.
void changeMask(int how, const std::uint64_t &set, std::uint64_t *before) {
    syscall(SYS_rt_sigprocmask, how, &set, before, sizeof set);
}

/// A cancellation whose signal was sent before it was switched off, and has not come yet, acts here, where nothing is held. Up to
/// version 2.40, the handler of glibc looks at the type only, not at whether cancellation is switched on, and open(), write() and
/// their like have the asynchronous type for themselves: a signal that comes late would end the thread in one of them, with what
/// the recorder has locked. Any of them waits, at its end, for a signal that is on its way; this one does nothing else.
void awaitCancellation() { ::close(-1); }

} // namespace

constinit std::atomic<bool> Undisturbed::s_hasHandlers{false};
constinit thread_local Undisturbed::State Undisturbed::t_state;

void Undisturbed::handlersAreSet() { s_hasHandlers.store(true, std::memory_order_relaxed); }

void Undisturbed::enter() {
    const int error = errno;
    // Signals first: a handler must not find cancellation switched off, as it may never come back.
    const bool holdsSignals = areHandlersSet();
    std::uint64_t mask = 0;
    if (holdsSignals)
        changeMask(SIG_BLOCK, heldSignals(), &mask);
    int cancelState = PTHREAD_CANCEL_ENABLE;
    int cancelType = PTHREAD_CANCEL_DEFERRED;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancelState);
    pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &cancelType);
    if (cancelType != PTHREAD_CANCEL_DEFERRED)
        awaitCancellation();
    t_state = {0, cancelState, cancelType, error, holdsSignals, mask};
}

void Undisturbed::leave() {
    const State state = t_state;
    pthread_setcancelstate(state.cancelState, nullptr);
    // Signals before the type: with the asynchronous one, a cancellation that came meanwhile acts at once.
    errno = state.error;
    if (state.holdsSignals)
        changeMask(SIG_SETMASK, state.mask, nullptr);
    if (state.cancelType != PTHREAD_CANCEL_DEFERRED)
        pthread_setcanceltype(state.cancelType, nullptr);
}

} // namespace laggard::collect
