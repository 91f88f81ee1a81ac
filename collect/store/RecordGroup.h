// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "collect/store/MappedFile.h"
#include "collect/store/ThreadLog.h"

#include <cstdint>
#include <initializer_list>
#include <span>

namespace laggard::collect {

/// Writes records one behind the other into a chunk, and makes them valid all at once: the first header is stored last.
class RecordGroup {
  public:
    /// `at` is where the last group ended: a zero word. `sequence` is that of the chunk.
    RecordGroup(std::uint64_t *at, std::uint64_t sequence) : m_start(at), m_at(at), m_sequence(sequence) {}

    void add(recording::RecordKind kind, std::uint32_t argument, const std::uint64_t *payload, std::size_t count) {
        const std::uint64_t header = recording::recordHeader(kind, count + 1, argument);
        for (std::size_t i = 0; i < count; ++i)
            m_at[i + 1] = payload[i];
        const std::uint64_t checked = header | std::uint64_t{recording::recordCheck(header, payload, m_sequence)} << 16U;
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
    std::uint64_t m_first = 0;
    std::uint32_t m_records = 0;
};

} // namespace laggard::collect
