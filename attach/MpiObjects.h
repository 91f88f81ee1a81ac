// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "attach/Memory.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace laggard::attach {

/// A communicator, as a process has it in its memory.
struct CommunicatorObject {
    std::uint64_t handle = 0;            ///< what the program has for it: MPICH's number, Open MPI's address
    std::optional<std::uint64_t> number; ///< what all members have for it
    std::uint32_t size = 0;
    std::uint32_t rank = 0;             ///< the process' own
    std::vector<std::uint32_t> members; ///< ranks of the job; empty: not known, or between two groups
    std::vector<std::uint32_t> peers;   ///< whom messages on it go to: the members, or those of the other group
};

/// A message that a process has begun to send or to receive, and that is not complete.
struct RequestObject {
    std::uint64_t handle = 0; ///< MPICH's number, Open MPI's address; for a persistent one: what the program has
    bool isSend = false;
    bool isInternal = false;              ///< a part of a collective
    std::uint64_t communicator = 0;       ///< its number
    std::uint64_t communicatorHandle = 0; ///< 0: not known, the number tells
    std::optional<std::uint32_t> peer;    ///< rank in the communicator
    std::optional<std::int64_t> tag;      ///< nothing: any, or not known
    bool isFromAny = false;
};

/// What an MPI library keeps of its communicators and messages. Nobody promises where: each place is found by what must be there
/// (numbers of MPI_COMM_WORLD and MPI_COMM_SELF, pointers back), and what does not fit is not used.
struct MpiObjects {
    std::vector<CommunicatorObject> communicators;
    std::vector<RequestObject> requests; ///< not complete
    std::vector<std::uint64_t> sends;    ///< handles of sends of which nothing else is known (MPICH)
    bool hasRequests = false;            ///< false: `requests` say nothing

    [[nodiscard]] const CommunicatorObject *byHandle(std::uint64_t handle) const;
    [[nodiscard]] const CommunicatorObject *byNumber(std::uint64_t number) const;
};

/// For MPICH from 4.0 on, its messages only where they go by UCX. `maps`: as in /proc/PID/maps. `rank` of `rankCount` in
/// MPI_COMM_WORLD.
[[nodiscard]] MpiObjects readMpichObjects(const Memory &memory, const std::string &maps, std::uint32_t rank,
                                          std::uint32_t rankCount);

/// Where Open MPI has its public objects in a process; 0: there is none.
struct OpenMpiPlaces {
    std::uint64_t world = 0, self = 0;     ///< ompi_mpi_comm_world, ompi_mpi_comm_self
    std::uint64_t communicators = 0;       ///< ompi_mpi_communicators
    std::uint64_t receives = 0, sends = 0; ///< mca_pml_base_recv_requests, mca_pml_base_send_requests
    std::uint64_t receive = 0, send = 0;   ///< classes of their elements (mca_pml_ob1_recv_request_t_class, …)
};

/// For Open MPI 4 (tried: 4.1), its messages only where they go by ob1.
[[nodiscard]] MpiObjects readOpenMpiObjects(const Memory &memory, const OpenMpiPlaces &places, std::uint32_t rank,
                                            std::uint32_t rankCount);

} // namespace laggard::attach
