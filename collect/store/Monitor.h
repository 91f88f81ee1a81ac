// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "collect/store/Process.h"

namespace laggard::collect {

/// The thread that says that the process is alive, and notices when nothing moves any more. All signals are blocked in it. False
/// if it cannot be started.
bool startMonitor(Process &process);

/// Ticks without a transition after which a process counts as hanging, from its past transitions (PDI §4.1): mean + 10
/// deviations, at least 60 s, which PDI §5 found sufficient.
[[nodiscard]] std::uint64_t inferredThreshold(const TransitionTimes &times);

} // namespace laggard::collect
