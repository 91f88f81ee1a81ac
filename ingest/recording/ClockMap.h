// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/Ids.h"

#include <cstdint>
#include <vector>

namespace laggard::recording {

/// What another clock had more than that of a process, at one time or two. Between them on a straight line, before and after as
/// at the nearest.
class ClockOffsets {
  public:
    struct Measured {
        std::uint64_t ticks = 0;     ///< by the clock of the process
        std::int64_t offset = 0;     ///< nanoseconds that the other one had more
        std::uint64_t roundTrip = 0; ///< nanoseconds that it may be wrong by, at most, twice
    };
    ClockOffsets() = default;
    /// In order of time. What no two clocks do is left out: then the better measurement counts alone.
    explicit ClockOffsets(std::vector<Measured> measured);

    [[nodiscard]] bool empty() const { return m_measured.empty(); }
    /// The other clock at this moment.
    [[nodiscard]] std::uint64_t operator()(std::uint64_t ticks) const;

  private:
    std::vector<Measured> m_measured; ///< none, one or two
};

/// Turns the ticks of a process into those of the trace: nanoseconds since the job's start.
struct ClockMap {
    std::uint64_t fromTicks = 0; ///< ticks of the process, or by `offsets` of the clock that they lead to …
    Tick toTick = 0;             ///< … at this tick of the trace
    std::uint64_t ticksPerSecond = 1'000'000'000;
    Tick latest = openEnd - 1; ///< no event can be later
    ClockOffsets offsets = {};
    [[nodiscard]] Tick operator()(std::uint64_t ticks) const;
};

/// Now, in ticks of a recorder on this machine: nanoseconds of the clock that never steps.
[[nodiscard]] std::uint64_t monotonicNow();

} // namespace laggard::recording
