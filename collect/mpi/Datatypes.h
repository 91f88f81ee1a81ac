// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "collect/mpi/Contents.h"
#include "collect/mpi/HandleTable.h"
#include "collect/store/Mutex.h"
#include "collect/store/ThreadLog.h"

#include <mpi.h>

#include <map>
#include <string>
#include <utility>

namespace laggard::collect::mpi {

/// A datatype as the recording names it.
struct Datatype {
    std::uint32_t id = recording::nothing;
    std::uint64_t bytes = 0; ///< of an element
    Layout layout;
    bool operator==(const Datatype &) const = default;
};

/// Sizes and definitions of the program's datatypes. Derived datatypes of equal size and name, or construction, are one
/// definition: a program that makes a new one in each step has no more of them than of kinds. Safe from all threads.
class Datatypes {
  public:
    explicit Datatypes(ProcessLog &log) : m_log(log) {}

    [[nodiscard]] Datatype of(MPI_Datatype handle);
    /// It is freed or named anew.
    void forget(MPI_Datatype handle) { m_known.remove(handle); }

  private:
    ProcessLog &m_log;
    HandleTable<MPI_Datatype, Datatype> m_known;
    Mutex m_mutex;
    std::map<std::pair<std::uint64_t, std::string>, std::uint32_t> m_defined;
};

} // namespace laggard::collect::mpi
