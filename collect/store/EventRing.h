// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "collect/store/BufferPool.h"
#include "collect/store/MappedFile.h"
#include "collect/store/RecordGroup.h"

namespace laggard::collect {

/// The event records of one thread: chunks up to a limit; then the oldest is used again, or (with --spill) nothing more is taken.
/// With --pool, chunks are those of the process's pool, and go back there when they are full. Used by its thread alone.
class EventRing {
  public:
    void begin(MappedFile &file, BufferPool &pool, const Settings &settings, std::uint32_t thread);

    /// Room for `words` in one chunk, if need be in a new one, which begins with a Context of `functions`. False: there is none.
    bool reserve(std::size_t words, std::span<const std::uint32_t> functions, std::uint32_t depth) {
        return m_open.hasRoom(words) || nextChunk(words, functions, depth);
    }
    /// After `reserve`.
    [[nodiscard]] RecordGroup group() const { return m_open.group(); }
    void commit(RecordGroup &group) { m_open.commit(group); }
    /// Where the next record goes: tells whether something was written since.
    [[nodiscard]] const std::uint64_t *position() const { return m_open.position(); }

    /// Tells chunks apart.
    [[nodiscard]] std::uint64_t sequence() const { return m_open.sequence(); }

    /// The most words that a group may have: with a Context it fits into the smallest chunk.
    static constexpr std::size_t mostWords = 7200;

    /// The thread has ended. With a pool, what it has written goes there.
    void end() { handIn(); }
    /// Another one uses its chunks, and what was in them is gone, but for what went to the pool.
    void restart(std::uint32_t thread);

    /// A chunk that is being set up: readers skip it until it has a sequence.
    static void empty(recording::ChunkHeader *chunk);

  private:
    static constexpr std::uint32_t maxChunks = 4096;
    bool nextChunk(std::size_t words, std::span<const std::uint32_t> functions, std::uint32_t depth);
    [[nodiscard]] recording::ChunkHeader *newOrOldChunk();
    [[nodiscard]] recording::ChunkHeader *chunkOfPool();
    void handIn();
    [[nodiscard]] std::uint32_t unitsOfNext() const;

    RecordChunk m_open;
    std::uint64_t m_lastSequence = 0;
    std::uint64_t m_bytes = 0; ///< bytes of all chunks
    std::uint64_t m_limit = 0;
    MappedFile *m_file = nullptr;
    BufferPool *m_pool = nullptr; ///< nullptr: the chunks are its own
    BufferPool::SubBuffer m_subBuffer;
    bool m_hasLost = false; ///< since the last chunk: the next one's sequence leaves one out
    std::uint32_t m_thread = 0;
    std::uint32_t m_count = 0;
    bool m_spill = false;
    recording::ChunkHeader **m_chunks = nullptr;
};

} // namespace laggard::collect
