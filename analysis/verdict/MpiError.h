// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/Trace.h"

#include <string>
#include <string_view>

namespace laggard {

/// The call in which MPI found the error that the process ended for (ProcessEnd::mpiError): the innermost frame of the thread's
/// open MPI call. `none` if no such call is among the events; a model dump has none.
[[nodiscard]] CallPathId callOfMpiError(const Trace &trace, Rank rank);

/// What is wrong, without the way through the library that MPICH writes before it: "Invalid rank has value 8 but must be
/// nonnegative and less than 4" of "Invalid rank, error stack:\n…\ninternal_Send(78).: Invalid rank has value 8 but …". In one
/// line.
[[nodiscard]] std::string reasonOf(std::string_view mpiError);

} // namespace laggard
