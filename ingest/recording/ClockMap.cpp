// SPDX-License-Identifier: GPL-3.0-or-later
#include "ingest/recording/ClockMap.h"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <utility>

namespace laggard::recording {

namespace {

/// Two clocks drift apart by no more than this. Quartz is good for 1e-4, and who keeps time (NTP) steers by 5e-4.
constexpr double mostDrift = 1e-3;

std::uint64_t shifted(std::uint64_t ticks, std::int64_t offset) {
    const auto shift = static_cast<std::uint64_t>(offset);
    if (offset < 0)
        return ticks - std::min(ticks, 0 - shift);
    return ticks > ~shift ? ~std::uint64_t{0} : ticks + shift;
}

double ticksBetween(std::uint64_t from, std::uint64_t to) { return static_cast<double>(to - from); }

} // namespace

ClockOffsets::ClockOffsets(std::vector<Measured> measured) : m_measured(std::move(measured)) {
    if (m_measured.size() > 2)
        m_measured.erase(m_measured.begin() + 1, m_measured.end() - 1);
    if (m_measured.size() != 2)
        return;
    const Measured &first = m_measured.front();
    const Measured &last = m_measured.back();
    const double apart = static_cast<double>(last.offset) - static_cast<double>(first.offset);
    // Both are wrong by half of their round trip at most, which looks like a drift where they are close to each other.
    const double uncertain = static_cast<double>(first.roundTrip / 2) + static_cast<double>(last.roundTrip / 2);
    const double between = last.ticks > first.ticks ? ticksBetween(first.ticks, last.ticks) : 0;
    if (std::abs(apart) < between && std::abs(apart) - uncertain <= mostDrift * between)
        return;
    m_measured.erase(first.roundTrip <= last.roundTrip ? m_measured.end() - 1 : m_measured.begin());
}

std::uint64_t ClockOffsets::operator()(std::uint64_t ticks) const {
    if (m_measured.empty())
        return ticks;
    const Measured &first = m_measured.front();
    const Measured &last = m_measured.back();
    if (ticks <= first.ticks)
        return shifted(ticks, first.offset);
    if (ticks >= last.ticks)
        return shifted(ticks, last.offset);
    const double part = ticksBetween(first.ticks, ticks) / ticksBetween(first.ticks, last.ticks);
    const auto more =
        static_cast<std::int64_t>(std::llround(part * (static_cast<double>(last.offset) - static_cast<double>(first.offset))));
    return shifted(ticks, first.offset + more);
}

Tick ClockMap::operator()(std::uint64_t ticks) const {
    if (!offsets.empty())
        ticks = offsets(ticks);
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
