// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/timeline/TimelineView.h"

class QPainter;

namespace laggard {

/// What lies over the picture and changes with the pointer.
struct TimelineOverlay {
    std::optional<Tick> cursor;
    std::optional<TimeRange> ruler;
    std::optional<TimeRange> rubberBand; ///< about to be zoomed to
    bool hasFocus = false;
};

/// The time of the cursor, on the axis.
struct CursorBadge {
    QString text; ///< in the unit of the axis
    QRectF box;
    std::vector<QRectF> covered; ///< labels of the axis that it lies on: what is left of one could be read as another time
};
[[nodiscard]] std::optional<CursorBadge> cursorBadge(const TimelineView &view, const std::optional<Tick> &cursor);

/// The selected time, or a frame around the selected call.
void paintSelection(QPainter &painter, const TimelineView &view, const std::vector<const TimelineRow *> &rows);

void paintOverlay(QPainter &painter, const TimelineView &view, const TimelineOverlay &overlay);

} // namespace laggard
