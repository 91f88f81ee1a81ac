// SPDX-License-Identifier: GPL-3.0-or-later
#include "collect/store/EventRing.h"

#include <algorithm>
#include <utility>

namespace laggard::collect {

using namespace recording;

namespace {

std::uint64_t *wordsOf(ChunkHeader *chunk) { return reinterpret_cast<std::uint64_t *>(chunk + 1); }

} // namespace

void EventRing::empty(ChunkHeader *chunk) {
    publish(chunk->sequence, sealedSequence(*chunk, 0));
    publish(*wordsOf(chunk), std::uint64_t{0});
}

void EventRing::begin(MappedFile &file, BufferPool &pool, const Settings &settings, std::uint32_t thread) {
    m_file = &file;
    m_thread = thread;
    if (settings.pool) {
        m_pool = &pool;
        pool.addThread();
        return;
    }
    m_limit = settings.eventBytes;
    m_spill = settings.spill;
    m_chunks = static_cast<ChunkHeader **>(newPages(maxChunks * sizeof(ChunkHeader *)));
}

void EventRing::restart(std::uint32_t thread) {
    m_thread = thread;
    m_open.end();
    m_lastSequence = 0;
    m_hasLost = false;
    for (std::uint32_t i = 0; i < m_count; ++i) {
        empty(m_chunks[i]);
        m_chunks[i]->thread = thread;
    }
}

std::uint32_t EventRing::unitsOfNext() const {
    // Small at first, for threads that do little; then an eighth of the limit, so that seven eighths are always there.
    // A chunk tells its position in 28 bits.
    const std::uint64_t most = std::clamp(m_limit / 2048, std::uint64_t{1} << 20U, std::uint64_t{1} << 30U);
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
        if (oldest == nullptr || sequenceOf(*m_chunks[i]) < sequenceOf(*oldest))
            oldest = m_chunks[i];
    if (oldest != nullptr && sequenceOf(*oldest) == 0)
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

/// What was written goes to the readers.
void EventRing::handIn() {
    if (!m_subBuffer)
        return;
    m_open.end();
    m_pool->written(std::exchange(m_subBuffer, {}).place);
}

ChunkHeader *EventRing::chunkOfPool() {
    handIn();
    m_subBuffer = m_pool->takeFree();
    if (m_subBuffer)
        return m_subBuffer.chunk;
    if (const std::uint32_t units = m_pool->reserve(); units != 0) {
        if (ChunkHeader *added = m_file->addChunk(ChunkKind::Events, m_thread, units, 0))
            m_subBuffer = m_pool->add(added);
        else
            m_pool->giveUp(units);
    }
    return m_subBuffer.chunk;
}

bool EventRing::nextChunk(std::size_t words, std::span<const std::uint32_t> functions, std::uint32_t depth) {
    if (words > mostWords)
        return false;
    const Undisturbed undisturbed;
    ChunkHeader *chunk = m_pool == nullptr ? newOrOldChunk() : chunkOfPool();
    if (chunk == nullptr) {
        m_open.end();
        m_hasLost = true;
        return false;
    }
    empty(chunk);
    chunk->thread = m_thread;
    m_lastSequence += std::exchange(m_hasLost, false) ? 2 : 1; // so that readers know of the gap
    m_open.begin(chunk, m_lastSequence);
    std::uint64_t payload[1 + maxLiveDepth / 2 + 1];
    std::size_t count = 0;
    payload[count++] = now();
    for (std::size_t i = 0; i < functions.size(); i += 2)
        payload[count++] = pair(functions[i], i + 1 < functions.size() ? functions[i + 1] : nothing);
    RecordGroup context = group();
    context.add(RecordKind::Context, depth, payload, count);
    commit(context);
    publish(chunk->sequence, sealedSequence(*chunk, m_lastSequence));
    return true;
}

} // namespace laggard::collect
