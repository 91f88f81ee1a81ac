// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "collect/store/MappedFile.h"
#include "collect/store/ThreadLog.h"

#include <atomic>
#include <cstdint>
#include <initializer_list>
#include <span>

namespace laggard::collect {

/// Writes records one behind the other into a chunk, and makes them valid all at once: the first header is stored last.
class RecordGroup {
  public:
    /// `at` is where the last group ended: a zero word. `sequence` is that of the chunk, `chain` what its records made so far.
    RecordGroup(std::uint64_t *at, std::uint64_t sequence, std::uint64_t chain)
        : m_start(at), m_at(at), m_sequence(sequence), m_chain(chain) {}

    void add(recording::RecordKind kind, std::uint32_t argument, const std::uint64_t *payload, std::size_t count) {
        const std::uint64_t header = recording::recordHeader(kind, count + 1, argument);
        for (std::size_t i = 0; i < count; ++i)
            m_at[i + 1] = payload[i];
        const std::uint64_t state = recording::recordState(header, payload, m_sequence);
        const std::uint64_t checked = header | std::uint64_t{recording::recordCheckOf(state)} << 16U;
        m_chain = recording::nextChain(m_chain, state);
        if (m_at == m_start)
            m_first = checked;
        else
            *m_at = checked;
        m_at += count + 1;
        ++m_records;
    }
    void add(recording::RecordKind kind, std::uint32_t argument, std::initializer_list<std::uint64_t> payload) {
        add(kind, argument, payload.begin(), payload.size());
    }
    void add(const Part &part) { add(part.kind, part.argument, part.words, part.count); }
    void addAwaited(std::span<const std::uint64_t> requests) {
        for (std::size_t at = 0; at < requests.size(); at += recording::maxRecordWords - 1) {
            const auto some = requests.subspan(at, std::min(requests.size() - at, recording::maxRecordWords - 1));
            add(recording::RecordKind::AwaitedPart, 0, some.data(), some.size());
        }
    }

    /// Where the next record begins.
    [[nodiscard]] std::uint64_t *position() const { return m_at; }
    [[nodiscard]] std::uint32_t records() const { return m_records; }
    /// With its records.
    [[nodiscard]] std::uint64_t chain() const { return m_chain; }

    /// Makes the group valid; returns where the next one begins.
    std::uint64_t *commit() {
        *m_at = 0;
        publish(*m_start, m_first);
        return m_at;
    }

    [[nodiscard]] static std::size_t wordsOf(std::span<const Part> parts) {
        std::size_t words = 0;
        for (const Part &part : parts)
            words += part.count + 1;
        return words;
    }
    [[nodiscard]] static std::size_t wordsOfAwaited(std::size_t requests) {
        return requests + (requests + recording::maxRecordWords - 2) / (recording::maxRecordWords - 1);
    }

  private:
    std::uint64_t *m_start;
    std::uint64_t *m_at;
    std::uint64_t m_sequence;
    std::uint64_t m_chain;
    std::uint64_t m_first = 0;
    std::uint32_t m_records = 0;
};

/// A chunk that records are written into, and its word that says how far. Used by one thread at a time, which may leave any of
/// its functions but begin() and end() by longjmp() out of a signal handler: what is being written then is there wholly or not at
/// all.
class RecordChunk {
  public:
    /// Goes on in this chunk, which is empty. Its sequence is published before or after.
    void begin(recording::ChunkHeader *chunk, std::uint64_t sequence) {
        m_chunk = chunk;
        m_sequence = sequence;
        m_begin = reinterpret_cast<std::uint64_t *>(chunk + 1);
        m_end = reinterpret_cast<std::uint64_t *>(reinterpret_cast<char *>(chunk) + chunk->units * recording::chunkUnit) - 1;
        m_ends[m_current] = {m_begin, recording::firstChain(sequence)};
        publish(chunk->committed, recording::sealedPosition(0, m_ends[m_current].chain));
    }
    /// There is none.
    void end() {
        m_ends[m_current].at = nullptr;
        m_end = nullptr;
    }

    [[nodiscard]] bool hasRoom(std::size_t words) const {
        return m_end - m_ends[m_current].at >= static_cast<std::ptrdiff_t>(words);
    }
    [[nodiscard]] RecordGroup group() const { return {m_ends[m_current].at, m_sequence, m_ends[m_current].chain}; }
    void commit(RecordGroup &group) {
        const unsigned other = 1 - m_current;
        m_ends[other] = {group.commit(), group.chain()};
        // Place and chain change at once.
        std::atomic_signal_fence(std::memory_order_seq_cst);
        m_current = other;
        // After the group itself: killed in between, it is one more than is said to be there.
        const auto position = static_cast<std::uint64_t>(m_ends[other].at - m_begin);
        publish(m_chunk->committed, recording::sealedPosition(position, m_ends[other].chain));
    }
    /// Where the next record goes.
    [[nodiscard]] const std::uint64_t *position() const { return m_ends[m_current].at; }
    [[nodiscard]] std::uint64_t sequence() const { return m_sequence; }

  private:
    /// The end of what is written: where the next record begins, and the chain of those before it.
    struct End {
        std::uint64_t *at = nullptr;
        std::uint64_t chain = 0;
    };

    recording::ChunkHeader *m_chunk = nullptr;
    std::uint64_t *m_begin = nullptr;
    std::uint64_t *m_end = nullptr; ///< the last word of the chunk; stays zero
    std::uint64_t m_sequence = 0;
    End m_ends[2];
    unsigned m_current = 0; ///< which of them counts
};

} // namespace laggard::collect
