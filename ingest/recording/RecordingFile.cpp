// SPDX-License-Identifier: GPL-3.0-or-later
#include "ingest/recording/RecordingFile.h"

#include "ingest/recording/DefinitionRecords.h"
#include "trace/Quantity.h"
#include "trace/Work.h"
#include "trace/recording/Checks.h"
#include "trace/recording/Transition.h"

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <type_traits>
#include <utility>

namespace laggard::recording {
namespace {

constexpr std::uint64_t mostStackBytes = std::uint64_t{16} << 20U;

std::string inQuotes(const std::string &path) { return '"' + path + '"'; }

bool isChunkHeader(const ChunkHeader &header) {
    constexpr unsigned mostKinds = 64; // further ones may be added; they are skipped
    return header.magic == chunkMagic && header.units != 0 && static_cast<unsigned>(header.kind) - 1U < mostKinds;
}

} // namespace

RecordingFile::RecordingFile(const std::string &path, Depth depth) : m_path(path), m_file(std::make_unique<ReadOnlyFile>(path)) {
    if (!m_file->isOpen())
        throw ReadError(inQuotes(path) + " cannot be read: " + std::strerror(errno) + '.');
    readHeader();
    findChunks();
    readDefinitions();
    if (depth == Depth::Definitions)
        return;
    readArrays();
    readCrashes();
}

void RecordingFile::readHeader() {
    if (m_file->read(0, &m_header, sizeof m_header) != sizeof m_header ||
        std::memcmp(m_header.magic, fileMagic, sizeof fileMagic) != 0)
        throw ReadError(inQuotes(m_path) + " is not a recording, or its beginning is destroyed.");
    if (m_header.byteOrder != byteOrderMark)
        throw ReadError(inQuotes(m_path) + " was recorded on a machine of another byte order.");
    if (m_header.version < uncheckedVersion || m_header.version > formatVersion)
        throw ReadError(inQuotes(m_path) + " is a recording of version " + std::to_string(m_header.version) +
                        "; this program reads versions up to " + std::to_string(formatVersion) + '.');
    std::uint64_t words[offsetof(FileHeader, check) / 8];
    std::memcpy(words, &m_header, sizeof words);
    if (checkOfWords(words, std::size(words)) != m_header.check || m_header.ticksPerSecond == 0)
        throw ReadError(inQuotes(m_path) + ": the header of the recording is damaged.");
    if (isChecked())
        checkHeader();
    m_header.host[sizeof m_header.host - 1] = 0;
    m_header.jobId[sizeof m_header.jobId - 1] = 0;
    m_header.program[sizeof m_header.program - 1] = 0;
}

/// Words that do not pass their check are as if they had not been written.
void RecordingFile::checkHeader() {
    const auto isSettled = [this] {
        for (std::size_t i = 0; i < headerFieldCount; ++i)
            if (!passesCheck(m_header, static_cast<HeaderField>(i)))
                return false;
        return true;
    };
    // A word that changed between it and its check was read is right the next time.
    for (int tries = 0; !isSettled() && tries < mostTries; ++tries)
        if (FileHeader again{}; m_file->read(0, &again, sizeof again) == sizeof again)
            m_header = again;
    const auto isWrong = [this](HeaderField field, std::size_t offset, const char *name) {
        const bool passes = passesCheck(m_header, field);
        if (!passes)
            warn(WarningId::DamagedHeader, offset,
                 std::string("the header's ") + name + " does not pass its check; it is left out.");
        return !passes;
    };
    if (isWrong(HeaderField::Rank, offsetof(FileHeader, rank), "rank"))
        m_header.rank = m_header.environmentRank;
    if (isWrong(HeaderField::WorldSize, offsetof(FileHeader, worldSize), "number of ranks"))
        m_header.worldSize = -1;
    if (isWrong(HeaderField::EndTicks, offsetof(FileHeader, endTicks), "time of the end"))
        m_header.endTicks = 0;
    if (isWrong(HeaderField::AliveTicks, offsetof(FileHeader, aliveTicks), "last sign of life"))
        m_header.aliveTicks = std::max(m_header.startTicks, m_header.endTicks);
    bool isEndWrong = isWrong(HeaderField::EndKind, offsetof(FileHeader, endKind), "kind of the end");
    isEndWrong |= isWrong(HeaderField::EndValue, offsetof(FileHeader, endValue), "exit status or signal");
    if (isWrong(HeaderField::Finalized, offsetof(FileHeader, finalized), "word on MPI_Finalize")) {
        m_header.finalized = 0;
        isEndWrong = true; // a process that left MPI and one that did not end differently
    }
    if (isEndWrong)
        m_header.endKind = unknownEnd;
    if (isWrong(HeaderField::ExitKind, offsetof(FileHeader, exitKind), "way of the exit"))
        m_header.exitKind = static_cast<std::uint32_t>(ExitKind::Unknown);
    if (isWrong(HeaderField::HangThreshold, offsetof(FileHeader, hangThreshold), "time that counts as hanging"))
        m_header.hangThreshold = 0;
    if (isWrong(HeaderField::ThreadLevel, offsetof(FileHeader, threadLevel), "level of threads"))
        m_header.threadLevel = 0;
    if (isWrong(HeaderField::Error, offsetof(FileHeader, errorTicks), "error of MPI"))
        m_header.errorTicks = 0;
    if (isWrong(HeaderField::Parent, offsetof(FileHeader, parent), "parent"))
        m_header.parent = 0;
    if (isWrong(HeaderField::FileBytes, offsetof(FileHeader, fileBytes), "length of the file"))
        m_header.fileBytes = m_file->size();
    // Threads count them up one after the other, and may be killed in between.
    constexpr std::uint64_t mostApart = 64;
    const auto [fewer, more] = std::minmax(m_header.droppedRecords, m_header.droppedAgain);
    if (more - fewer > mostApart)
        warn(WarningId::DamagedHeader, offsetof(FileHeader, droppedRecords),
             "the header's number of dropped records is damaged.");
    m_header.droppedRecords = more - fewer > mostApart ? fewer : more;
}

void RecordingFile::warn(WarningId id, std::uint64_t offset, const std::string &what, std::vector<Warning::Datum> data) const {
    const std::string place = placeInFile(m_path, offset);
    if (std::ranges::none_of(m_warnings, [&](const Warning &known) { return known.place == place && known.message == what; }))
        m_warnings.push_back({id, Warning::Severity::DataLoss, std::nullopt, place, what, std::move(data)});
}

bool RecordingFile::isDamaged() const {
    return std::ranges::any_of(m_warnings,
                               [](const Warning &warning) { return warning.severity == Warning::Severity::DataLoss; });
}

/// True for the header of a chunk that can be used.
bool RecordingFile::isWhole(const ChunkHeader &header, std::uint64_t offset) const {
    return isChunkHeader(header) && (!isChecked() || (header.offset == offset && passesCheck(header)));
}

/// Behind the end that the header gives, a chunk may be that was being added when the process died: without contents.
bool RecordingFile::isUnused(const ChunkHeader &header, std::uint64_t offset) const {
    if (isWhole(header, offset))
        return positionOf(header.committed) == 0;
    std::vector<char> content(chunkUnit - sizeof header);
    content.resize(m_file->read(offset + sizeof header, content.data(), content.size()));
    return std::ranges::all_of(content, [](char byte) { return byte == 0; });
}

void RecordingFile::findChunks() {
    const std::uint64_t size = m_file->size();
    std::uint64_t declared = std::max<std::uint64_t>(m_header.fileBytes, headerBytes);
    // With a pool, chunks with contents are added all the time: those that came since the header was read are none behind its
    // end.
    if (FileHeader again{}; m_header.spill == spillsPool && m_file->read(0, &again, sizeof again) == sizeof again &&
                            passesCheck(again, HeaderField::FileBytes))
        declared = std::max(declared, again.fileBytes);
    if (m_file->size() < declared) {
        m_isIncomplete = true;
        warn(WarningId::CutOffRecording, size, "the file is cut off: it should have " + plural(declared, "byte") + ".",
             {{"bytes", declared}});
    }
    const std::uint64_t end = isChecked() ? size : std::min(size, declared);
    bool isLost = false; // between chunks, where no chunk begins
    std::uint64_t offset = headerBytes;
    std::uint64_t firstUnset = end; // of events: a free chunk of a pool, or a copy that is being written
    while (offset + sizeof(ChunkHeader) <= end) {
        ChunkHeader header{};
        for (int tries = 0; tries < mostTries && !isWhole(header, offset); ++tries) // it may be changing
            m_file->read(offset, &header, sizeof header);
        const std::uint64_t next = std::max(m_file->nextData(offset + chunkUnit), offset + chunkUnit);
        const std::uint64_t nextPlace = headerBytes + (next - headerBytes) / chunkUnit * chunkUnit;
        if (offset >= declared) {
            if (isUnused(header, offset)) {
                offset = nextPlace;
                continue;
            }
            warn(WarningId::RecordsBehindEnd, offset,
                 "the file has records behind its end, which is said to be at " + std::to_string(declared) + ".");
            m_isIncomplete = true;
        }
        if (!isWhole(header, offset)) {
            if (!isLost)
                warn(WarningId::DamagedBlock, offset,
                     isChunkHeader(header) ? "the beginning of a block of records is damaged; the block is left out."
                                           : "no block of records begins here where one should; it is left out.");
            isLost = m_isIncomplete = true;
            offset = nextPlace;
            continue;
        }
        isLost = false;
        const std::uint64_t length = std::uint64_t{header.units} * chunkUnit;
        std::uint64_t bytes = std::min(length, end - offset);
        if (length > std::max(declared, end) - offset) {
            // The length is destroyed: the chunk ends where the next one begins.
            warn(WarningId::DamagedBlock, offset, "a block of records claims to be longer than the file.");
            for (std::uint64_t at = offset + chunkUnit; at + sizeof header <= offset + bytes; at += chunkUnit) {
                at = std::max(at, headerBytes + (m_file->nextData(at) - headerBytes) / chunkUnit * chunkUnit);
                ChunkHeader following{};
                if (m_file->read(at, &following, sizeof following) == sizeof following && isWhole(following, at))
                    bytes = at - offset;
            }
        }
        if (isChecked())
            header.sequence = sequenceOf(header);
        if (header.sequence == 0 && header.kind == ChunkKind::Events)
            firstUnset = std::min(firstUnset, offset);
        if (header.sequence != 0 && header.kind == ChunkKind::Events)
            m_events.push_back({offset, bytes, header.sequence, header.thread});
        else if (header.sequence != 0)
            m_chunks.push_back({offset, bytes, header});
        offset += (bytes + chunkUnit - 1) / chunkUnit * chunkUnit;
    }
    std::stable_sort(m_chunks.begin(), m_chunks.end(),
                     [](const Chunk &a, const Chunk &b) { return a.header.sequence < b.header.sequence; });
    std::stable_sort(m_events.begin(), m_events.end(), [](const EventChunk &a, const EventChunk &b) {
        return std::pair(a.thread, a.sequence) < std::pair(b.thread, b.sequence);
    });
    if (m_header.spill == spillsPool)
        leaveOutCopied(std::min(firstUnset, offset));
    for (const EventChunk &chunk : m_events)
        if (m_threads.empty() || m_threads.back() != chunk.thread)
            m_threads.push_back(chunk.thread);
}

/// A process that died in between leaves a chunk of its pool and the copy, which stands behind it and does not change any more.
/// Those of which there is none yet may be used again while they are read: then it stands somewhere from `copiesFrom` on.
void RecordingFile::leaveOutCopied(std::uint64_t copiesFrom) {
    const auto isSame = [](const EventChunk &a, const EventChunk &b) { return a.thread == b.thread && a.sequence == b.sequence; };
    m_events.erase(m_events.begin(), std::unique(m_events.rbegin(), m_events.rend(), isSame).base());
    if (m_header.endKind == static_cast<std::uint32_t>(EndKind::StillOpen))
        for (EventChunk &chunk : m_events)
            chunk.copiesFrom = copiesFrom;
}

void RecordingFile::readDefinitions() {
    std::vector<EventChunk> chunks;
    for (const Chunk &chunk : m_chunks)
        if (chunk.header.kind == ChunkKind::Definitions)
            chunks.push_back({chunk.offset, chunk.bytes, chunk.header.sequence, nothing});
    EventReader reader(*m_file, m_path, std::move(chunks), isChecked());
    DefinitionRecords definitions;
    for (Record record; reader.next(record);)
        if (const std::string wrong = definitions.add(record); !wrong.empty())
            warn(WarningId::DamagedTables, record.offset, wrong);
    for (Warning warning : reader.warnings()) {
        warning.location.reset();
        m_warnings.push_back(std::move(warning));
    }
    m_definitions = definitions.take();
}

/// Bytes of a slot in a file of this version: what was added later is at its end.
template <typename T> constexpr std::size_t slotBytes(bool isChecked) { return isChecked ? sizeof(T) : offsetof(T, check); }

/// Up to `count` slots from `offset` on; returns how many there were.
template <typename T> std::size_t RecordingFile::readBlock(std::uint64_t offset, std::vector<T> &block, std::size_t count) const {
    const std::size_t bytes = slotBytes<T>(isChecked());
    std::vector<char> raw(count * bytes);
    const std::size_t read = m_file->read(offset, raw.data(), raw.size()) / bytes;
    block.assign(std::max(block.size(), count), T{});
    for (std::size_t i = 0; i < read; ++i)
        std::memcpy(static_cast<void *>(&block[i]), raw.data() + i * bytes, bytes);
    return read;
}

template <typename T> constexpr std::size_t slotsAtOnce = std::max<std::size_t>(8192 / sizeof(T), 4);

/// Without checks: two copies that agree were not being written meanwhile.
template <typename T> void RecordingFile::readUncheckedSlots(const Chunk &chunk, std::vector<Slot<T>> &slots) const {
    const bool mayChange = m_header.endKind == static_cast<std::uint32_t>(EndKind::StillOpen);
    const std::size_t slot = slotBytes<T>(false);
    std::vector<T> block;
    std::vector<T> again;
    std::uint64_t at = sizeof(ChunkHeader);
    bool isUsed = true; // slots are used from the first on, and keep a version for ever
    while (at + slot <= chunk.bytes && isUsed) {
        const std::size_t wanted = std::min<std::uint64_t>(slotsAtOnce<T>, (chunk.bytes - at) / slot);
        const std::size_t count = readBlock(chunk.offset + at, block, wanted);
        const auto end = block.begin() + static_cast<std::ptrdiff_t>(count);
        for (int tries = 0; tries < mostTries; ++tries) {
            again = block;
            if (!mayChange || std::all_of(block.begin(), end, [](const T &each) { return each.version == 0; }))
                break;
            if (readBlock(chunk.offset + at, block, count) != count)
                break;
            if (std::equal(block.begin(), block.begin() + static_cast<std::ptrdiff_t>(count), again.begin(),
                           [](const T &a, const T &b) { return a.version == b.version && (a.version & 1U) == 0; }))
                break;
        }
        isUsed = false;
        for (std::size_t i = 0; i < count; ++i)
            if (block[i].version != 0) {
                slots.push_back({block[i], (block[i].version & 1U) != 0 || block[i].version != again[i].version});
                isUsed = true;
            }
        at += count * slot;
        isUsed &= count != 0;
    }
}

/// Nobody has written to the slot since it was read.
template <typename T> bool RecordingFile::isSteadyAt(std::uint64_t offset, const T &value) const {
    std::vector<T> again;
    readBlock(offset, again, 1);
    return std::memcmp(static_cast<const void *>(&again[0]), static_cast<const void *>(&value), sizeof value) == 0;
}

/// With checks: what passes was not being written meanwhile, whatever its version says.
template <typename T> void RecordingFile::readCheckedSlots(const Chunk &chunk, std::vector<Slot<T>> &slots) const {
    constexpr std::uint64_t mostVersion = std::uint64_t{1} << 48U;
    ChunkHeader header = chunk.header;
    m_file->read(chunk.offset, &header, sizeof header);
    const std::uint64_t room = (chunk.bytes - sizeof header) / sizeof(T);
    std::uint64_t used = positionOf(header.committed);
    if (sealedPosition(used, firstChain(chunk.header.sequence)) != header.committed || used > room) {
        warn(WarningId::DamagedTables, chunk.offset,
             "how many entries a table has does not pass its check; what passes its own is read.");
        used = room;
    }
    std::size_t torn = 0;
    std::vector<T> block;
    std::vector<T> again;
    for (std::uint64_t first = 0; first < used; first += slotsAtOnce<T>) {
        const std::uint64_t at = chunk.offset + sizeof header + first * sizeof(T);
        const std::size_t count = readBlock(at, block, std::min<std::uint64_t>(slotsAtOnce<T>, used - first));
        for (std::size_t i = 0; i < count; ++i) {
            T value = block[i];
            const std::uint64_t offset = at + i * sizeof(T);
            const auto passes = [&] { return value.version != 0 && checkOfSlot(value, offset) == value.check; };
            bool isSteady = false; // nobody writes to it
            for (int tries = 0; !passes() && !isSteady && tries < mostTries; ++tries) {
                readBlock(offset, again, 1);
                isSteady =
                    std::memcmp(static_cast<const void *>(&again[0]), static_cast<const void *>(&value), sizeof value) == 0;
                value = again[0];
            }
            const bool isRight = passes();
            if (!isRight && isSteady && used == room && value.version == 0)
                continue; // never used
            // When it was killed, each thread may have been writing to one entry, or to two of its model; such a version is
            // small.
            const bool isTorn = !isRight && (value.version & 1U) != 0 && value.version < mostVersion;
            if (!isRight && isSteady && (!isTorn || ++torn > 2 * m_threads.size() + 2))
                warn(WarningId::DamagedTables, offset, "an entry of a table does not pass its check; it is left out.");
            if (!isRight && !isTorn)
                continue;
            if constexpr (std::is_same_v<T, TransitionSlot>)
                if (isRight && !isPlausible(value)) {
                    if (isSteadyAt(offset, value))
                        warn(WarningId::DamagedTables, offset, "the times of a transition cannot be right; they are left out.");
                    continue;
                }
            if constexpr (std::is_same_v<T, ThreadState>) {
                if (value.tid == 0)
                    continue; // taken, and not yet written
                openLiveState(value, offset);
            }
            slots.push_back({value, !isRight});
        }
    }
}

/// Makes the words that change without the version what they are in all versions.
void RecordingFile::openLiveState(ThreadState &state, std::uint64_t offset) const {
    const bool isDepthRight = isSealed<liveBits>(state.sealedDepth, depthSeed);
    const bool isEventsRight = isSealed<liveBits>(state.sealedEvents, eventsSeed);
    state.depth = isDepthRight ? static_cast<std::uint32_t>(openSealed<liveBits>(state.sealedDepth)) : 0;
    state.events = isEventsRight ? openSealed<liveBits>(state.sealedEvents) : 0;
    if (!isDepthRight || !isEventsRight)
        warn(WarningId::DamagedState, offset, "the state of a thread does not pass its check; what of it is wrong is left out.");
    for (std::size_t i = 0; i < state.depth && i < maxLiveDepth; ++i)
        if (state.functionChecks[i] != functionCheck(state.functions[i], i)) {
            ThreadState now{};
            m_file->read(offset, &now, sizeof now);
            state.depth = static_cast<std::uint32_t>(i);
            // While a thread runs, they change meanwhile.
            if (now.functions[i] == state.functions[i] && now.functionChecks[i] == state.functionChecks[i])
                warn(WarningId::DamagedState, offset,
                     "the open functions of a thread do not pass their check; those from the damage on are left out.");
        }
}

template <typename T> std::vector<Slot<T>> RecordingFile::readSlots(ChunkKind kind) const {
    std::vector<Slot<T>> slots;
    for (const Chunk &chunk : m_chunks)
        if (chunk.header.kind == kind && chunk.bytes > sizeof(ChunkHeader))
            isChecked() ? readCheckedSlots<T>(chunk, slots) : readUncheckedSlots<T>(chunk, slots);
    return slots;
}

void RecordingFile::readArrays() {
    m_threadStates = readSlots<ThreadState>(ChunkKind::Threads);
    std::erase_if(m_threadStates, [](const Slot<ThreadState> &slot) { return slot.value.thread == nothing; });
    for (Slot<ThreadState> &slot : m_threadStates)
        m_threads.push_back(slot.value.thread);
    std::sort(m_threads.begin(), m_threads.end());
    m_threads.erase(std::unique(m_threads.begin(), m_threads.end()), m_threads.end());
}

std::vector<Slot<RequestSlot>> RecordingFile::requests() const {
    std::vector<Slot<RequestSlot>> requests = readSlots<RequestSlot>(ChunkKind::Requests);
    std::erase_if(requests, [](const Slot<RequestSlot> &slot) { return slot.value.request == 0; });
    return requests;
}

std::vector<Slot<CountSlot>> RecordingFile::counts() const { return readSlots<CountSlot>(ChunkKind::Counts); }

std::vector<TransitionSlot> RecordingFile::transitions() const {
    std::vector<TransitionSlot> transitions;
    for (const Slot<TransitionSlot> &slot : readSlots<TransitionSlot>(ChunkKind::Model))
        if (!slot.torn && slot.value.count != 0 && slot.value.histogram.used <= Histogram::maxBuckets)
            transitions.push_back(slot.value);
    // Behind the others: in a job that runs, one that changes its form meanwhile is missing rather than there twice.
    for (const Slot<FewTimesSlot> &slot : readSlots<FewTimesSlot>(ChunkKind::FewTimes))
        if (!slot.torn && slot.value.times[0] != 0)
            transitions.push_back(transitionOf(slot.value));
    return transitions;
}

void RecordingFile::readCrashes() {
    for (const Chunk &chunk : m_chunks) {
        const std::size_t stateBytes = slotBytes<CrashState>(isChecked());
        if (chunk.header.kind != ChunkKind::Crash || chunk.bytes < sizeof(ChunkHeader) + stateBytes)
            continue;
        CrashRecord crash;
        crash.thread = chunk.header.thread;
        const std::uint64_t at = chunk.offset + sizeof(ChunkHeader);
        if (m_file->read(at, &crash.state, stateBytes) != stateBytes)
            continue;
        if (crash.state.version == 0) {
            if (isChecked())
                warn(WarningId::DamagedState, at, "the state at a signal or hang does not pass its check; it is left out.");
            continue;
        }
        if ((crash.state.version & 1U) != 0) {
            warn(WarningId::DamagedState, at, "the state at a fatal signal was not written whole; it is left out.");
            continue;
        }
        const std::uint64_t room = std::min(chunk.bytes - sizeof(ChunkHeader) - stateBytes, mostStackBytes);
        crash.stack.resize(std::min(crash.state.stackBytes, room));
        crash.stack.resize(m_file->read(at + stateBytes, crash.stack.data(), crash.stack.size()));
        if (isChecked() && (crash.stack.size() != crash.state.stackBytes ||
                            checkOfCrash(crash.state, crash.stack.data()) != crash.state.check)) {
            ChunkHeader now{};
            m_file->read(chunk.offset, &now, sizeof now);
            if (sequenceOf(now) == chunk.header.sequence) // else it is being written anew
                warn(WarningId::DamagedState, at, "the state at a signal or hang does not pass its check; it is left out.");
            continue;
        }
        crash.state.registerCount = std::min<std::uint32_t>(crash.state.registerCount, std::size(crash.state.registers));
        m_crashes.push_back(std::move(crash));
    }
}

EventReader RecordingFile::events(std::uint32_t thread) const {
    std::vector<EventChunk> chunks;
    for (const EventChunk &chunk : m_events)
        if (chunk.thread == thread)
            chunks.push_back(chunk);
    return {*m_file, m_path, std::move(chunks), isChecked()};
}

void RecordingFile::keepNewestEvents(std::uint64_t bytes) {
    std::vector<EventChunk> kept;
    std::uint64_t sum = 0;
    for (auto chunk = m_events.rbegin(); chunk != m_events.rend(); ++chunk) {
        const bool isNewest = kept.empty() || kept.back().thread != chunk->thread;
        sum = isNewest ? chunk->bytes : sum + chunk->bytes;
        if (isNewest || sum <= bytes)
            kept.push_back(*chunk);
    }
    m_events.assign(kept.rbegin(), kept.rend());
}

EventReader RecordingFile::kept(std::uint32_t thread) const {
    std::vector<EventChunk> chunks;
    for (const Chunk &chunk : m_chunks)
        if (chunk.header.kind == ChunkKind::Kept && chunk.header.thread == thread)
            chunks.push_back({chunk.offset, chunk.bytes, chunk.header.sequence, thread});
    return {*m_file, m_path, std::move(chunks), isChecked()};
}

std::uint64_t RecordingFile::eventBytes(std::uint32_t thread) const {
    std::uint64_t bytes = 0;
    for (const EventChunk &chunk : m_events)
        if (thread == nothing || chunk.thread == thread)
            bytes += chunk.bytes;
    return bytes;
}

std::uint64_t RecordingFile::firstSequence(std::uint32_t thread) const {
    for (const EventChunk &chunk : m_events)
        if (chunk.thread == thread)
            return chunk.sequence;
    return 0;
}

bool isRecordingFile(const std::string &path) {
    const ReadOnlyFile file(path);
    char magic[sizeof fileMagic];
    return file.isOpen() && file.read(0, magic, sizeof magic) == sizeof magic && std::memcmp(magic, fileMagic, sizeof magic) == 0;
}

} // namespace laggard::recording
