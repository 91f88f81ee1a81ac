// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/timeline/TimelineView.h"

class QPainter;

namespace laggard {

/// The parts of the picture of which the trace knows nothing, because its user asked for some ranks or some of the time only:
/// rows of ranks that were left out, joined where they touch, and the time before and after that read. Empty for whole traces.
[[nodiscard]] std::vector<QRectF> unreadPlaces(const TimelineView &view, const std::vector<const TimelineRow *> &rows);

/// Where the events of a rank or thread were lost: behind its last record, or all of the row if it has none. In pixels.
[[nodiscard]] std::vector<QRectF> lostPlaces(const TimelineView &view, const std::vector<const TimelineRow *> &rows);

/// Veils and hatches those parts, and says "not read" or "events lost": blank would mean that nothing happened there. Calls that
/// reach into them, which are known, shine through.
void paintUnread(QPainter &painter, const TimelineView &view, const std::vector<const TimelineRow *> &rows);

} // namespace laggard
