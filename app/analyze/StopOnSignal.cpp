// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/analyze/StopOnSignal.h"

#include <chrono>
#include <system_error>
#include <unistd.h>

namespace laggard {

StopOnSignal::StopOnSignal(int status) {
    sigemptyset(&m_signals);
    sigaddset(&m_signals, SIGINT);
    sigaddset(&m_signals, SIGTERM);
    sigaddset(&m_signals, SIGUSR1); // ends the waiting thread
    pthread_sigmask(SIG_BLOCK, &m_signals, &m_before);
    try {
        m_waiter = std::thread([this, status] { wait(status); });
    } catch (const std::system_error &) {
        // Without a thread that waits for them, signals kill as usual.
        pthread_sigmask(SIG_SETMASK, &m_before, nullptr);
    }
}

StopOnSignal::~StopOnSignal() {
    if (!m_waiter.joinable())
        return;
    {
        const std::lock_guard lock(m_mutex);
        m_isDone = true;
    }
    m_done.notify_all();
    pthread_kill(m_waiter.native_handle(), SIGUSR1);
    m_waiter.join();
    pthread_sigmask(SIG_SETMASK, &m_before, nullptr);
}

void StopOnSignal::wait(int status) {
    constexpr std::chrono::seconds mostPatience{5};
    int signal = 0;
    sigwait(&m_signals, &signal);
    if (signal == SIGUSR1)
        return;
    m_stop.request_stop();
    sigset_t again = m_signals;
    sigdelset(&again, SIGUSR1);
    pthread_sigmask(SIG_UNBLOCK, &again, nullptr);
    std::unique_lock lock(m_mutex);
    if (!m_done.wait_for(lock, mostPatience, [this] { return m_isDone; }))
        ::_exit(status);
}

} // namespace laggard
