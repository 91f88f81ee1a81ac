// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "collect/store/Process.h"

#include <cstddef>
#include <cstdint>
#include <poll.h>

namespace laggard::collect {

/// Records when a process beside this one ends, at once: a launcher ends all others within a millisecond after one was killed,
/// and then nobody else could tell which was the first. Where a whole job is killed, no process lives to see another one end: the
/// signals are sent within microseconds, and each process takes longer to be taken down.
///
/// Linux's pidfd_open() (5.3); elsewhere, and where system calls are filtered, nothing is seen. The descriptors are of the
/// calling thread's table, which must be no table of the program's. Allocates nothing after the start.
class NeighbourEnds {
  public:
    /// Returns when the process has called MPI_Finalize, or cannot watch.
    void watch(Process &process);

  private:
    /// Opens descriptors for those that are to be watched and are not yet. False if that may not be.
    [[nodiscard]] bool meet();
    /// `files`: what has come of those watched, in their order.
    void record(Process &process, const pollfd *files);

    struct Watched {
        std::int32_t pid = 0;
        int file = -1; ///< -1: it has ended
    };
    /// Each process watches those that follow it by number, so that their cost does not grow with the job: of four watchers of
    /// one process (Linux 6, MPICH 4.0, 4 to 8 ranks on two cores) at least one was in time in two of three cases on a machine
    /// with those that were late were late together.
    static constexpr std::size_t most = 8;
    Watched m_all[most];
    std::size_t m_count = 0;
};

/// Starts a thread that watches. Of the monitor thread, whose table of descriptors it shares.
void startNeighbourEnds(Process &process);

} // namespace laggard::collect
