// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <set>
#include <sys/types.h>

namespace laggard::replay {

/// The processes that one has started, and those that these have started: also those that have left its process group, as the
/// proxies of MPICH's mpiexec and their ranks do. As they are found in /proc.
class ProcessTree {
  public:
    explicit ProcessTree(pid_t root) : m_root(root) {}

    /// Looks once more. Those that were found before stay, also when who started them has ended.
    void look();
    /// Ends all that were found, and the root's process group, with SIGKILL; none can start another one meanwhile.
    void kill();

  private:
    struct Process {
        pid_t pid = 0;
        unsigned long long start = 0; ///< clock ticks since the machine started: numbers of processes are used again
        auto operator<=>(const Process &) const = default;
    };
    struct Sight {
        Process process;
        pid_t parent = 0;
        char state = ' ';
    };
    static Sight sightOf(pid_t pid);
    void signal(int number) const;

    pid_t m_root;
    std::set<Process> m_found; ///< without the root, whose number stays its own until its parent asks for its end
};

} // namespace laggard::replay
