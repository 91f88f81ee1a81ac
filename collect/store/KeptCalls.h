// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "collect/store/RecordGroup.h"

namespace laggard::collect {

/// Calls of one thread that stay when the ring has turned (DESIGN §6): MPI_Init, those that make communicators, and the phase
/// marks, without which phases could not be numbered. Used by its thread alone.
class KeptCalls {
  public:
    void begin(MappedFile &file, std::uint32_t thread) {
        m_file = &file;
        m_thread = thread;
    }
    void restart(std::uint32_t thread);

    /// Such a call begins.
    void open(std::uint32_t path, Ticks entered, std::span<const Part> parts);
    /// It has returned: it is written as a whole.
    void close(Ticks returned, std::uint32_t flags, std::uint64_t cost);
    /// MPI_Pcontrol(level).
    void mark(std::int32_t level, Ticks time);

  private:
    bool reserve(std::size_t words, std::uint64_t chunks);

    /// A program may make communicators for ever, and marks even faster: they leave room for the others.
    static constexpr std::uint64_t mostChunks = 16;
    static constexpr std::uint64_t mostChunksForMarks = 12;
    static constexpr std::size_t mostParts = 8;
    MappedFile *m_file = nullptr;
    std::uint32_t m_thread = 0;
    std::uint64_t m_chunks = 0;
    RecordChunk m_open;
    std::uint32_t m_path = 0;
    Ticks m_entered = 0;
    Part m_parts[mostParts] = {};
    std::size_t m_partCount = 0;
};

} // namespace laggard::collect
