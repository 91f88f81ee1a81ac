// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "collect/store/FileThread.h"
#include "collect/store/Mutex.h"
#include "collect/store/Pages.h"
#include "collect/store/Settings.h"
#include "trace/recording/Checks.h"

#include <atomic>
#include <cstdint>
#include <mutex>
#include <sys/types.h>

namespace laggard::collect {

/// The file of this process, in memory. Chunks are added at its end: their room on the disk is allocated before they are mapped,
/// so that writing to them never fails. Chunks stay mapped for good.
class MappedFile {
  public:
    MappedFile() = default;
    MappedFile(const MappedFile &) = delete;
    MappedFile &operator=(const MappedFile &) = delete;

    /// Makes FOLDER/HOST.PID.laggard (HOST.PID-2 if that exists, …) with its header; only its owner may read it. Returns nullptr,
    /// or what failed, with errno.
    [[nodiscard]] const char *create(const Settings &settings);
    /// Path of the file.
    [[nodiscard]] const char *path() const { return m_path; }

    [[nodiscard]] recording::FileHeader &header() { return *m_header; }

    /// Where this file is opened, and others of the recorder are to be.
    [[nodiscard]] FileThread &files() { return m_files; }

    /// A new chunk of zeros with its header; `sequence` 0 for one that is to be set up first. nullptr if the disk has no room,
    /// which is said once.
    [[nodiscard]] recording::ChunkHeader *addChunk(recording::ChunkKind kind, std::uint32_t thread, std::uint32_t units,
                                                   std::uint64_t sequence);

    /// Writes a copy of a chunk of records, into which nothing is written any more, to the end of the file. It counts from the
    /// moment when it is there wholly. False if there is no room, which is said once. By any thread.
    [[nodiscard]] bool append(const recording::ChunkHeader &chunk);

    /// A SIGBUS handler calls this: replaces the page at `address` by memory if it belongs to the file (whose storage has
    /// failed). Async-signal-safe.
    bool replacePage(const void *address);

    /// Records that found no room.
    void countDropped(std::uint64_t records = 1);

  private:
    struct Mapping {
        std::uintptr_t begin;
        std::uintptr_t end;
    };
    static constexpr std::uint32_t maxMappings = 60000; // the system allows 65530 in a process

    [[nodiscard]] const char *make();
    [[nodiscard]] int reopen() const;
    [[nodiscard]] void *map(int descriptor, std::uint64_t offset, std::uint64_t bytes);
    [[nodiscard]] static bool allocate(int descriptor, std::uint64_t offset, std::uint64_t bytes);
    static void bringIn(int descriptor, std::uint64_t offset, std::uint64_t bytes);
    void fillHeader(const Settings &settings);
    [[nodiscard]] void *grow(std::uint64_t bytes);
    [[nodiscard]] int beginAppended(recording::ChunkHeader &header);
    void hasNoRoom(int error);
    [[nodiscard]] bool sayNoRoom(int error);

    FileThread m_files;
    dev_t m_device = 0;
    ino_t m_inode = 0;
    dev_t m_errorsDevice = 0; ///< device of what was stderr at the beginning
    ino_t m_errorsInode = 0;
    std::uint64_t m_bytes = 0;
    recording::FileHeader *m_header = nullptr;
    Mutex m_mutex;
    bool m_noRoom = false;
    bool m_saidNoRoom = false;
    std::uint64_t m_retryAt = 0; ///< after there was no room
    Mapping *m_mappings = nullptr;
    std::atomic<std::uint32_t> m_mappingCount{0};
    char m_folder[3072] = {};
    char m_path[4096] = {};
};

/// A word that other processes read while it changes.
template <typename T> void publish(T &word, T value) { __atomic_store_n(&word, value, __ATOMIC_RELEASE); }

/// The same without an order among such words: for what is looked at again soon.
template <typename T> void show(T &word, T value) { __atomic_store(&word, &value, __ATOMIC_RELAXED); }
template <typename T> [[nodiscard]] T shown(const T &word) {
    T value;
    __atomic_load(&word, &value, __ATOMIC_RELAXED);
    return value;
}

/// Changes a word of the header together with its check. At any moment one half of the check fits.
template <typename T>
void publishField(recording::FileHeader &header, recording::HeaderField field, T &word, T value, std::uint64_t checked) {
    recording::HeaderCheck &check = header.checks[static_cast<std::size_t>(field)];
    const std::uint32_t fit = recording::headerCheck(field, checked);
    publish(check.before, fit);
    publish(word, value);
    publish(check.after, fit);
}
template <typename T> void publishField(recording::FileHeader &header, recording::HeaderField field, T &word, T value) {
    publishField(header, field, word, value, static_cast<std::uint64_t>(value));
}

} // namespace laggard::collect
