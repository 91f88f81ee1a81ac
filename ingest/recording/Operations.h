// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/Communication.h"
#include "trace/Region.h"

#include <string>

namespace laggard::recording {

/// The region of an MPI operation: its name (those of MPI 4's large counts without their "_c"), role and paradigm.
[[nodiscard]] Region regionOfOperation(const std::string &name);

/// What the collective "MPI_Iallreduce" does: Allreduce; Other for what is collective and has no name of its own.
[[nodiscard]] CollectiveOperation collectiveOf(const std::string &operation);

/// True for MPI_Waitany, MPI_Testsome and the like: one of the requests is enough.
[[nodiscard]] bool isAnyOf(const std::string &operation);

} // namespace laggard::recording
