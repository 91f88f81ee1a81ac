// SPDX-License-Identifier: GPL-3.0-or-later
#include "collect/store/BufferPool.h"

#include "collect/store/Pages.h"

#include <algorithm>
#include <ctime>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace laggard::collect {

using namespace recording;

bool BufferPool::begin(std::uint64_t bytes) {
    m_entries = static_cast<Entry *>(newPages(most * sizeof(Entry)));
    m_limit = bytes;
    // The thesis has ten sub-buffers of 1 MB. With more and smaller ones a reader begins earlier, and less is held by threads.
    m_largestUnits =
        static_cast<std::uint32_t>(std::clamp(bytes / 64, std::uint64_t{chunkUnit}, std::uint64_t{1} << 20U) / chunkUnit);
    return m_entries != nullptr;
}

std::uint32_t BufferPool::size() const { return std::min(m_size.load(std::memory_order_acquire), most); }

BufferPool::SubBuffer BufferPool::takeFree() {
    for (std::uint32_t i = 0; i < size(); ++i) {
        std::uint64_t before = word(Free, 0, 0);
        if (m_entries[i].word.load(std::memory_order_relaxed) == before &&
            m_entries[i].word.compare_exchange_strong(before, word(Writing, 0, 0), std::memory_order_acquire))
            return {m_entries[i].chunk, i};
    }
    return {};
}

std::uint32_t BufferPool::reserve() {
    if (m_size.load(std::memory_order_relaxed) >= most)
        return 0;
    std::uint64_t bytes = m_bytes.load(std::memory_order_relaxed);
    for (;;) {
        // Small at first, for processes that do little.
        const std::uint64_t units = std::clamp<std::uint64_t>(bytes / chunkUnit, 1, m_largestUnits);
        if (bytes + units * chunkUnit > m_limit.load(std::memory_order_relaxed))
            return 0;
        if (m_bytes.compare_exchange_weak(bytes, bytes + units * chunkUnit, std::memory_order_relaxed))
            return static_cast<std::uint32_t>(units);
    }
}

BufferPool::SubBuffer BufferPool::add(ChunkHeader *chunk) {
    const std::uint32_t place = m_size.fetch_add(1, std::memory_order_acq_rel);
    if (place >= most) // several threads at once: the chunk stays unused
        return {};
    // Until its word is stored it is Absent, and nobody else's.
    m_entries[place].chunk = chunk;
    m_entries[place].word.store(word(Writing, 0, 0), std::memory_order_release);
    return {chunk, place};
}

void BufferPool::written(std::uint32_t place) {
    const std::uint32_t ticket = m_tickets.fetch_add(1, std::memory_order_relaxed);
    m_entries[place].word.store(word(Written, 0, ticket), std::memory_order_release);
    syscall(SYS_futex, &m_tickets, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
}

std::uint32_t BufferPool::oldestWritten(std::uint64_t &oldestWord) const {
    std::uint32_t oldest = nothing;
    for (std::uint32_t i = 0; i < size(); ++i) {
        const std::uint64_t found = m_entries[i].word.load(std::memory_order_acquire);
        // Tickets may begin anew: what counts is how far they are apart.
        if (stateOf(found) == Written &&
            (oldest == nothing || static_cast<std::int32_t>(ticketOf(found) - ticketOf(oldestWord)) < 0)) {
            oldest = i;
            oldestWord = found;
        }
    }
    return oldest;
}

BufferPool::SubBuffer BufferPool::takeWritten(std::int32_t reader) {
    std::uint32_t before = nothing;
    std::uint64_t wordBefore = 0;
    for (;;) {
        std::uint64_t oldestWord = 0;
        const std::uint32_t oldest = oldestWritten(oldestWord);
        if (oldest == nothing)
            return {};
        // While one looks, a thread may write behind the place looked at and then ahead of it. What it wrote before is seen when
        // one looks again: the oldest is what is so twice.
        if (oldest != before || oldestWord != wordBefore) {
            before = oldest;
            wordBefore = oldestWord;
            continue;
        }
        if (m_entries[oldest].word.compare_exchange_strong(oldestWord, word(Reading, reader, ticketOf(oldestWord)),
                                                           std::memory_order_acquire))
            return {m_entries[oldest].chunk, oldest};
    }
}

void BufferPool::free(std::uint32_t place) { m_entries[place].word.store(word(Free, 0, 0), std::memory_order_release); }

void BufferPool::putBack(std::uint32_t place) {
    const std::uint32_t ticket = ticketOf(m_entries[place].word.load(std::memory_order_relaxed));
    m_entries[place].word.store(word(Written, 0, ticket), std::memory_order_release);
}

void BufferPool::takeBackFrom(std::int32_t reader) {
    for (std::uint32_t i = 0; i < size(); ++i) {
        std::uint64_t found = m_entries[i].word.load(std::memory_order_relaxed);
        if (found == word(Reading, reader, ticketOf(found)))
            m_entries[i].word.compare_exchange_strong(found, word(Written, 0, ticketOf(found)), std::memory_order_release);
    }
}

std::uint32_t BufferPool::waitForWritten(std::uint32_t seen, std::uint64_t ticks) {
    constexpr std::uint64_t second = 1'000'000'000;
    const timespec time{static_cast<time_t>(ticks / second), static_cast<long>(ticks % second)};
    if (m_tickets.load(std::memory_order_acquire) == seen)
        syscall(SYS_futex, &m_tickets, FUTEX_WAIT_PRIVATE, seen, &time, nullptr, 0);
    return m_tickets.load(std::memory_order_acquire);
}

} // namespace laggard::collect
