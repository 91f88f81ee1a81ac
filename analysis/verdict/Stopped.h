// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/Trace.h"

#include <string>

namespace laggard {

/// Ranks whose processes are stopped (SIGSTOP, a debugger), by ProcessEnd::isStopped.
[[nodiscard]] RankSet stoppedRanks(const Trace &trace);

/// "The process of rank 2 is stopped (SIGSTOP or a debugger)."; empty if none is.
[[nodiscard]] std::string describeStopped(const Trace &trace);

} // namespace laggard
