// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "collect/mpi/Communicators.h"
#include "collect/store/Mutex.h"

#include <mpi.h>

#include <mutex>
#include <unordered_map>

namespace laggard::collect::mpi {

/// Messages that MPI_Mprobe has taken and nobody has received yet. Safe from all threads.
class Messages {
  public:
    struct Matched {
        const Communicator *communicator = nullptr;
        std::uint32_t source = recording::nothing; ///< world rank
        std::int32_t tag = 0;
        std::uint64_t number = 0; ///< in the recording
    };
    void add(MPI_Message handle, const Matched &matched) {
        const std::scoped_lock lock(m_mutex);
        m_matched[handle] = matched;
    }
    /// It is about to be received, and its handle free for the next.
    [[nodiscard]] Matched take(MPI_Message handle) {
        const std::scoped_lock lock(m_mutex);
        const auto found = m_matched.find(handle);
        if (found == m_matched.end())
            return {};
        const Matched matched = found->second;
        m_matched.erase(found);
        return matched;
    }

  private:
    Mutex m_mutex;
    std::unordered_map<MPI_Message, Matched> m_matched;
};

} // namespace laggard::collect::mpi
