// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/recording/Format.h"

#include <atomic>
#include <cstdint>

namespace laggard::collect {

/// The sub-buffers of a process (thesis §6.3.2, Figure 6.5): chunks of events that all its threads and the readers share. Each is
/// free, being written by a thread, written, or being read; the free and the written ones are two queues, the written one in
/// order. Without locks: a thread that finds nothing free does not wait, and one that ends anywhere holds up nobody else. What a
/// reader that has died was reading is given to another one (takeBackFrom). Chunks lie in the recording, so that a process that
/// is killed leaves what nobody has read yet.
class BufferPool {
  public:
    struct SubBuffer {
        recording::ChunkHeader *chunk = nullptr;
        std::uint32_t place = recording::nothing; ///< in the pool
        explicit operator bool() const { return chunk != nullptr; }
    };

    /// False: there is no memory. `bytes` is what all sub-buffers together may have.
    [[nodiscard]] bool begin(std::uint64_t bytes);
    /// One more thread takes part: each has one sub-buffer to write into, whatever the others have.
    void addThread() { m_limit.fetch_add(largestUnits() * recording::chunkUnit, std::memory_order_relaxed); }

    // ---- Threads that write

    /// From the free queue; the caller writes into it. None: there is nothing free.
    [[nodiscard]] SubBuffer takeFree();
    /// Length in chunkUnit of a sub-buffer that may be added; 0: there are enough. To be followed by add(), or by giveUp().
    [[nodiscard]] std::uint32_t reserve();
    /// A new one, which the caller writes into.
    [[nodiscard]] SubBuffer add(recording::ChunkHeader *chunk);
    /// There was no room for what was reserved.
    void giveUp(std::uint32_t units) { m_bytes.fetch_sub(units * recording::chunkUnit, std::memory_order_relaxed); }
    /// To the written queue; readers that wait are woken.
    void written(std::uint32_t place);

    // ---- Readers

    /// The oldest from the written queue, for the reader of this number (> 0). None: nothing is written.
    [[nodiscard]] SubBuffer takeWritten(std::int32_t reader);
    /// It was read: to the free queue.
    void free(std::uint32_t place);
    /// It could not be read: back to its place in the written queue.
    void putBack(std::uint32_t place);
    /// The same with everything that this reader had: it has died.
    void takeBackFrom(std::int32_t reader);
    /// Waits until something was written since `seen`, which was the last result (0 at first), or `ticks` (ns) are over.
    std::uint32_t waitForWritten(std::uint32_t seen, std::uint64_t ticks);

  private:
    enum State : std::uint64_t { Absent, Free, Writing, Written, Reading };
    /// A word: state (bits 0-2), reader (bits 3-31), and which in the order of writing (bits 32-63).
    static constexpr std::uint64_t word(State state, std::int32_t reader, std::uint32_t ticket) {
        return state | std::uint64_t{static_cast<std::uint32_t>(reader)} << 3U | std::uint64_t{ticket} << 32U;
    }
    static constexpr State stateOf(std::uint64_t word) { return static_cast<State>(word & 7U); }
    static constexpr std::uint32_t ticketOf(std::uint64_t word) { return static_cast<std::uint32_t>(word >> 32U); }
    struct Entry {
        std::atomic<std::uint64_t> word;
        recording::ChunkHeader *chunk;
    };
    static constexpr std::uint32_t most = 4096;
    [[nodiscard]] std::uint32_t largestUnits() const { return m_largestUnits; }
    [[nodiscard]] std::uint32_t size() const;
    /// As one look over all of them finds it, while others write; `oldestWord` is its word.
    [[nodiscard]] std::uint32_t oldestWritten(std::uint64_t &oldestWord) const;

    Entry *m_entries = nullptr;
    std::atomic<std::uint32_t> m_size{0};
    std::atomic<std::uint64_t> m_bytes{0};
    std::atomic<std::uint64_t> m_limit{0};
    std::uint32_t m_largestUnits = 1;
    std::atomic<std::uint32_t> m_tickets{0}; ///< so many were written; readers wait for it
};

} // namespace laggard::collect
