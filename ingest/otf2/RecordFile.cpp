// SPDX-License-Identifier: GPL-3.0-or-later
#include "ingest/otf2/RecordFile.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <fcntl.h>
#include <memory>
#include <span>
#include <sys/stat.h>
#include <unistd.h>

namespace laggard::otf2 {
namespace {

// Layout of libotf2's files, versions 1 to 3. A file is a row of chunks of a fixed size, the last one shorter. A chunk is a
// header (its byte order and the numbers of its first and last event) and records: a type, a length, as many bytes. Times stand
// before the events that they belong to, attributes too.
constexpr std::uint8_t endOfFile = 1;
constexpr std::uint8_t endOfChunk = 2;
constexpr std::uint8_t chunkHeader = 3;
constexpr std::uint8_t timeStamp = 5;  // in event files
constexpr std::uint8_t attributes = 6; // in event files
constexpr std::uint8_t firstDefinition = 5;
constexpr std::uint8_t firstEvent = 10;
constexpr std::uint8_t undefinedNumber = 0xFF;
constexpr std::uint8_t longLength = 0xFF; // eight bytes of length follow
constexpr std::size_t headerSize = 18;

using Bytes = std::span<const std::uint8_t>;

std::uint64_t word(const std::uint8_t *bytes, bool littleEndian) {
    std::uint64_t value = 0;
    std::memcpy(&value, bytes, sizeof value);
    return littleEndian == (std::endian::native == std::endian::little) ? value : __builtin_bswap64(value);
}

/// Reads a file chunk by chunk.
class ChunkReader {
  public:
    ChunkReader(const std::string &path, std::uint64_t chunkSize) : m_file(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
        struct stat status {};
        if (m_file >= 0 && ::fstat(m_file, &status) == 0 && status.st_size > 0)
            m_size = static_cast<std::uint64_t>(status.st_size);
        m_capacity = static_cast<std::size_t>(std::min(chunkSize, m_size));
        m_buffer = std::make_unique_for_overwrite<std::uint8_t[]>(m_capacity);
    }
    ~ChunkReader() {
        if (m_file >= 0)
            ::close(m_file);
    }
    ChunkReader(const ChunkReader &) = delete;
    ChunkReader &operator=(const ChunkReader &) = delete;

    [[nodiscard]] std::uint64_t size() const { return m_size; }
    /// The next chunk, valid until the next call; empty at the end of the file or where it cannot be read.
    Bytes next() {
        std::size_t count = 0;
        for (ssize_t got = 1; got > 0 && count < m_capacity; count += static_cast<std::size_t>(std::max<ssize_t>(got, 0)))
            got = ::read(m_file, &m_buffer[count], m_capacity - count);
        return {m_buffer.get(), count};
    }

  private:
    int m_file;
    std::uint64_t m_size = 0;
    std::size_t m_capacity = 0;
    std::unique_ptr<std::uint8_t[]> m_buffer;
};

/// The chunk header's mark is 'B' for the byte order of x86.
bool isLittleEndian(const std::uint8_t *header) { return header[1] == 'B'; }

bool isHeader(const std::uint8_t *bytes) { return bytes[0] == chunkHeader && (bytes[1] == 'B' || bytes[1] == '#'); }

/// How many numbers the events that are nearly all events consist of, after some bytes that are none. Bytes that are no such
/// numbers are damage.
struct EventShape {
    std::uint8_t plainBytes = 0;
    std::uint8_t numbers = 0; ///< 0: not checked
};
constexpr EventShape shapeOf(std::uint8_t type) {
    switch (type) {
    case 12: // ENTER
    case 13: // LEAVE
    case 16: // MPI_ISEND_COMPLETE
    case 17: // MPI_IRECV_REQUEST
        return {0, 1};
    case 14: // MPI_SEND
    case 18: // MPI_RECV
        return {0, 4};
    case 15: // MPI_ISEND
    case 19: // MPI_IRECV
        return {0, 5};
    case 23: // MPI_COLLECTIVE_END
        return {1, 4};
    default:
        return {};
    }
}

/// Walks over the records of one chunk.
class ChunkWalk {
  public:
    ChunkWalk(Bytes bytes, RecordKind kind) : m_bytes(bytes), m_kind(kind) {}

    enum class End : std::uint8_t { Chunk, File, Damage };

    End run() {
        if (m_bytes.size() < headerSize || !isHeader(m_bytes.data()))
            return damage("a chunk begins without its header");
        m_littleEndian = isLittleEndian(m_bytes.data());
        m_declared = word(&m_bytes[headerSize - 8], m_littleEndian);
        m_position = headerSize;
        while (m_position < m_bytes.size()) {
            const std::uint8_t type = m_bytes[m_position];
            if (type == endOfFile || type == endOfChunk) {
                ++m_position;
                return type == endOfFile ? End::File : End::Chunk;
            }
            if (isPadding())
                return End::Chunk;
            if (!record(type))
                return End::Damage;
        }
        return damage("it ends before its last record");
    }

    [[nodiscard]] std::uint64_t declared() const { return m_declared; } ///< number of the chunk's last event, by its header
    [[nodiscard]] std::uint64_t records() const { return m_records; }
    [[nodiscard]] const std::string &reason() const { return m_reason; }
    [[nodiscard]] bool isEndOfFileNext() const { return m_position < m_bytes.size() && m_bytes[m_position] == endOfFile; }

  private:
    /// A chunk that is followed by another has no end mark: what is left of it is zero.
    [[nodiscard]] bool isPadding() const {
        return m_bytes[m_position] == 0 && std::all_of(m_bytes.begin() + static_cast<std::ptrdiff_t>(m_position), m_bytes.end(),
                                                       [](std::uint8_t byte) { return byte == 0; });
    }

    End damage(const char *reason) {
        m_reason = reason;
        return End::Damage;
    }

    bool record(std::uint8_t type) {
        const bool isEvents = m_kind == RecordKind::Events;
        const bool isPrefix = isEvents && (type == timeStamp || type == attributes);
        if (!isPrefix && type < (isEvents ? firstEvent : firstDefinition)) {
            damage("it holds bytes that are no record");
            return false;
        }
        const EventShape shape = isEvents ? shapeOf(type) : EventShape{};
        std::uint64_t length = 8;
        std::size_t payload = m_position + 1;
        if (shape.numbers == 1)
            length = payload < m_bytes.size() && m_bytes[payload] != undefinedNumber ? 1U + m_bytes[payload] : 1U;
        else if (!(isEvents && type == timeStamp) && !readLength(payload, length))
            return false;
        if (length > m_bytes.size() - payload) {
            damage(isEvents ? "it ends within an event" : "it ends within a definition");
            return false;
        }
        if (shape.numbers != 0 && !hasShape(shape, payload, length)) {
            damage("it holds bytes that are no record");
            return false;
        }
        m_position = payload + length;
        m_records += isPrefix ? 0 : 1;
        return true;
    }

    bool readLength(std::size_t &payload, std::uint64_t &length) {
        if (payload < m_bytes.size()) {
            length = m_bytes[payload++];
            if (length != longLength)
                return true;
            if (m_bytes.size() - payload >= 8 && word(&m_bytes[payload], m_littleEndian) <= m_bytes.size() - payload - 8) {
                length = word(&m_bytes[payload], m_littleEndian);
                payload += 8;
                return true;
            }
            if (m_kind == RecordKind::Events) { // a single number that is undefined
                length = 0;
                return true;
            }
        }
        damage("it ends within a record");
        return false;
    }

    [[nodiscard]] bool hasShape(const EventShape &shape, std::size_t payload, std::uint64_t length) const {
        const std::size_t end = payload + length;
        std::size_t position = payload + shape.plainBytes;
        for (std::uint8_t i = 0; i < shape.numbers; ++i) {
            if (position >= end || (m_bytes[position] > 8 && m_bytes[position] != undefinedNumber))
                return false;
            position += m_bytes[position] == undefinedNumber ? 1U : 1U + m_bytes[position];
        }
        return position == end;
    }

    Bytes m_bytes;
    RecordKind m_kind;
    bool m_littleEndian = true;
    std::size_t m_position = 0;
    std::uint64_t m_declared = 0;
    std::uint64_t m_records = 0;
    std::string m_reason;
};

} // namespace

RecordScan scanRecords(const std::string &path, RecordKind kind, std::uint64_t chunkSize) {
    RecordScan scan;
    ChunkReader file(path, chunkSize);
    scan.size = file.size();
    if (scan.size == 0) {
        scan.reason = "it cannot be read";
        return scan;
    }
    for (Bytes chunk = file.next(); !chunk.empty(); chunk = file.next()) {
        ChunkWalk walk(chunk, kind);
        const ChunkWalk::End end = walk.run();
        scan.records += walk.records();
        scan.declared = std::max(scan.declared, walk.declared());
        if (end == ChunkWalk::End::Damage) {
            scan.reason = walk.reason();
            return scan;
        }
        if (end == ChunkWalk::End::File || walk.isEndOfFileNext()) {
            scan.complete = true;
            return scan;
        }
    }
    scan.reason = "it ends without its end mark";
    return scan;
}

} // namespace laggard::otf2
