// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "collect/store/FileThread.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace laggard::collect {

/// What the system tells of processes and threads, in files. Nothing is allocated: the program may hang in malloc.

/// What is in a file of the system, as a string that is cut where there is no room; `path` may be in `text`. False, with errno,
/// if it cannot be opened.
bool readText(FileThread &files, const char *path, std::span<char> text);

/// The letter of proc(5) for what the process or thread does that `path`, a file "stat", is about; '\0', with errno, if there
/// is no such file.
[[nodiscard]] char readState(FileThread &files, const char *path);

/// The threads of this process.
class OwnThreads {
  public:
    explicit OwnThreads(FileThread &files);
    ~OwnThreads();
    OwnThreads(const OwnThreads &) = delete;
    OwnThreads &operator=(const OwnThreads &) = delete;

    /// The system's number of another one; 0: that was all.
    [[nodiscard]] std::int32_t next();

  private:
    FileThread &m_files;
    int m_folder = -1; ///< in the table of the thread for files
    long m_bytes = 0;
    long m_at = 0;
    alignas(8) char m_entries[4096];
};

/// Calls `visit(tid)` for each thread of the process. Meanwhile others may use `files`.
template <typename Visit> void forEachThread(FileThread &files, Visit visit) {
    OwnThreads threads(files);
    while (const std::int32_t tid = threads.next())
        visit(tid);
}

} // namespace laggard::collect
