// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "collect/store/Process.h"

namespace laggard::collect {

/// What the monitor thread sees of the other processes that its launcher has started on this machine. A process that is stopped
/// (SIGSTOP) gives no sign of life, and one that was killed cannot say so: the others can tell which it was. Linux's /proc only;
/// elsewhere nothing is seen.
class Neighbours {
  public:
    /// Looks at each of them, and records those that are newly seen to be stopped, gone, or going again. Allocates nothing: the
    /// program may hang in malloc.
    void look(Process &process);

  private:
    struct Neighbour {
        std::int32_t pid = 0;
        recording::NeighbourState state = recording::NeighbourState::Runs;
    };
    void meet(FileThread &files);

    static constexpr std::size_t most = 256; ///< more processes on one machine are not looked at
    Neighbour m_all[most];
    std::size_t m_count = 0;
    int m_records = 0;
};

} // namespace laggard::collect
