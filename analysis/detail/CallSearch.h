// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/detail/TrackPyramid.h"

namespace laggard {

/// Ticks of `window` inside calls at this depth. Exact; logarithmic in the number of calls.
[[nodiscard]] Tick coveredTicks(const Track &track, const TrackPyramid &pyramid, std::uint32_t depth, TimeRange window);

/// How many calls at this depth begin in `window`. Logarithmic.
[[nodiscard]] std::size_t callsStarting(const Track &track, const TrackPyramid &pyramid, std::uint32_t depth, TimeRange window);

/// Time inside the call itself, outside its callees, up to the end of the trace if it never returned.
[[nodiscard]] Tick exclusiveTicks(const Trace &trace, const TrackPyramid &pyramid, LocationIndex location, std::uint32_t row);

enum class SearchDirection { Forward, Backward };

/// The first call of `region` that begins after row `row` of the track (Forward; from the beginning with `none`), or the last
/// that begins before it (Backward; from the end with `none`); `none` if there is none. Skips runs of calls in which the function
/// does not occur.
[[nodiscard]] std::uint32_t findCall(const Trace &trace, const TrackPyramid &pyramid, LocationIndex location, RegionId region,
                                     std::uint32_t row, SearchDirection direction);

/// The row from which to search for calls that begin after (Forward) or before (Backward) a time: `none` for all.
[[nodiscard]] std::uint32_t searchStart(const Track &track, Tick time, SearchDirection direction);

} // namespace laggard
