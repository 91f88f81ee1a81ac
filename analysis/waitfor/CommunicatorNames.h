// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/Trace.h"

#include <string>

namespace laggard {

/// The call that made the communicator, on its smallest member; `none` where that is not certain. Communicators have no record of
/// their making: they are told by their order, where the rank has made as many on the parent as the trace knows of.
[[nodiscard]] CallPathId madeBy(const Trace &trace, CommunicatorId communicator);

/// "MPI_COMM_WORLD"; of others "communicator 3 (of ranks 0-3, made by MPI_Comm_split in solve.c:12)", as far as it is known.
[[nodiscard]] std::string describeCommunicator(const Trace &trace, CommunicatorId communicator);

} // namespace laggard
