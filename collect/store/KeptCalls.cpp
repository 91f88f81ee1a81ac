// SPDX-License-Identifier: GPL-3.0-or-later
#include "collect/store/KeptCalls.h"

#include <algorithm>

namespace laggard::collect {

using namespace recording;

void KeptCalls::restart(std::uint32_t thread) {
    m_thread = thread;
    m_open.end();
    m_chunks = 0;
}

void KeptCalls::open(std::uint32_t path, Ticks entered, std::span<const Part> parts) {
    m_path = path;
    m_entered = entered;
    m_partCount = std::min(parts.size(), mostParts);
    std::copy_n(parts.begin(), m_partCount, m_parts);
}

bool KeptCalls::reserve(std::size_t words, std::uint64_t chunks) {
    if (m_open.hasRoom(words))
        return true;
    ChunkHeader *chunk = m_chunks < chunks ? m_file->addChunk(ChunkKind::Kept, m_thread, 1, m_chunks + 1) : nullptr;
    if (chunk == nullptr)
        return false;
    m_open.begin(chunk, ++m_chunks);
    return true;
}

void KeptCalls::mark(std::int32_t level, Ticks time) {
    if (!reserve(2, mostChunksForMarks))
        return; // it is in the ring
    RecordGroup group = m_open.group();
    group.add(RecordKind::Phase, static_cast<std::uint32_t>(level), {time});
    m_open.commit(group);
}

void KeptCalls::close(Ticks returned, std::uint32_t flags, std::uint64_t cost) {
    const std::span parts(m_parts, m_partCount);
    if (!reserve(2 + RecordGroup::wordsOf(parts) + 3, mostChunks))
        return; // it is in the ring
    RecordGroup group = m_open.group();
    group.add(RecordKind::CallBegin, m_path, {m_entered});
    for (const Part &part : parts)
        group.add(part);
    group.add(RecordKind::CallEnd, flags, {returned, cost});
    m_open.commit(group);
}

} // namespace laggard::collect
