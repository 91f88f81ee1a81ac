// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/Warning.h"
#include "trace/recording/Format.h"

#include <cstdint>
#include <string>
#include <vector>

namespace laggard::recording {

/// A record that passed its check. `payload` is valid until the reader's next step.
struct Record {
    RecordKind kind = RecordKind::End;
    std::uint32_t argument = 0;
    const std::uint64_t *payload = nullptr;
    std::size_t words = 0;      ///< words in the payload; at least what the kind needs
    std::uint64_t offset = 0;   ///< in the file
    std::uint64_t sequence = 0; ///< the chunk's sequence number
};

struct EventChunk {
    std::uint64_t offset = 0; ///< where its header is in the file
    std::uint64_t bytes = 0;  ///< with its header, as far as the file has them
    std::uint64_t sequence = 0;
    std::uint32_t thread = nothing;
    /// If the chunk belongs to the pool of a file that is written: from this place on there is a copy of it when it is used
    /// again. 0: it is used again without a copy.
    std::uint64_t copiesFrom = 0;
};

/// A file descriptor that closes itself.
class ReadOnlyFile {
  public:
    explicit ReadOnlyFile(const std::string &path);
    ~ReadOnlyFile();
    ReadOnlyFile(const ReadOnlyFile &) = delete;
    ReadOnlyFile &operator=(const ReadOnlyFile &) = delete;
    /// Copies up to `bytes` from `offset`; returns how many there were. Never fails: what cannot be read is not there.
    std::size_t read(std::uint64_t offset, void *to, std::size_t bytes) const;
    [[nodiscard]] std::uint64_t size() const;
    /// The first offset from `offset` on that is not in a hole; `size()` if there is none.
    [[nodiscard]] std::uint64_t nextData(std::uint64_t offset) const;
    [[nodiscard]] bool isOpen() const { return m_descriptor >= 0; }

  private:
    int m_descriptor;
};

/// The event records of one thread in the order in which they were written, each checked. A record that fails its check ends its
/// chunk with a warning, and so does a chunk that does not hold what it says was written; the chunks behind it are still read.
class EventReader {
  public:
    /// `isChecked`: the file has the checks of chunks (from version 2 on).
    EventReader(const ReadOnlyFile &file, std::string path, std::vector<EventChunk> chunks, bool isChecked);
    /// The next record; false after the last one.
    bool next(Record &record);
    /// True if records are missing between this record's chunk and the one before it (or at the start).
    [[nodiscard]] bool followsGap() const { return m_followsGap; }
    [[nodiscard]] const std::vector<Warning> &warnings() const { return m_warnings; }
    /// True if the last chunk ended with damage: the newest records are lost.
    [[nodiscard]] bool endsDamaged() const { return m_damagedChunk != 0 && m_damagedChunk == m_chunks.size(); }
    [[nodiscard]] std::uint64_t bytesRead() const { return m_bytesBefore + m_at; }

  private:
    bool openChunk();
    bool goToCopy();
    bool fill(std::size_t words);
    void refill();
    bool nextInChunk(Record &record);
    bool isAsCommitted();
    void openPolls(std::uint64_t *payload);
    void endDamaged(const std::string &what);
    void warn(WarningId id, const std::string &what);

    const ReadOnlyFile &m_file;
    std::string m_path;
    std::vector<EventChunk> m_chunks;
    std::size_t m_chunk = 0;        ///< the one after the open one
    std::size_t m_damagedChunk = 0; ///< the latest one that ended with damage, counted from 1
    bool m_isChecked;
    bool m_isOpen = false;
    bool m_followsGap = false;
    bool m_isConfirmed = false;      ///< the records up to `m_committed` are those that were written
    std::uint64_t m_committed = 0;   ///< the open chunk's, when it was opened
    std::uint64_t m_chain = 0;       ///< chained check of the records so far
    std::uint64_t m_at = 0;          ///< bytes into the open chunk
    std::uint64_t m_bytesBefore = 0; ///< bytes in the chunks before it
    std::vector<std::uint64_t> m_words;
    std::size_t m_first = 0; ///< the first of the words not yet taken
    std::size_t m_last = 0;  ///< behind the last word read
    std::vector<Warning> m_warnings;
};

inline constexpr int mostTries = 4; ///< at reading what is being written

/// "0.laggard, offset 4096": for warnings.
[[nodiscard]] std::string placeInFile(const std::string &path, std::uint64_t offset);

} // namespace laggard::recording
