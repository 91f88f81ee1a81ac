// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/Ids.h"

namespace laggard::recording {

/// Turns the ticks of a process into those of the trace: nanoseconds since the job's start.
struct ClockMap {
    std::uint64_t fromTicks = 0; ///< ticks of the process …
    Tick toTick = 0;             ///< … at this tick of the trace
    std::uint64_t ticksPerSecond = 1'000'000'000;
    Tick latest = openEnd - 1; ///< no event can be later
    [[nodiscard]] Tick operator()(std::uint64_t ticks) const;
};

/// Now, in ticks of a recorder on this machine: nanoseconds of the clock that never steps.
[[nodiscard]] std::uint64_t monotonicNow();

} // namespace laggard::recording
