// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/Communication.h"
#include "trace/Region.h"
#include "trace/recording/Format.h"

#include <string>

namespace laggard::recording {

/// True for "MPI_Send"; the other operations of recordings are functions of the C library.
[[nodiscard]] bool isMpiOperation(const std::string &name);

/// The region of an MPI operation or function of the C library: its name (those of MPI 4's large counts without their "_c"), role
/// and paradigm.
[[nodiscard]] Region regionOfOperation(const std::string &name);

/// What a collective is, by the name of the operation.
struct CollectiveTraits {
    CollectiveOperation operation = CollectiveOperation::Other;
    bool nonBlocking = false; ///< persistent ones as well
    std::string call;         ///< CollectiveKind::call; empty where `operation` says it all
};
[[nodiscard]] CollectiveTraits traitsOfCollective(const std::string &operation);

/// "MPI_SUM", "user"; empty for None, and what is not known.
[[nodiscard]] std::string nameOf(Reduction reduction);

/// What the collective "MPI_Iallreduce" does: Allreduce; Other for what is collective and has no name of its own.
[[nodiscard]] CollectiveOperation collectiveOf(const std::string &operation);

/// True for MPI_Recv_init and the like: it makes a persistent request.
[[nodiscard]] bool isInitialiser(const std::string &operation);

/// True for MPI_Waitany, MPI_Testsome and the like: one of the requests is enough.
[[nodiscard]] bool isAnyOf(const std::string &operation);

} // namespace laggard::recording
