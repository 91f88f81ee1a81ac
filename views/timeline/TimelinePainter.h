// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/timeline/TimelineView.h"

#include <QHash>
#include <QImage>
#include <QStaticText>

class QPainter;

namespace laggard {

struct LaneColours;
struct LaneJob;
struct LaneLabel;

/// What lies over the picture and changes with the pointer.
struct TimelineOverlay {
    std::optional<Tick> cursor;
    std::optional<TimeRange> ruler;
    std::optional<TimeRange> rubberBand; ///< about to be zoomed to
    bool hasFocus = false;
};

/// Paints timelines, on screen and into files alike. Time depends on pixels and on the number of rows that are on the screen, not
/// on the trace. Keeps texts that were laid out and memory; has no other state.
class TimelinePainter {
  public:
    /// Rows, calls, messages, collectives, labels, axis and selection. The painter's device pixel ratio is respected; on devices
    /// that keep shapes (SVG, PDF) calls are shapes, and only what is shorter than a pixel is an image.
    void paint(QPainter &painter, const TimelineView &view);
    void paintOverlay(QPainter &painter, const TimelineView &view, const TimelineOverlay &overlay) const;

    /// Has `paint` note which functions it drew; for legends.
    void setNotesShown(bool notes) { m_notesShown = notes; }
    /// The functions drawn by the last `paint`, largest area first.
    [[nodiscard]] const std::vector<RegionId> &shown() const { return m_shown; }

    /// Arrows are drawn of all messages where there are no more than this many in the window, else of the selected ranks'.
    static constexpr std::size_t sparseMessages = 400;
    static constexpr std::size_t mostMessages = 4000;
    /// So many members of a closed group stand for all.
    static constexpr std::size_t groupSample = 16;

  private:
    struct LabelJob;

    void paintRows(QPainter &painter, const TimelineView &view, const std::vector<const TimelineRow *> &rows);
    void paintLabels(QPainter &painter, const std::vector<LabelJob> &jobs, const TimelineView &view);
    void noteShown(const std::vector<LaneJob> &jobs, const TimelineView &view);
    void paintAxis(QPainter &painter, const TimelineView &view) const;
    void paintHeaders(QPainter &painter, const TimelineView &view, const std::vector<const TimelineRow *> &rows) const;
    void paintHeader(QPainter &painter, const TimelineView &view, const TimelineRow &row) const;
    void paintSelection(QPainter &painter, const TimelineView &view, const std::vector<const TimelineRow *> &rows) const;

    QImage m_image;                      ///< of the lanes; new memory for every frame would cost a millisecond
    QHash<quint64, QStaticText> m_texts; ///< by region, room and size
    const Trace *m_textsOf = nullptr;
    bool m_notesShown = false;
    std::vector<RegionId> m_shown;
};

} // namespace laggard
