// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/timeline/LaneLabels.h"
#include "views/timeline/TimelineView.h"

#include <QImage>

class QPainter;

namespace laggard {

/// Paints timelines, on screen and into files alike. Time depends on pixels and on the number of rows that are on the screen, not
/// on the trace. Keeps texts that were laid out and memory; has no other state.
class TimelinePainter {
  public:
    /// Rows, calls, messages, collectives, labels, axis and selection. The painter's device pixel ratio is respected; on devices
    /// that keep shapes (SVG, PDF) calls are shapes, and only what is shorter than a pixel is an image.
    void paint(QPainter &painter, const TimelineView &view);

    /// Has `paint` note which functions it drew; for legends.
    void setNotesShown(bool notes) { m_notesShown = notes; }
    /// The functions drawn by the last `paint`, largest area first.
    [[nodiscard]] const std::vector<RegionId> &shown() const { return m_shown; }

  private:
    void paintLanes(QPainter &painter, const TimelineView &view, const std::vector<const TimelineRow *> &rows);
    void paintPixels(QPainter &painter, const TimelineView &view, std::vector<LaneJob> &jobs);

    QImage m_image; ///< image of the lanes; new memory for every frame would cost a millisecond
    LaneLabels m_labels;
    bool m_notesShown = false;
    std::vector<RegionId> m_shown;
};

} // namespace laggard
