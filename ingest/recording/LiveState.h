// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ingest/recording/EventReader.h"
#include "trace/recording/Format.h"

#include <cstdint>
#include <optional>
#include <string>

namespace laggard::recording {

/// What one process does at this moment, read from its file while it writes it: a few system calls each time, for whoever watches
/// a job. Nothing is mapped, so that a file that shrinks does no harm.
class LiveState {
  public:
    struct Reading {
        bool hasEnded = false;           ///< the process has said how it ended
        bool isFinalized = false;        ///< it has left MPI
        bool isInMpi = false;            ///< its main thread, or the only thread that calls MPI, is in a call of MPI
        bool hasCalled = false;          ///< a thread has recorded something
        std::uint64_t lastChange = 0;    ///< ticks: the last transition of any thread; 0 before the first
        std::uint64_t aliveTicks = 0;    ///< when its recorder was last seen alive
        std::uint64_t hangThreshold = 0; ///< ticks without a transition after which it counts as hanging; 0: not known, or never
        std::int32_t rank = -1;          ///< in MPI_COMM_WORLD
        std::int32_t worldSize = -1;
    };

    /// Throws ReadError if it is no recording that this program reads.
    explicit LiveState(const std::string &path);

    /// Its header as it was when the file was opened.
    [[nodiscard]] const FileHeader &header() const { return m_header; }
    [[nodiscard]] const std::string &path() const { return m_path; }
    /// Nothing if it cannot be read any more. Values may be of the moment before or after one another's.
    [[nodiscard]] std::optional<Reading> read();

  private:
    void findThreads();

    std::string m_path;
    ReadOnlyFile m_file;
    FileHeader m_header{};
    std::uint64_t m_threads = 0;      ///< where the first chunk of thread states is; 0: not found yet
    std::uint64_t m_threadsBytes = 0; ///< its length
};

} // namespace laggard::recording
