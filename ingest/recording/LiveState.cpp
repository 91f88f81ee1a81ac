// SPDX-License-Identifier: GPL-3.0-or-later
#include "ingest/recording/LiveState.h"

#include "ingest/recording/RecordingFile.h"

#include <algorithm>
#include <cstddef>

namespace laggard::recording {

LiveState::LiveState(const std::string &path)
    : m_path(path), m_file(path), m_header(RecordingFile(path, RecordingFile::Depth::Definitions).header()) {}

/// The first chunk of its kind, which is there before the first event. Threads beyond those that it has room for (39) are not
/// looked at: a job that stands still stands still in these, too, or the analysis says otherwise.
void LiveState::findThreads() {
    constexpr int most = 4096; // chunks; a file of the largest ring has fewer before it
    const std::uint64_t size = m_file.size();
    std::uint64_t offset = headerBytes;
    for (int i = 0; i < most && m_threads == 0 && offset + sizeof(ChunkHeader) <= size; ++i) {
        ChunkHeader chunk{};
        if (m_file.read(offset, &chunk, sizeof chunk) != sizeof chunk || chunk.magic != chunkMagic || chunk.units == 0)
            return; // being set up: the next time
        if (chunk.kind == ChunkKind::Threads) {
            m_threads = offset + sizeof chunk;
            m_threadsBytes = std::uint64_t{chunk.units} * chunkUnit - sizeof chunk;
        }
        offset += std::uint64_t{chunk.units} * chunkUnit;
    }
}

std::optional<LiveState::Reading> LiveState::read() {
    FileHeader header{};
    if (m_file.read(0, &header, sizeof header) != sizeof header)
        return std::nullopt;
    Reading reading{.hasEnded = header.endKind != static_cast<std::uint32_t>(EndKind::StillOpen),
                    .isFinalized = header.finalized != 0,
                    .aliveTicks = header.aliveTicks,
                    .hangThreshold = header.hangThreshold,
                    .rank = header.rank,
                    .worldSize = header.worldSize};
    if (m_threads == 0)
        findThreads();
    if (m_threads == 0)
        return reading;
    bool mainCalls = false;
    bool mainIsIn = false;
    bool anyIsIn = false;
    constexpr std::size_t needed = offsetof(ThreadState, functions);
    for (std::uint64_t at = 0; at + sizeof(ThreadState) <= m_threadsBytes; at += sizeof(ThreadState)) {
        ThreadState state{};
        if (m_file.read(m_threads + at, &state, needed) != needed || state.version == 0)
            break;
        if (state.thread == nothing || state.tid < 0)
            continue;
        const bool isIn = state.callPath != nothing;
        reading.hasCalled = true;
        reading.lastChange = std::max(reading.lastChange, state.since);
        anyIsIn = anyIsIn || isIn;
        if (state.isMain != 0) {
            mainCalls = isIn || state.lastCallPath != nothing;
            mainIsIn = isIn;
        }
    }
    reading.isInMpi = mainCalls ? mainIsIn : anyIsIn;
    return reading;
}

} // namespace laggard::recording
