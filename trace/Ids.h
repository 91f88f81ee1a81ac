// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <limits>

namespace laggard {

/// A time stamp or duration in clock ticks of the trace (`Clock::ticksPerSecond`), absolute as recorded.
using Tick = std::uint64_t;

/// Number of a process in MPI_COMM_WORLD; without MPI, the order of the processes in the trace.
using Rank = std::uint32_t;

/// Positions in the tables of a Trace. All tables are dense; `none` marks "no such entry".
using RegionId = std::uint32_t;
using CallPathId = std::uint32_t;
using LocationIndex = std::uint32_t;
using CommunicatorId = std::uint32_t;
using SystemNodeId = std::uint32_t;
using CallSiteId = std::uint32_t;

inline constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

/// End of a call that had not returned when the trace ended.
inline constexpr Tick openEnd = std::numeric_limits<Tick>::max();

} // namespace laggard
