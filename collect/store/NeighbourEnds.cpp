// SPDX-License-Identifier: GPL-3.0-or-later
#include "collect/store/NeighbourEnds.h"

#include "collect/store/Neighbours.h"
#include "collect/store/SystemCalls.h"

#include <algorithm>
#include <cerrno>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace laggard::collect {

using namespace recording;

namespace {

#ifdef SYS_pidfd_open
constexpr long pidfdOpen = SYS_pidfd_open;
#else
constexpr long pidfdOpen = 434; // of all architectures
#endif
constexpr std::size_t mostSiblings = 256; ///< as Neighbours

/// Those that follow this process by number, and after the highest the lowest ones, first.
void orderFrom(std::int32_t own, std::int32_t *pids, std::size_t count) {
    std::sort(pids, pids + count);
    std::rotate(pids, std::upper_bound(pids, pids + count, own), pids + count);
}

} // namespace

bool NeighbourEnds::meet() {
    if (areSystemCallsFiltered())
        return false;
    std::int32_t pids[mostSiblings];
    const std::size_t count = readSiblings(pids, mostSiblings);
    orderFrom(static_cast<std::int32_t>(getpid()), pids, count);
    for (std::size_t i = 0; i < std::min(count, most) && m_count < most; ++i) {
        const bool isKnown = std::any_of(m_all, m_all + m_count, [&](const Watched &each) { return each.pid == pids[i]; });
        if (isKnown)
            continue;
        const long file = syscall(pidfdOpen, pids[i], 0U);
        if (file >= 0)
            m_all[m_count++] = {pids[i], static_cast<int>(file)};
        else if (errno != ESRCH) // it is not known here, or not allowed
            return false;
    }
    return true;
}

void NeighbourEnds::record(Process &process, const pollfd *files) {
    for (std::size_t i = 0; i < m_count; ++i) {
        if (m_all[i].file < 0 || files[i].revents == 0)
            continue;
        process.definitions().neighbour(m_all[i].pid, now(), NeighbourState::Ended);
        ::close(m_all[i].file);
        m_all[i].file = -1;
    }
}

void NeighbourEnds::watch(Process &process) {
    // Seconds: processes start one after the other, and programs may start further ones later on.
    constexpr time_t longestWait = 8;
    time_t wait = 1;
    while (process.isOwn() && process.file().header().finalized == 0 && meet()) {
        pollfd files[most];
        for (std::size_t i = 0; i < m_count; ++i)
            files[i] = {m_all[i].file, POLLIN, 0};
        const timespec time{wait, 0};
        const long ready = syscall(SYS_ppoll, files, m_count, &time, nullptr, 0);
        if (ready > 0)
            record(process, files);
        else if (ready == 0)
            wait = std::min(2 * wait, longestWait);
        else if (errno != EINTR)
            return;
    }
}

void startNeighbourEnds(Process &process) {
    static NeighbourEnds ends;
    static Process &own = process;
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_attr_setstacksize(&attributes, std::size_t{128} << 10U);
    pthread_t thread{};
    pthread_create(
        &thread, &attributes,
        [](void *) -> void * {
            Process::withoutLog();
            ends.watch(own);
            return nullptr;
        },
        nullptr);
    pthread_attr_destroy(&attributes);
}

} // namespace laggard::collect
