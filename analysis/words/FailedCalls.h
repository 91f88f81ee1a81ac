// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/Trace.h"

#include <string>

namespace laggard {

/// " MPI_Send (solve.c:12) returned an error to rank 3, at 1.2 s; so did 2 later calls." of the first that did by `at`, and after
/// which the program went on; empty without such. It may have handled the error: that accuses nobody. Recordings only.
[[nodiscard]] std::string describeFailedCalls(const Trace &trace, Tick at);

} // namespace laggard
