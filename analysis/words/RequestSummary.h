// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/waitfor/WaitForGraph.h"

#include <string>

namespace laggard {

/// " of the request made by MPI_Send_init, called from f (a.c:3)", if the rank has made persistent requests in one place only.
[[nodiscard]] std::string describeOnlyRequest(const Trace &trace, Rank rank, Tick at);

/// What the named ranks' own calls show of persistent requests that were never started, and of partitions: facts beside the
/// verdict on a job that hangs, each a sentence with a space before it. Recordings only.
[[nodiscard]] std::string describeRequests(const Trace &trace, const WaitForGraph &waits);

} // namespace laggard
