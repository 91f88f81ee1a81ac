// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/detail/LaneSample.h"
#include "analysis/units/JudgeUnits.h"
#include "views/selection/Selection.h"
#include "views/selection/ZoomFilterStack.h"
#include "views/theme/RegionColours.h"
#include "views/theme/Theme.h"
#include "views/timeline/PossibleMessage.h"
#include "views/timeline/RowModel.h"
#include "views/timeline/TimeAxis.h"

#include <QFont>
#include <QRectF>
#include <QString>

#include <algorithm>
#include <memory>
#include <vector>

namespace laggard {

/// What the verdict names: calls of one function on some ranks, in the time that it speaks of.
struct Suspect {
    RankSet ranks;
    RegionId region = none;          ///< `none`: nothing is named
    TimeRange during = {0, openEnd}; ///< calls outside are as those of other ranks
    [[nodiscard]] bool has(const RankSet &of) const {
        return region != none && of.size() == 1 && std::binary_search(ranks.begin(), ranks.end(), of.front());
    }
    bool operator==(const Suspect &) const = default;
};

/// What a timeline shows and where: what the painter paints and what a click means are read from the same one. Lengths are pixels
/// of the painter. The row model and colours must outlive it.
struct TimelineView {
    TracePtr trace;
    TracePyramidPtr pyramid;
    const RowModel *rows = nullptr;
    const RegionColours *colours = nullptr;
    Theme theme = Theme::light();
    QFont font;

    TimeRange window; ///< the stretch of time that is shown
    Filter filter;
    Selection selection;
    Suspect suspect;                        ///< in vermilion, whatever the function's own colour
    std::vector<PossibleMessage> possible;  ///< those of the race that is looked at
    std::shared_ptr<const UnitSpans> units; ///< nullptr: not shown
    QString timesNote;                      ///< what times these are, where they are not as recorded; for pictures in files
    bool messages = true;
    bool collectives = true;
    bool advice = true; ///< says how to see more; not in files, where nothing can be done
    int coarse = 1;     ///< pixels that each column of the lanes stands for: of frames that must be quick more than one

    QRectF area;              ///< everything
    double headerWidth = 110; ///< row labels, on the left
    double axisHeight = 30;   ///< time axis, on top
    double scrollY = 0;       ///< how far the scrolling rows are scrolled

    [[nodiscard]] TimeAxis axis() const { return {window, area.left() + headerWidth, std::max(1.0, area.width() - headerWidth)}; }
    [[nodiscard]] QRectF axisRect() const {
        return {area.left() + headerWidth, area.top(), area.width() - headerWidth, axisHeight};
    }
    /// Area of all rows, labels not included.
    [[nodiscard]] QRectF plotRect() const { return area.adjusted(headerWidth, axisHeight, 0, 0); }
    /// Height of the pinned rows; at most half the room.
    [[nodiscard]] double pinnedHeight() const;
    /// Area of the rows that scroll, labels not included.
    [[nodiscard]] QRectF scrollRect() const { return plotRect().adjusted(0, pinnedHeight(), 0, 0); }
    [[nodiscard]] QRectF pinnedRect() const;

    /// Where a row of the model begins on the screen.
    [[nodiscard]] double topOf(const TimelineRow &row) const {
        return row.pinned ? area.top() + axisHeight + row.y : area.top() + axisHeight + pinnedHeight() + row.y - scrollY;
    }
    /// Height of each lane of a row.
    [[nodiscard]] static double laneHeight(const TimelineRow &row) {
        return row.lanes.empty() ? row.height : row.height / static_cast<double>(row.lanes.size());
    }
    /// The triangle in the label of a row that can be opened, with room for a finger around it.
    [[nodiscard]] QRectF expanderRect(const TimelineRow &row) const;
    /// The row at a height on the screen; nullptr where there is none.
    [[nodiscard]] const TimelineRow *rowAt(double y) const;
    /// The rows that are on the screen at least in part, pinned ones first.
    [[nodiscard]] std::vector<const TimelineRow *> visibleRows() const;
    /// Where the calls of a location at this depth are: the middle of the lane. No value if it has no row.
    [[nodiscard]] std::optional<double> laneCentre(LocationIndex location, std::uint32_t depth) const;
};

/// The filter in terms of the level of detail.
[[nodiscard]] CallFilter callFilter(const Filter &filter, const Trace &trace);

} // namespace laggard
