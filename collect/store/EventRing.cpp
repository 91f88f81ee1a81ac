// SPDX-License-Identifier: GPL-3.0-or-later
#include "collect/store/EventRing.h"

#include <algorithm>

namespace laggard::collect {

using namespace recording;

namespace {

std::uint64_t *wordsOf(ChunkHeader *chunk) { return reinterpret_cast<std::uint64_t *>(chunk + 1); }

/// A chunk that is being set up: readers skip it until it has a sequence.
void empty(ChunkHeader *chunk) {
    publish(chunk->sequence, std::uint64_t{0});
    publish(*wordsOf(chunk), std::uint64_t{0});
}

} // namespace

void EventRing::begin(MappedFile &file, const Settings &settings, std::uint32_t thread) {
    m_file = &file;
    m_thread = thread;
    m_limit = settings.eventBytes;
    m_spill = settings.spill;
    m_chunks = static_cast<ChunkHeader **>(newPages(maxChunks * sizeof(ChunkHeader *)));
}

void EventRing::restart(std::uint32_t thread) {
    m_thread = thread;
    m_at = m_end = nullptr;
    m_lastSequence = 0;
    for (std::uint32_t i = 0; i < m_count; ++i) {
        empty(m_chunks[i]);
        m_chunks[i]->thread = thread;
    }
}

std::uint32_t EventRing::unitsOfNext() const {
    // Small at first, for threads that do little; then an eighth of the limit, so that seven eighths are always there.
    const std::uint64_t most = std::max<std::uint64_t>(m_limit / 2048, std::uint64_t{1} << 20U);
    const std::uint64_t bytes =
        std::min({std::max(m_limit / 8, std::uint64_t{chunkUnit}), std::max(m_bytes, std::uint64_t{chunkUnit}), most});
    return static_cast<std::uint32_t>(bytes / chunkUnit);
}

ChunkHeader *EventRing::newOrOldChunk() {
    if (m_chunks == nullptr)
        return nullptr;
    const std::uint32_t units = unitsOfNext();
    const bool mayGrow = m_count < maxChunks && m_bytes + units * chunkUnit <= m_limit;
    ChunkHeader *oldest = nullptr;
    for (std::uint32_t i = 0; i < m_count; ++i)
        if (oldest == nullptr || m_chunks[i]->sequence < oldest->sequence)
            oldest = m_chunks[i];
    if (oldest != nullptr && oldest->sequence == 0)
        return oldest;
    if (mayGrow)
        if (ChunkHeader *added = m_file->addChunk(ChunkKind::Events, m_thread, units, 0)) {
            m_chunks[m_count++] = added;
            m_bytes += units * chunkUnit;
            return added;
        }
    // On a full disk one chunk alone would lose everything each time it is used again, and is still better than nothing new.
    return m_spill ? nullptr : oldest;
}

bool EventRing::nextChunk(std::size_t words, std::span<const std::uint32_t> functions, std::uint32_t depth) {
    if (words > mostWords)
        return false;
    const Undisturbed undisturbed;
    ChunkHeader *chunk = newOrOldChunk();
    if (chunk == nullptr) {
        m_at = m_end = nullptr;
        return false;
    }
    empty(chunk);
    m_sequence = ++m_lastSequence;
    m_at = wordsOf(chunk);
    m_end = reinterpret_cast<std::uint64_t *>(reinterpret_cast<char *>(chunk) + chunk->units * chunkUnit) - 1;
    std::uint64_t payload[1 + maxLiveDepth / 2 + 1];
    std::size_t count = 0;
    payload[count++] = now();
    for (std::size_t i = 0; i < functions.size(); i += 2)
        payload[count++] = pair(functions[i], i + 1 < functions.size() ? functions[i + 1] : nothing);
    RecordGroup context = group();
    context.add(RecordKind::Context, depth, payload, count);
    commit(context);
    publish(chunk->sequence, m_sequence);
    return true;
}

} // namespace laggard::collect
