// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/timeline/LaneJobs.h"

class QPainter;

namespace laggard {

/// True for devices that keep shapes (SVG, PDF), not pixels.
[[nodiscard]] bool keepsShapes(const QPainter &painter);

/// Draws a sampled lane for such a device: calls as shapes, runs of cells as images. Adds the labels of its calls to the job.
void drawShapes(QPainter &painter, LaneJob &job, const TimelineView &view, const LaneColours &colours);

} // namespace laggard
