// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/timeline/LaneRaster.h"
#include "views/timeline/TimelineView.h"

namespace laggard {

/// One lane to be drawn.
struct LaneJob {
    const TimelineRow *row = nullptr;
    std::uint32_t lane = innermostLane;
    QRectF place;
    QRgb background = 0;
    std::vector<PixelCell> group; ///< for a group's row: its pixels
    LaneSample sample;
    std::vector<LaneLabel> labels;
};

/// The lanes of these rows that are on the screen, nothing sampled yet.
[[nodiscard]] std::vector<LaneJob> laneJobs(const TimelineView &view, const std::vector<const TimelineRow *> &rows);

/// Works out what the lane shows, `pixels` wide.
void sampleJob(LaneJob &job, const TimelineView &view, const CallFilter &filter, std::uint32_t pixels);

/// The functions that sampled lanes show, largest area first.
[[nodiscard]] std::vector<RegionId> functionsOf(const std::vector<LaneJob> &jobs, const TimelineView &view);

/// Members of a closed group that stand for all: evenly spread over those that were read, at most `groupSample`.
[[nodiscard]] std::vector<LocationIndex> groupMembersShown(const Trace &trace, const RankSet &ranks);
inline constexpr std::size_t groupSample = 16;

/// Lanes of this height or more are set apart by a line of background.
inline constexpr double heightForGap = 7;

} // namespace laggard
