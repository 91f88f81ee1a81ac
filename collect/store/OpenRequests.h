// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "collect/store/HashIndex.h"
#include "collect/store/Mutex.h"
#include "collect/store/SlotArray.h"
#include "collect/store/ThreadLog.h"

#include <mutex>

namespace laggard::collect {

/// The requests of the process that are not complete, in slots of the file. Thread-safe.
class OpenRequests {
  public:
    explicit OpenRequests(MappedFile &file) : m_file(file), m_slots(file, recording::ChunkKind::Requests) {}

    [[nodiscard]] std::uint64_t newNumber() { return m_next.fetch_add(1, std::memory_order_relaxed); }
    /// A request that is there already (a persistent one that is started) is described anew.
    void posted(std::uint64_t request, const Part &part, std::uint32_t path, Ticks when);
    /// Returns the communicator if it was a collective; else `nothing`.
    std::uint32_t done(std::uint64_t request);

  private:
    MappedFile &m_file;
    SlotArray<recording::RequestSlot> m_slots;
    Mutex m_mutex;
    std::atomic<std::uint64_t> m_next{1};
    HashIndex<recording::RequestSlot *> m_index;
};

} // namespace laggard::collect
