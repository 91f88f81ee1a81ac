// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/detail/TrackPyramid.h"

#include <optional>
#include <vector>

namespace laggard {

/// Which calls are to be drawn.
struct CallFilter {
    std::vector<bool> shown;       ///< by region; empty: all
    Tick minimumDuration = 0;      ///< only calls at least this long
    std::optional<TimeRange> time; ///< only calls that overlap this

    [[nodiscard]] bool isEmpty() const { return shown.empty() && minimumDuration == 0 && !time; }
    [[nodiscard]] bool shows(RegionId region) const { return shown.empty() || (region < shown.size() && shown[region]); }
};

/// A call, or in the innermost lane a piece of one, that is at least a pixel long, or never returned.
struct VisibleCall {
    std::uint32_t row = none; ///< in the track
    Tick start = 0;
    Tick end = 0;      ///< the end of the trace if it never returned
    bool open = false; ///< it never returned, and this is its end
};

/// What a pixel shows that holds calls shorter than itself. Shares are parts of the pixel's time.
struct PixelCell {
    struct Share {
        RegionId region = none;
        float part = 0; ///< 0 for calls that took no time
    };
    std::uint32_t pixel = 0;
    std::array<Share, DetailNode::mostFunctions> functions; ///< largest first
    float others = 0;                                       ///< inside further functions
    float unknown = 0; ///< inside calls of which it is not known whether the filter shows them

    [[nodiscard]] float covered() const { return functions[0].part + functions[1].part + functions[2].part + others + unknown; }
};

/// What one lane shows in a window.
struct LaneSample {
    std::vector<VisibleCall> calls; ///< in order of time
    std::vector<PixelCell> cells;   ///< in order of pixels; to be drawn over the calls
};

/// The lane of the innermost calls, in place of a depth.
inline constexpr std::uint32_t innermostLane = none;

/// What `lane` (a depth, or `innermostLane`) of a track shows in `window`, drawn `pixels` wide. Costs a few nodes and calls a
/// pixel, however long the track is.
///
/// Nodes that lie within one pixel are counted as they are; those across a border of pixels are divided down to half a pixel
/// (runs of 16 calls: one pixel) and from there in proportion, which moves at most an eighth (a quarter) of a pixel's time over a
/// border; where runs are longer than a pixel, single calls are looked at. In sum, and apart from borders, times and the three
/// largest functions are exact. Under a filter, nodes that are known to be shown or hidden whole are counted so; others are
/// divided while that takes no more than `mostStepsForFilter` steps a pixel; what is left is reported as `unknown`, never as
/// shown or hidden. In the innermost lane the time of a hidden call stays empty.
[[nodiscard]] LaneSample sampleLane(const Trace &trace, LocationIndex location, const TrackPyramid &pyramid, std::uint32_t lane,
                                    TimeRange window, std::uint32_t pixels, const CallFilter &filter);

inline constexpr std::uint32_t mostStepsForFilter = 32;

/// What the innermost lanes of several locations show on average: a cell for every pixel in which one of them is in a call.
[[nodiscard]] std::vector<PixelCell> averageCells(const Trace &trace, const TracePyramid &pyramid,
                                                  std::span<const LocationIndex> locations, TimeRange window,
                                                  std::uint32_t pixels, const CallFilter &filter);

} // namespace laggard
