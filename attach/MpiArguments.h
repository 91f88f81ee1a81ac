// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "attach/CallSites.h"
#include "trace/MpiArguments.h"

#include <cstdint>
#include <optional>
#include <string>

namespace laggard::attach {

/// Of which library a process has MPI: handles and constants differ.
enum class MpiLibrary : std::uint8_t { Unknown, Mpich, OpenMpi };

/// What is known of a process' communicators besides their handles.
class Communicators {
  public:
    /// `rank` of `rankCount`: in MPI_COMM_WORLD.
    Communicators(const StackWalk &walk, const Memory &memory, std::uint32_t rank, std::uint32_t rankCount);

    [[nodiscard]] MpiLibrary library() const { return m_library; }
    /// Fills in name and size of a communicator. `isFortran`: a number of Fortran's.
    void describe(std::uint64_t handle, bool isFortran, MpiArguments &arguments) const;

  private:
    void calibrate();
    [[nodiscard]] std::optional<std::uint32_t> sizeOf(std::uint64_t communicator) const;

    const Memory &m_memory;
    std::uint32_t m_rank, m_rankCount;
    MpiLibrary m_library = MpiLibrary::Unknown;
    std::uint64_t m_world = 0, m_self = 0;      ///< Open MPI: where these objects lie
    std::optional<std::uint64_t> m_groupOffset; ///< Open MPI: of the pointer to its group, in a communicator
};

/// The arguments of the MPI call that is frame `callee` and has `symbol` as the linker's name.
[[nodiscard]] MpiArguments readMpiArguments(const CallSites &sites, const Communicators &communicators, std::size_t callee,
                                            const std::string &symbol);

} // namespace laggard::attach
