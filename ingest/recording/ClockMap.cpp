// SPDX-License-Identifier: GPL-3.0-or-later
#include "ingest/recording/ClockMap.h"

#include <algorithm>
#include <ctime>

namespace laggard::recording {

Tick ClockMap::operator()(std::uint64_t ticks) const {
    if (ticks <= fromTicks)
        return toTick > fromTicks - ticks ? toTick - (fromTicks - ticks) : 0;
    const std::uint64_t passed = ticks - fromTicks;
    const auto nanoseconds = ticksPerSecond == 1'000'000'000U ? static_cast<unsigned __int128>(passed)
                                                              : static_cast<unsigned __int128>(passed) * 1'000'000'000U /
                                                                    std::max<std::uint64_t>(ticksPerSecond, 1);
    return nanoseconds >= latest - std::min(latest, toTick) ? latest : toTick + static_cast<Tick>(nanoseconds);
}

std::uint64_t monotonicNow() {
    timespec time{};
    clock_gettime(CLOCK_MONOTONIC, &time);
    return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000'000U + static_cast<std::uint64_t>(time.tv_nsec);
}

} // namespace laggard::recording
