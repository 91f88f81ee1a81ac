// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "collect/mpi/Contents.h"
#include "collect/mpi/HandleTable.h"
#include "collect/store/Mutex.h"
#include "collect/store/ThreadLog.h"

#include <mpi.h>

#include <map>
#include <string>
#include <tuple>
#include <utility>

namespace laggard::collect::mpi {

/// A datatype as the recording names it.
struct Datatype {
    std::uint32_t id = recording::nothing;
    std::uint64_t bytes = 0; ///< bytes of an element
    Layout layout;
    unsigned references = 0; ///< that the program has been given and has not freed
    bool isPredefined = false;
    bool operator==(const Datatype &) const = default;
};

/// Sizes and definitions of the program's datatypes. MPI is asked only about those that exist, as it takes others for an error,
/// or reads what is not there: the predefined ones, and those that the program was seen to make and not to free. Derived
/// datatypes of equal size and name, or construction, are one definition: a program that makes a new one in each step has no
/// more definitions than kinds. Safe from all threads.
class Datatypes {
  public:
    explicit Datatypes(ProcessLog &log) : m_log(log) {}

    /// MPI is initialised: the predefined ones exist.
    void begin();
    /// Without definition, and of no bytes, if nothing is known of it.
    [[nodiscard]] Datatype of(MPI_Datatype handle);
    /// The program has been given it. MPI may give the same one several times (MPI_Type_get_contents); each is to be freed.
    void made(MPI_Datatype handle);
    void freed(MPI_Datatype handle);
    /// It has a new name.
    void named(MPI_Datatype handle);

  private:
    [[nodiscard]] std::uint32_t basicIdOf(MPI_Datatype handle);

    ProcessLog &m_log;
    HandleTable<MPI_Datatype, Datatype> m_known;
    Mutex m_mutex;
    std::map<std::tuple<std::uint64_t, std::string, std::uint32_t>, std::uint32_t> m_defined; ///< bytes, name, basic type
};

} // namespace laggard::collect::mpi
