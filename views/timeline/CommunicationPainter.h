// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/timeline/TimelineView.h"

class QPainter;

namespace laggard {

/// The arrows of messages, with a note where not all are drawn.
void paintMessages(QPainter &painter, const TimelineView &view, const std::vector<const TimelineRow *> &rows);

/// Collective operations as bands over their members' rows.
void paintCollectives(QPainter &painter, const TimelineView &view, const std::vector<const TimelineRow *> &rows);

} // namespace laggard
