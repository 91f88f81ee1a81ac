// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/timeline/TimelineView.h"

class QPainter;

namespace laggard {

/// The marks of the axis, and where the text of one is written.
[[nodiscard]] AxisMarks marksOf(const TimelineView &view);
[[nodiscard]] QRectF labelRect(const TimelineView &view, const AxisMarks &marks, const AxisMark &mark);

/// The time axis on top.
void paintAxis(QPainter &painter, const TimelineView &view);

/// The labels of rows on the left.
void paintHeaders(QPainter &painter, const TimelineView &view, const std::vector<const TimelineRow *> &rows);

} // namespace laggard
