// SPDX-License-Identifier: GPL-3.0-or-later
#include "collect/store/FileThread.h"

#include "collect/store/OwnThread.h"
#include "collect/store/SystemCalls.h"

#include <cerrno>
#include <ctime>
#include <linux/futex.h>
#include <mutex>
#include <sys/syscall.h>
#include <unistd.h>

namespace laggard::collect {

namespace {

std::int32_t ownTid() { return static_cast<std::int32_t>(syscall(SYS_gettid)); }

} // namespace

void FileThread::start() {
    // Filters are inherited. Asked here: the thread could not ask before its table is its own.
    if (areSystemCallsFiltered())
        return;
    m_step.store(ready);
    if (!startOwnThread([](void *given) { static_cast<FileThread *>(given)->serve(); }, this))
        m_step.store(absent);
}

void FileThread::stop() {
    const std::lock_guard lock(m_mutex);
    if (m_step.load() == ready)
        static_cast<void>(ask(nullptr, nullptr));
}

void FileThread::advance(Step step) {
    m_step.store(step, std::memory_order_release);
    syscall(SYS_futex, &m_step, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
}

/// False if that took too long.
bool FileThread::waitWhile(std::uint32_t step, std::int64_t seconds) const {
    const timespec time{static_cast<time_t>(seconds), 0};
    while (m_step.load(std::memory_order_acquire) == step)
        if (syscall(SYS_futex, &m_step, FUTEX_WAIT_PRIVATE, step, &time, nullptr, 0) != 0 && errno == ETIMEDOUT)
            return m_step.load(std::memory_order_acquire) != step;
    return true;
}

bool FileThread::isAlive() const {
    const std::int32_t tid = m_tid.load();
    return tid == 0 || syscall(SYS_tgkill, getpid(), tid, 0) == 0 || errno != ESRCH; // 0: it is just beginning
}

void FileThread::serve() {
    if (!takeOwnDescriptors()) {
        advance(absent); // who has asked already does it himself, too
        return;
    }
    m_tid.store(ownTid());
    setOwnThreadName("laggard-files");
    for (;;) {
        // With a time limit, by which a thread that has nothing to do differs from one that waits for another: see HangCapture.
        constexpr std::int64_t hour = 3600;
        for (std::uint32_t step; (step = m_step.load(std::memory_order_acquire)) != asked;)
            static_cast<void>(waitWhile(step, hour));
        if (m_work == nullptr) {
            advance(absent);
            return;
        }
        m_work(m_argument);
        m_error = errno;
        advance(ready);
    }
}

/// `ready` when it is done. With the mutex.
FileThread::Step FileThread::ask(void (*work)(void *), void *argument) {
    m_work = work;
    m_argument = argument;
    std::uint32_t step = ready;
    if (!m_step.compare_exchange_strong(step, asked, std::memory_order_acq_rel))
        return static_cast<Step>(step);
    advance(asked);
    constexpr std::int64_t patience = 10; // to look whether it lives is one system call more, and a busy disk may take longer
    while (!waitWhile(asked, patience))
        if (!isAlive())
            m_step.store(dead);
    return static_cast<Step>(m_step.load(std::memory_order_acquire));
}

bool FileThread::runErased(void (*work)(void *), void *argument) {
    Step step = absent;
    int error = EIO;
    if (m_step.load(std::memory_order_acquire) != absent && !hasOwnDescriptors()) {
        const std::lock_guard lock(m_mutex);
        step = ask(work, argument);
        if (step == ready)
            error = m_error;
    }
    if (step == absent)
        work(argument);
    else
        errno = error; // not before the mutex is released, which leaves it as it was
    return step != dead;
}

bool FileThread::isFiltered() {
    // What the thread is in the midst of may be this.
    return Undisturbed::isHeld() ? areSystemCallsFiltered() : isFiltered(ownTid());
}

bool FileThread::isFiltered(std::int32_t tid) {
    bool isFiltered = true;
    run([&] { isFiltered = areSystemCallsFiltered(tid); });
    return isFiltered;
}

} // namespace laggard::collect
