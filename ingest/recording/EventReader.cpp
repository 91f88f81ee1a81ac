// SPDX-License-Identifier: GPL-3.0-or-later
#include "ingest/recording/EventReader.h"

#include "trace/recording/Checks.h"
#include "trace/recording/Transition.h"

#include <algorithm>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace laggard::recording {
namespace {

constexpr std::size_t windowWords = chunkUnit / 8; ///< read at once; less if the chunk holds little
constexpr std::size_t firstWindowWords = 512;

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
    case RecordKind::DescriptorPart:
    case RecordKind::DescriptorEnd:
        return 1;
    case RecordKind::CallEnd:
    case RecordKind::Hang:
    case RecordKind::WaitingPart:
    case RecordKind::SeenMessage:
    case RecordKind::Neighbour:
    case RecordKind::EpochPart:
        return 2;
    case RecordKind::CompletedReceive:
    case RecordKind::TakenMessage:
    case RecordKind::MakingPart:
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

} // namespace

std::string placeInFile(const std::string &path, std::uint64_t offset) { return path + ", offset " + std::to_string(offset); }

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

EventReader::EventReader(const ReadOnlyFile &file, std::string path, std::vector<EventChunk> chunks, bool isChecked)
    : m_file(file), m_path(std::move(path)), m_chunks(std::move(chunks)), m_isChecked(isChecked) {
    std::stable_sort(m_chunks.begin(), m_chunks.end(),
                     [](const EventChunk &a, const EventChunk &b) { return a.sequence < b.sequence; });
}

bool EventReader::openChunk() {
    if (m_chunk == m_chunks.size())
        return false;
    const EventChunk &chunk = m_chunks[m_chunk];
    m_followsGap = m_chunk == 0 ? chunk.sequence != 1 : chunk.sequence != m_chunks[m_chunk - 1].sequence + 1;
    ++m_chunk;
    goToCopy();
    m_isOpen = true;
    m_at = sizeof(ChunkHeader);
    m_first = m_last = 0;
    m_isConfirmed = !m_isChecked;
    m_chain = firstChain(chunk.sequence);
    // It grows while the file is written: up to where it was, all must be right.
    m_committed = 0;
    if (ChunkHeader header{}; m_isChecked && m_file.read(chunk.offset, &header, sizeof header) == sizeof header)
        m_committed = header.committed;
    return true;
}

/// True if the open chunk of a pool has been used again, and is read from its copy from now on: it was there before.
bool EventReader::goToCopy() {
    EventChunk &chunk = m_chunks[m_chunk - 1];
    ChunkHeader header{};
    const auto readHeader = [&](std::uint64_t at) {
        return m_file.read(at, &header, sizeof header) == sizeof header && header.magic == chunkMagic && header.units != 0;
    };
    if (chunk.copiesFrom == 0 ||
        (readHeader(chunk.offset) && sequenceOf(header) == chunk.sequence && header.thread == chunk.thread))
        return false;
    for (std::uint64_t at = chunk.copiesFrom; readHeader(at); at += header.units * chunkUnit)
        if (header.kind == ChunkKind::Events && header.thread == chunk.thread && sequenceOf(header) == chunk.sequence &&
            header.offset == at && passesCheck(header)) {
            chunk.offset = at;
            chunk.copiesFrom = 0;
            return true;
        }
    return false;
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
    const auto read = [&] {
        return m_file.read(chunk.offset + m_at, m_words.data(), std::min<std::uint64_t>(window, left) * 8) / 8;
    };
    m_last = read();
    if (goToCopy()) // it was used again before it was read, or meanwhile
        m_last = read();
}

void EventReader::endDamaged(const std::string &what) {
    const EventChunk &chunk = m_chunks[m_chunk - 1];
    m_isOpen = false;
    // A ring goes on while it is read: then the chunk has other records by now, and nothing is wrong with it.
    ChunkHeader now{};
    if (m_file.read(chunk.offset, &now, sizeof now) == sizeof now && now.magic == chunkMagic &&
        (m_isChecked ? sequenceOf(now) : now.sequence) != chunk.sequence)
        return;
    m_damagedChunk = m_chunk;
    warn(WarningId::DamagedRecords,
         what + "; what follows it in its block of " + std::to_string(chunk.bytes / 1024) + " kB is left out.");
}

void EventReader::warn(WarningId id, const std::string &what) {
    const EventChunk &chunk = m_chunks[m_chunk - 1];
    m_warnings.push_back({id, Warning::Severity::DataLoss, chunk.thread, placeInFile(m_path, chunk.offset + m_at), what});
}

/// Where the position that the chunk gives is reached: false if the records so far are not those that were written.
bool EventReader::isAsCommitted() {
    const std::uint64_t position = (m_at - sizeof(ChunkHeader)) / 8;
    if (m_isConfirmed || position < positionOf(m_committed))
        return true;
    m_isConfirmed = sealedPosition(position, m_chain) == m_committed;
    return m_isConfirmed;
}

/// Makes the words that change in place what they are in all versions.
void EventReader::openPolls(std::uint64_t *payload) {
    const std::uint64_t first = payload[0];
    const bool isRight = isSealedPoll(payload[1], 1, first) && isSealedPoll(payload[2], 2, first);
    payload[1] = first + (isRight ? openSealed<pollBits>(payload[1]) : 0);
    payload[2] = isRight ? openSealed<pollBits>(payload[2]) : 1;
    if (!isRight)
        warn(WarningId::DamagedPolls, "how often and how long was polled does not pass its check; it is left out.");
}

bool EventReader::nextInChunk(Record &record) {
    const EventChunk &chunk = m_chunks[m_chunk - 1];
    std::uint64_t header = 0;
    if (!isAsCommitted()) {
        endDamaged("the records before this place are not those that were written");
        return false;
    }
    std::uint64_t state = 0;
    for (int tries = 0;; ++tries) {
        if (!fill(1) || (header = m_words[m_first]) == 0) {
            if (!m_isConfirmed)
                endDamaged("there is nothing where further records were written");
            m_isOpen = false;
            return false;
        }
        const std::size_t words = wordsOf(header);
        const bool isWhole = words != 0 && fill(words);
        if (isWhole)
            state = recordState(header & ~std::uint64_t{0xFFFF0000}, m_words.data() + m_first + 1, chunk.sequence);
        if (isWhole && recordCheckOf(state) == checkOf(header))
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
    if (m_isChecked && record.kind == RecordKind::Polls)
        openPolls(m_words.data() + m_first + 1);
    m_chain = nextChain(m_chain, state);
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

} // namespace laggard::recording
