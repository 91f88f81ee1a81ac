// SPDX-License-Identifier: GPL-3.0-or-later
#include "collect/store/PoolReaders.h"

#include "collect/store/OwnThread.h"
#include "collect/store/Thread.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <ctime>
#include <sys/syscall.h>
#include <unistd.h>

namespace laggard::collect {

namespace {

constexpr std::uint64_t second = 1'000'000'000;

/// Named, so that who looks for it (top -H, a test) finds it.
constexpr char threadName[] = "laggard-reader";

} // namespace

void PoolReaders::start(Store &store, std::uint32_t count) {
    m_count = std::min(count, most);
    for (std::uint32_t i = 0; i < m_count; ++i) {
        m_readers[i].store = &store;
        begin(m_readers[i]);
    }
}

bool PoolReaders::contain(std::int32_t tid) const {
    return std::any_of(m_readers, m_readers + m_count, [tid](const Reader &reader) { return reader.thread.load() == tid; });
}

void PoolReaders::keep() {
    for (std::uint32_t i = 0; i < m_count; ++i) {
        Reader &reader = m_readers[i];
        const std::int32_t thread = reader.thread.load(std::memory_order_acquire);
        if (thread > 0 && (syscall(SYS_tgkill, getpid(), thread, 0) == 0 || errno != ESRCH))
            continue;
        if (thread > 0)
            reader.store->pool.takeBackFrom(thread);
        if (thread >= 0) // else it is just beginning
            begin(reader);
    }
}

/// Where the system makes no thread, keep() tries again.
void PoolReaders::begin(Reader &reader) {
    reader.thread.store(-1, std::memory_order_release);
    if (!startOwnThread(read, &reader))
        reader.thread.store(0, std::memory_order_release);
}

void PoolReaders::read(void *argument) {
    auto &reader = *static_cast<Reader *>(argument);
    Store &store = *reader.store;
    if (!store.file.files().isFiltered())
        takeOwnDescriptors(); // it has files open for long
    const auto thread = static_cast<std::int32_t>(syscall(SYS_gettid));
    setOwnThreadName(threadName);
    reader.thread.store(thread, std::memory_order_release);
    for (std::uint32_t seen = 0;;) {
        while (const BufferPool::SubBuffer taken = store.pool.takeWritten(thread)) {
            if (store.file.append(*taken.chunk)) {
                EventRing::empty(taken.chunk); // readers of the recording find the copy
                store.pool.free(taken.place);
                continue;
            }
            store.pool.putBack(taken.place);
            constexpr timespec pause{1, 0}; // so long is the file left alone that has no room
            nanosleep(&pause, nullptr);
        }
        seen = store.pool.waitForWritten(seen, second / 2);
    }
}

} // namespace laggard::collect
