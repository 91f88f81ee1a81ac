// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <cstdint>

namespace laggard::collect::mpi {

/// Where the MPI library lies in this process: its functions in C and Fortran.
class Library {
  public:
    Library();
    [[nodiscard]] bool contains(const void *address) const;

  private:
    struct Range {
        std::uintptr_t begin;
        std::uintptr_t end;
    };
    static constexpr int most = 4;
    Range m_ranges[most] = {};
    int m_count = 0;
};

/// The next function called `name`; nullptr if it lies in the same library as `nameInMpi`.
[[nodiscard]] void *findTool(const char *name, const char *nameInMpi);

/// What the program would call under the name of a wrapper if the recorder were not there, where that is not MPI itself: the
/// function of a tool that is preloaded behind the recorder, or linked before MPI. `Function`: its type. One for each wrapper.
template <typename Function> class Tool {
  public:
    constexpr Tool(const char *name, const char *nameInMpi) : m_name(name), m_nameInMpi(nameInMpi) {}
    /// nullptr: there is none.
    [[nodiscard]] Function find() {
        void *found = m_found.load(std::memory_order_relaxed);
        if (found == this)
            m_found.store(found = findTool(m_name, m_nameInMpi), std::memory_order_relaxed);
        return reinterpret_cast<Function>(found);
    }

  private:
    const char *m_name;
    const char *m_nameInMpi;
    std::atomic<void *> m_found{this}; ///< itself: not searched yet
};

} // namespace laggard::collect::mpi
