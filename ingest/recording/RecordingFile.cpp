// SPDX-License-Identifier: GPL-3.0-or-later
#include "ingest/recording/RecordingFile.h"

#include "ingest/recording/DefinitionRecords.h"
#include "trace/Quantity.h"
#include "trace/Work.h"

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace laggard::recording {
namespace {

constexpr std::size_t windowWords = chunkUnit / 8; ///< read at once; of a chunk that holds little, less
constexpr std::size_t firstWindowWords = 512;
constexpr std::uint64_t mostStackBytes = std::uint64_t{16} << 20U;
constexpr int mostTries = 4; ///< of reading what is being written

/// Words of payload that a record of this kind has at least.
std::size_t leastWords(RecordKind kind) {
    switch (kind) {
    case RecordKind::Context:
    case RecordKind::Enter:
    case RecordKind::Leave:
    case RecordKind::CallBegin:
    case RecordKind::Phase:
    case RecordKind::AwaitedPart:
    case RecordKind::Completed:
    case RecordKind::Released:
        return 1;
    case RecordKind::CallEnd:
    case RecordKind::Hang:
    case RecordKind::WaitingPart:
    case RecordKind::Neighbour:
    case RecordKind::EpochPart:
        return 2;
    case RecordKind::CompletedReceive:
    case RecordKind::TakenMessage:
    case RecordKind::Polls:
        return 3;
    case RecordKind::SendPart:
    case RecordKind::ReceivePart:
    case RecordKind::CollectivePart:
        return 4;
    default:
        return 0;
    }
}

std::string quoted(const std::string &path) { return '"' + path + '"'; }

std::string placeOf(const std::string &path, std::uint64_t offset) { return path + ", offset " + std::to_string(offset); }

bool isChunkHeader(const ChunkHeader &header) {
    constexpr unsigned mostKinds = 64; // further ones may be added; they are skipped
    return header.magic == chunkMagic && header.units != 0 && static_cast<unsigned>(header.kind) - 1U < mostKinds;
}

} // namespace

ReadOnlyFile::ReadOnlyFile(const std::string &path)
    : m_descriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)) {
    struct stat status {};
    if (m_descriptor >= 0 && (::fstat(m_descriptor, &status) != 0 || !S_ISREG(status.st_mode))) {
        ::close(m_descriptor);
        m_descriptor = -1;
        errno = EINVAL;
    }
}

ReadOnlyFile::~ReadOnlyFile() {
    if (m_descriptor >= 0)
        ::close(m_descriptor);
}

std::size_t ReadOnlyFile::read(std::uint64_t offset, void *to, std::size_t bytes) const {
    std::size_t done = 0;
    while (done < bytes) {
        const ssize_t got =
            ::pread(m_descriptor, static_cast<char *>(to) + done, bytes - done, static_cast<off_t>(offset + done));
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            break;
        done += static_cast<std::size_t>(got);
    }
    return done;
}

std::uint64_t ReadOnlyFile::size() const {
    struct stat status {};
    return ::fstat(m_descriptor, &status) == 0 && status.st_size > 0 ? static_cast<std::uint64_t>(status.st_size) : 0;
}

std::uint64_t ReadOnlyFile::nextData(std::uint64_t offset) const {
    const off_t data = ::lseek(m_descriptor, static_cast<off_t>(offset), SEEK_DATA);
    if (data >= 0)
        return static_cast<std::uint64_t>(data);
    return errno == ENXIO ? std::max(size(), offset) : offset;
}

EventReader::EventReader(const ReadOnlyFile &file, std::string path, std::vector<EventChunk> chunks)
    : m_file(file), m_path(std::move(path)), m_chunks(std::move(chunks)) {
    std::stable_sort(m_chunks.begin(), m_chunks.end(),
                     [](const EventChunk &a, const EventChunk &b) { return a.sequence < b.sequence; });
}

bool EventReader::openChunk() {
    if (m_chunk == m_chunks.size())
        return false;
    const EventChunk &chunk = m_chunks[m_chunk];
    m_followsGap = m_chunk == 0 ? chunk.sequence != 1 : chunk.sequence != m_chunks[m_chunk - 1].sequence + 1;
    ++m_chunk;
    m_isOpen = true;
    m_at = sizeof(ChunkHeader);
    m_first = m_last = 0;
    return true;
}

/// Makes sure that so many words are in the window; false where the chunk ends before.
bool EventReader::fill(std::size_t words) {
    if (m_last - m_first >= words)
        return true;
    refill();
    return m_last - m_first >= words;
}

/// Reads the window again from the place that was reached: what is being written may be there now.
void EventReader::refill() {
    const EventChunk &chunk = m_chunks[m_chunk - 1];
    const std::uint64_t left = chunk.bytes > m_at ? (chunk.bytes - m_at) / 8 : 0;
    const std::size_t window = m_at < chunkUnit / 4 ? firstWindowWords : windowWords;
    m_words.resize(std::max(window, m_words.size()));
    m_first = 0;
    m_last = m_file.read(chunk.offset + m_at, m_words.data(), std::min<std::uint64_t>(window, left) * 8) / 8;
}

void EventReader::endDamaged(const std::string &what) {
    const EventChunk &chunk = m_chunks[m_chunk - 1];
    m_isOpen = false;
    // A ring goes on while it is read: then the chunk has other records by now, and nothing is wrong with it.
    ChunkHeader now{};
    if (m_file.read(chunk.offset, &now, sizeof now) == sizeof now && now.magic == chunkMagic && now.sequence != chunk.sequence)
        return;
    m_damagedChunk = m_chunk;
    m_warnings.push_back({Warning::Severity::DataLoss, chunk.thread, placeOf(m_path, chunk.offset + m_at),
                          what + "; what follows it in its block of " + std::to_string(chunk.bytes / 1024) + " kB is left out."});
}

bool EventReader::nextInChunk(Record &record) {
    const EventChunk &chunk = m_chunks[m_chunk - 1];
    std::uint64_t header = 0;
    for (int tries = 0;; ++tries) {
        if (!fill(1) || (header = m_words[m_first]) == 0) {
            m_isOpen = false;
            return false;
        }
        const std::size_t words = wordsOf(header);
        const bool isWhole = words != 0 && fill(words);
        if (isWhole &&
            recordCheck(header & ~std::uint64_t{0xFFFF0000}, m_words.data() + m_first + 1, chunk.sequence) == checkOf(header))
            break;
        if (tries == mostTries) {
            endDamaged("a record does not pass its check");
            return false;
        }
        refill();
    }
    record = {.kind = kindOf(header),
              .argument = argumentOf(header),
              .payload = m_words.data() + m_first + 1,
              .words = wordsOf(header) - 1,
              .offset = chunk.offset + m_at,
              .sequence = chunk.sequence};
    if (record.words < leastWords(record.kind)) {
        endDamaged("a record is too short for its kind");
        return false;
    }
    m_at += wordsOf(header) * 8;
    m_first += wordsOf(header);
    return true;
}

bool EventReader::next(Record &record) {
    for (;;) {
        if (m_isOpen && nextInChunk(record))
            return true;
        if (m_chunk != 0)
            m_bytesBefore += std::exchange(m_at, 0);
        if (!openChunk())
            return false;
    }
}

RecordingFile::RecordingFile(const std::string &path, Depth depth) : m_path(path), m_file(std::make_unique<ReadOnlyFile>(path)) {
    if (!m_file->isOpen())
        throw ReadError(quoted(path) + " cannot be read: " + std::strerror(errno) + '.');
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
        throw ReadError(quoted(m_path) + " is not a recording, or its beginning is destroyed.");
    if (m_header.byteOrder != byteOrderMark)
        throw ReadError(quoted(m_path) + " was recorded on a machine of another byte order.");
    if (m_header.version != formatVersion)
        throw ReadError(quoted(m_path) + " is a recording of version " + std::to_string(m_header.version) +
                        "; this program reads version " + std::to_string(formatVersion) + '.');
    std::uint64_t words[offsetof(FileHeader, check) / 8];
    std::memcpy(words, &m_header, sizeof words);
    if (checkOfWords(words, std::size(words)) != m_header.check || m_header.ticksPerSecond == 0)
        throw ReadError(quoted(m_path) + ": the header of the recording is damaged.");
    m_header.host[sizeof m_header.host - 1] = 0;
    m_header.jobId[sizeof m_header.jobId - 1] = 0;
    m_header.program[sizeof m_header.program - 1] = 0;
}

void RecordingFile::warn(std::uint64_t offset, const std::string &what) {
    m_warnings.push_back({Warning::Severity::DataLoss, std::nullopt, placeOf(m_path, offset), what});
}

void RecordingFile::findChunks() {
    const std::uint64_t size = m_file->size();
    const std::uint64_t declared = std::max<std::uint64_t>(m_header.fileBytes, headerBytes);
    m_isCutOff = size < declared;
    if (m_isCutOff)
        warn(size, "the file is cut off: it should have " + plural(declared, "byte") + ".");
    const std::uint64_t end = std::min(size, declared);
    bool isLost = false; // between chunks, where no chunk begins
    for (std::uint64_t offset = headerBytes; offset + sizeof(ChunkHeader) <= end;) {
        ChunkHeader header{};
        m_file->read(offset, &header, sizeof header);
        if (!isChunkHeader(header)) {
            if (!isLost)
                warn(offset, "no block of records begins here where one should; it is left out.");
            isLost = true;
            const std::uint64_t data = std::max(m_file->nextData(offset + chunkUnit), offset + chunkUnit);
            offset = headerBytes + (data - headerBytes) / chunkUnit * chunkUnit;
            continue;
        }
        isLost = false;
        const std::uint64_t length = std::uint64_t{header.units} * chunkUnit;
        std::uint64_t bytes = std::min(length, end - offset);
        if (length > declared - offset) {
            // The length is destroyed: the chunk ends where the next one begins.
            warn(offset, "a block of records claims to be longer than the file.");
            for (std::uint64_t at = offset + chunkUnit; at + sizeof header <= offset + bytes; at += chunkUnit) {
                at = std::max(at, headerBytes + (m_file->nextData(at) - headerBytes) / chunkUnit * chunkUnit);
                ChunkHeader next{};
                if (m_file->read(at, &next, sizeof next) == sizeof next && isChunkHeader(next))
                    bytes = at - offset;
            }
        }
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
    for (const EventChunk &chunk : m_events)
        if (m_threads.empty() || m_threads.back() != chunk.thread)
            m_threads.push_back(chunk.thread);
}

void RecordingFile::readDefinitions() {
    std::vector<EventChunk> chunks;
    for (const Chunk &chunk : m_chunks)
        if (chunk.header.kind == ChunkKind::Definitions)
            chunks.push_back({chunk.offset, chunk.bytes, chunk.header.sequence, nothing});
    EventReader reader(*m_file, m_path, std::move(chunks));
    DefinitionRecords definitions;
    for (Record record; reader.next(record);)
        if (const std::string wrong = definitions.add(record); !wrong.empty())
            warn(record.offset, wrong);
    for (Warning warning : reader.warnings()) {
        warning.location.reset();
        m_warnings.push_back(std::move(warning));
    }
    m_definitions = definitions.take();
}

template <typename T> std::vector<Slot<T>> RecordingFile::readSlots(ChunkKind kind) const {
    std::vector<Slot<T>> slots;
    const bool mayChange = m_header.endKind == static_cast<std::uint32_t>(EndKind::StillOpen);
    constexpr std::size_t slotsAtOnce = std::max<std::size_t>(8192 / sizeof(T), 4);
    std::vector<T> block(slotsAtOnce);
    std::vector<T> again(slotsAtOnce);
    for (const Chunk &chunk : m_chunks) {
        if (chunk.header.kind != kind)
            continue;
        std::uint64_t at = sizeof(ChunkHeader);
        bool isUsed = true; // slots are used from the first on, and keep a version for ever
        while (at + sizeof(T) <= chunk.bytes && isUsed) {
            const std::size_t wanted = std::min<std::uint64_t>(slotsAtOnce, (chunk.bytes - at) / sizeof(T)) * sizeof(T);
            const std::size_t count = m_file->read(chunk.offset + at, block.data(), wanted) / sizeof(T);
            // Two copies that agree were not being written meanwhile.
            for (int tries = 0; tries < mostTries; ++tries) {
                std::copy_n(block.begin(), count, again.begin());
                if (!mayChange || std::all_of(block.begin(), block.begin() + static_cast<std::ptrdiff_t>(count),
                                              [](const T &slot) { return slot.version == 0; }))
                    break;
                if (m_file->read(chunk.offset + at, block.data(), count * sizeof(T)) != count * sizeof(T))
                    break;
                if (std::equal(block.begin(), block.begin() + static_cast<std::ptrdiff_t>(count), again.begin(),
                               [](const T &a, const T &b) { return a.version == b.version && (a.version & 1U) == 0; }))
                    break;
            }
            for (std::size_t i = 0; i < count; ++i)
                if (block[i].version != 0)
                    slots.push_back({block[i], (block[i].version & 1U) != 0 || block[i].version != again[i].version});
            isUsed = std::any_of(block.begin(), block.begin() + static_cast<std::ptrdiff_t>(count),
                                 [](const T &slot) { return slot.version != 0; });
            at += count * sizeof(T);
        }
    }
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
    return transitions;
}

void RecordingFile::readCrashes() {
    for (const Chunk &chunk : m_chunks) {
        if (chunk.header.kind != ChunkKind::Crash || chunk.bytes < sizeof(ChunkHeader) + sizeof(CrashState))
            continue;
        CrashRecord crash;
        crash.thread = chunk.header.thread;
        const std::uint64_t at = chunk.offset + sizeof(ChunkHeader);
        if (m_file->read(at, &crash.state, sizeof crash.state) != sizeof crash.state || crash.state.version == 0)
            continue;
        if ((crash.state.version & 1U) != 0) {
            warn(at, "the state at a fatal signal was not written whole; it is left out.");
            continue;
        }
        const std::uint64_t room = std::min(chunk.bytes - sizeof(ChunkHeader) - sizeof(CrashState), mostStackBytes);
        crash.state.registerCount = std::min<std::uint32_t>(crash.state.registerCount, std::size(crash.state.registers));
        crash.stack.resize(std::min(crash.state.stackBytes, room));
        crash.stack.resize(m_file->read(at + sizeof(CrashState), crash.stack.data(), crash.stack.size()));
        m_crashes.push_back(std::move(crash));
    }
}

EventReader RecordingFile::events(std::uint32_t thread) const {
    std::vector<EventChunk> chunks;
    for (const EventChunk &chunk : m_events)
        if (chunk.thread == thread)
            chunks.push_back(chunk);
    return {*m_file, m_path, std::move(chunks)};
}

EventReader RecordingFile::kept(std::uint32_t thread) const {
    std::vector<EventChunk> chunks;
    for (const Chunk &chunk : m_chunks)
        if (chunk.header.kind == ChunkKind::Kept && chunk.header.thread == thread)
            chunks.push_back({chunk.offset, chunk.bytes, chunk.header.sequence, thread});
    return {*m_file, m_path, std::move(chunks)};
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
