// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/timeline/TimelineView.h"

class QPainter;

namespace laggard {

/// Where the execution units of a row stand: a track at its foot. Null where the row is too low, or has none.
[[nodiscard]] QRectF unitTrack(const TimelineView &view, const TimelineRow &row);

/// The unit of the row that is in this pixel, a suspicious one before others, as a position in its thread's columns (UnitSpans);
/// `none`: there is none.
[[nodiscard]] std::uint32_t unitAt(const TimelineView &view, const TimelineRow &row, double x);

/// Paints the units of each row that is on the screen: grey, and those that are worth a look in vermilion and higher than the
/// others. The effort depends on pixels, not on the number of units.
void paintUnits(QPainter &painter, const TimelineView &view, const std::vector<const TimelineRow *> &rows);

} // namespace laggard
