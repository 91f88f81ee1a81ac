// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/selection/ZoomFilterStack.h"
#include "views/timeline/OverviewPainter.h"

#include <QPixmap>
#include <QWidget>

#include <functional>

namespace laggard {

/// A strip over the whole trace: how much of their time ranks spend in MPI, the phases, the moment of the verdict, the cursor,
/// and the window that the timeline shows, which can be moved and stretched. Painted from shares that were worked out before, so
/// that nothing here takes longer for a larger trace.
///
/// Dragging the window moves it, its ends stretch it, a drag outside makes a new one; a click moves it there. The wheel zooms.
/// Keys: arrows move the window by a tenth of it, with Ctrl by all of it; with Shift they move its end, with Ctrl+Shift its
/// beginning; +/- zoom, Home and End go to the ends, 0 shows everything.
class OverviewStrip : public QWidget {
    Q_OBJECT

  public:
    explicit OverviewStrip(ZoomFilterStack &zoomFilter, QWidget *parent = nullptr);

    /// Another trace, or none: nothing is shown until `setShares`.
    void setTrace(TracePtr trace);
    void setShares(std::shared_ptr<const TimeShares> shares);
    /// `describe` names a phase by its number. `unusual`: the phase of the verdict, with `isLasting` the first of
    /// them.
    void setPhases(std::vector<TimeRange> phases, std::optional<std::size_t> unusual, bool isLasting,
                   std::function<QString(std::size_t)> describe);
    /// The moment that the verdict is about, and what to say of it.
    void setMark(const std::optional<Tick> &time, const QString &text, const QColor &colour);
    void setCursorTime(const std::optional<Tick> &time);
    /// Where time begins and ends, in pixels of the strip: as in the timeline below.
    void setPlot(int left, int right);
    [[nodiscard]] bool isEmpty() const { return !m_shares || m_shares->steps.empty(); }

    /// What is shown, as the painters take it.
    [[nodiscard]] OverviewPicture picture() const;
    /// What is at a place, for a tooltip: lines of plain text.
    [[nodiscard]] QStringList describeAt(QPointF at) const;

    [[nodiscard]] QSize sizeHint() const override;

  signals:
    /// There is something to show, or nothing any more.
    void contentChanged();
    /// A click, not a drag: also told to whoever keeps the cursor.
    void timeClicked(laggard::Tick time);

  protected:
    void paintEvent(QPaintEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void wheelEvent(QWheelEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void changeEvent(QEvent *event) override;
    void focusInEvent(QFocusEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;
    bool event(QEvent *event) override;

  private:
    enum class Part { None, Begin, End, Window, Outside };
    [[nodiscard]] Part partAt(QPointF at) const;
    void dragTo(double x);
    void stretch(double begin, double end);
    void groundChanged();
    void describeForAccessibility();

    ZoomFilterStack &m_zoomFilter;
    TracePtr m_trace;
    std::shared_ptr<const TimeShares> m_shares;
    std::vector<TimeRange> m_phases;
    std::optional<std::size_t> m_unusual;
    bool m_isLasting = false;
    std::function<QString(std::size_t)> m_describePhase;
    std::optional<Tick> m_mark;
    QString m_markText;
    QColor m_markColour;
    std::optional<Tick> m_cursor;
    int m_left = 0;
    int m_right = 0;
    QPixmap m_ground; ///< null when it must be painted anew

    Part m_drag = Part::None;
    bool m_moved = false;
    double m_pressed = 0;
    TimeRange m_windowBefore; ///< when the drag began
};

} // namespace laggard
