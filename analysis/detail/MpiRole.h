// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace laggard {

/// What a call of MPI does to the time of its rank.
enum class MpiRole : std::uint8_t {
    Wait,     ///< returns only when another rank has done its part: receives, waits, tests, probes, blocking collectives, locks
    Transfer, ///< hands over data and goes on: sends, posted operations, one-sided access, packing
    SetUp,    ///< communicators, types, windows, files and all else
    Bracket   ///< MPI_Init, MPI_Init_thread and MPI_Finalize: the ends of the job
};
inline constexpr std::size_t mpiRoles = 4;

/// By the name of an MPI function (MpiCall), or of an operation of a library like it ("nccl:all_reduce").
[[nodiscard]] MpiRole mpiRoleOf(std::string_view function);

/// The function's name without prefix and binding, in small letters: "recv"; of other libraries the name as it is.
[[nodiscard]] std::string plainMpiName(std::string_view function);

} // namespace laggard
