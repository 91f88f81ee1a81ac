// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "attach/CallSites.h"
#include "attach/MpiObjects.h"
#include "trace/MpiArguments.h"

#include <cstdint>
#include <optional>
#include <string>

namespace laggard::attach {

/// Which library a process has MPI from: handles and constants differ.
enum class MpiLibrary : std::uint8_t { Unknown, Mpich, OpenMpi };

/// What is known of a process' communicators besides their handles.
class Communicators {
  public:
    /// `rank` of `rankCount`: in MPI_COMM_WORLD.
    Communicators(const StackWalk &walk, const Memory &memory, const std::string &maps, std::uint32_t rank,
                  std::uint32_t rankCount);

    [[nodiscard]] MpiLibrary library() const { return m_library; }
    /// What the library has of communicators and messages, as far as it was found.
    [[nodiscard]] const MpiObjects &objects() const { return m_objects; }
    /// nullptr: it is not known.
    [[nodiscard]] const CommunicatorObject *of(const RequestObject &request) const;
    /// Fills in name, size, number and members of a communicator. `isFortran`: a number of Fortran's.
    void describe(std::uint64_t handle, bool isFortran, MpiArguments &arguments) const;

  private:
    std::uint32_t m_rankCount;
    MpiLibrary m_library = MpiLibrary::Unknown;
    std::uint64_t m_world = 0, m_self = 0; ///< Open MPI: where these objects lie
    MpiObjects m_objects;
};

/// The arguments of the MPI call that is frame `callee` and has `symbol` as the linker's name.
[[nodiscard]] MpiArguments readMpiArguments(const CallSites &sites, const Communicators &communicators, std::size_t callee,
                                            const std::string &symbol);

} // namespace laggard::attach
