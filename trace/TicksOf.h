// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/Trace.h"

#include <algorithm>

namespace laggard {

/// A time that was calculated, as ticks; what is left of one is cut off. 0 for what is negative or no number, and the last time
/// that is one (`openEnd - 1`) for what is later: the language leaves open what such numbers become by themselves.
[[nodiscard]] inline Tick ticksOf(double ticks) {
    constexpr double tooMany = 0x1p64;
    if (!(ticks > 0))
        return 0;
    return ticks < tooMany ? std::min(static_cast<Tick>(ticks), openEnd - 1) : openEnd - 1;
}

/// So many seconds in ticks of a clock.
[[nodiscard]] inline Tick ticksOf(double seconds, const Clock &clock) {
    return ticksOf(seconds * static_cast<double>(clock.ticksPerSecond));
}

} // namespace laggard
