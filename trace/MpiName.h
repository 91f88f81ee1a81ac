// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace laggard {

/// "send" for MPI_Send, PMPI_Send, MPI_Send_c (large counts), and Fortran's mpi_send_, MPI_SEND and mpi_send_f08_; empty if the
/// name is none of MPI's.
[[nodiscard]] std::string mpiBaseName(std::string_view function);

/// Whether a function is one of MPI's, in C or Fortran, with or without the prefix of the profiling interface.
[[nodiscard]] bool isMpiName(std::string_view function);

} // namespace laggard
