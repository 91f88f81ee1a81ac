// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "collect/store/MappedFile.h"
#include "collect/store/RecordGroup.h"

namespace laggard::collect {

/// The event records of one thread: chunks up to a limit; then the oldest is used again, or (with --spill) nothing more is taken.
/// Used by its thread alone.
class EventRing {
  public:
    void begin(MappedFile &file, const Settings &settings, std::uint32_t thread);

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
    static constexpr std::size_t mostWords = 7000;

    /// The thread has ended; another one uses its chunks, and what was in them is gone.
    void restart(std::uint32_t thread);

  private:
    static constexpr std::uint32_t maxChunks = 4096;
    bool nextChunk(std::size_t words, std::span<const std::uint32_t> functions, std::uint32_t depth);
    [[nodiscard]] recording::ChunkHeader *newOrOldChunk();
    [[nodiscard]] std::uint32_t unitsOfNext() const;

    RecordChunk m_open;
    std::uint64_t m_lastSequence = 0;
    std::uint64_t m_bytes = 0; ///< bytes of all chunks
    std::uint64_t m_limit = 0;
    MappedFile *m_file = nullptr;
    std::uint32_t m_thread = 0;
    std::uint32_t m_count = 0;
    bool m_spill = false;
    recording::ChunkHeader **m_chunks = nullptr;
};

} // namespace laggard::collect
