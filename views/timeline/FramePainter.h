// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/timeline/TimelineView.h"

class QPainter;

namespace laggard {

/// The time axis on top.
void paintAxis(QPainter &painter, const TimelineView &view);

/// The labels of rows on the left.
void paintHeaders(QPainter &painter, const TimelineView &view, const std::vector<const TimelineRow *> &rows);

} // namespace laggard
