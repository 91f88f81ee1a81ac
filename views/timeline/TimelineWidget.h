// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/detail/CallSearch.h"
#include "views/selection/SelectionModel.h"
#include "views/selection/ZoomFilterStack.h"
#include "views/timeline/FrameBudget.h"
#include "views/timeline/TimelineHit.h"
#include "views/timeline/TimelineMarks.h"
#include "views/timeline/TimelinePainter.h"

#include <QAbstractScrollArea>
#include <QPixmap>
#include <QTimer>

class QMenu;

namespace laggard {

class OverviewStrip;

/// The timeline of a window. Reads and writes the window's selection, zoom and filter; everything shown is handed in finished, so
/// nothing here takes longer for a larger trace.
///
/// Wheel zooms at the pointer (Ctrl: row height; Shift: moves in time); drag moves; Shift+drag or right drag zooms to a range;
/// drag on the axis selects a range, or moves the cursor where it begins at it; click selects (Ctrl adds, Shift extends); double
/// click zooms to a call, on a row label it opens or folds the row. Keys: W/S, +/- zoom; A/D, arrows move; Home/End, 0 fit, F
/// focus selection, M ruler, Ctrl+G / Ctrl+Shift+G next/previous occurrence of the selected function; Ctrl+arrows walk from rank
/// to rank and call to call; Escape lets go.
class TimelineWidget : public QAbstractScrollArea {
    Q_OBJECT

  public:
    TimelineWidget(SelectionModel &selection, ZoomFilterStack &zoomFilter, QWidget *parent = nullptr);

    /// Shows another trace, or none. The caller resets selection, zoom and filter.
    void setTrace(TracePtr trace, TracePyramidPtr pyramid);
    [[nodiscard]] const TracePtr &trace() const { return m_trace; }

    void setColours(const RegionColours &colours);
    /// What is drawn in the suspect's colour.
    void setSuspect(const Suspect &suspect);
    /// The strip over the whole trace, above the axis. Shown once it has something to show.
    [[nodiscard]] OverviewStrip &overview() { return *m_overview; }
    [[nodiscard]] const RegionColours &colours() const { return m_colours; }
    /// Without a value the theme follows the widget's palette.
    void setTheme(const std::optional<Theme> &theme);
    void setMessagesShown(bool shown);
    void setCollectivesShown(bool shown);
    /// The execution units that were judged; nullptr: none were.
    void setUnits(std::shared_ptr<const UnitSpans> units);
    void setUnitsShown(bool shown);
    /// Arrows of a race: solid what was taken, dashed what could have been.
    void setPossibleMessages(std::vector<PossibleMessage> messages);
    /// What a picture in a file says of its times; empty: they are as recorded.
    void setTimesNote(const QString &note) { m_timesNote = note; }

    [[nodiscard]] const RowModel &rows() const { return m_rows; }
    void setRowOrder(RowOrder order);
    void setNested(bool nested);
    /// Nested where names can be read then.
    void setNestedByRoom();
    void setPinned(const RankSet &ranks);
    /// Node of the progress-dependence graph by rank, for the order of rows.
    void setGraphNodes(std::vector<std::uint32_t> nodeOfRank);
    /// What ranks are grouped by where there are too many for a row each (RowModel::setClasses).
    void setClasses(std::vector<RankClass> classes);
    void setLaneHeight(double height);
    /// Chooses row heights so that names can be read and as many rows as possible fit; single lanes where there are many rows.
    void fitRows();

    void zoomToFit();
    /// Shows less time (`in`) or more, around the cursor if it is in sight, else around the middle.
    void zoomOneStep(bool in);
    void zoomTo(TimeRange range);
    /// Zooms to what is selected: its time, or the last call of its ranks.
    void focusSelection();
    /// Brings a stretch of time into the window, without changing the zoom more than is needed to see it.
    void showTime(laggard::TimeRange time);
    /// Selects a rank and scrolls to it.
    void goToRank(Rank rank);
    /// Scrolls to a rank, out of its group if need be, and selects nothing.
    void showRank(Rank rank);
    /// Selects the function and goes to its next occurrence.
    void goToFunction(RegionId region);
    /// Puts the cursor there and shows it.
    void goToTime(Tick time);
    /// Goes to the next call of the selected function on the selected ranks (all that are shown if none are); false if there is
    /// none.
    bool findOccurrence(SearchDirection direction);

    [[nodiscard]] std::optional<Tick> cursor() const { return m_cursor; }
    void setCursorTime(const std::optional<Tick> &time);
    [[nodiscard]] bool isRulerOn() const { return m_rulerOn; }
    void setRulerOn(bool on);
    [[nodiscard]] const std::optional<TimeRange> &ruler() const { return m_overlay.ruler; }

    /// What is shown, as the painter takes it; for export.
    [[nodiscard]] TimelineView view() const;

  signals:
    void cursorMoved(laggard::Tick time);
    /// The user asked for this moment: a click on the axis.
    void momentChosen(laggard::Tick time);
    void pinnedChanged(const laggard::RankSet &ranks);
    /// Something to say in a status line.
    void message(const QString &text);
    /// The user asked for a call's source: its function.
    void callActivated(laggard::CallPathId callPath, laggard::Rank rank);

  protected:
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void wheelEvent(QWheelEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void mouseDoubleClickEvent(QMouseEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void contextMenuEvent(QContextMenuEvent *event) override;
    void changeEvent(QEvent *event) override;
    void focusInEvent(QFocusEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;
    bool viewportEvent(QEvent *event) override;
    void scrollContentsBy(int dx, int dy) override;

  private:
    enum class Drag { None, Pressed, Pan, Zoom, Range, Ruler, Cursor };

    void placeOverview();
    void followDepths(); ///< pinned rows have the levels that are in view
    void refresh();      ///< what is shown has changed
    void paintPicture(); ///< coarse if it would keep the hand waiting
    void rowsChanged();  ///< the rows, and with them the scroll range, have changed
    void describeForAccessibility();
    void zoomBy(double factor, double x, bool merge);
    void panBy(double pixels);
    void startDrag(QPointF to);
    void click(const TimelineHit &hit, Qt::KeyboardModifiers modifiers);
    void doubleClick(const TimelineHit &hit);
    void select(const TimelineHit &hit, SelectMode mode);
    void selectCall(LocationIndex location, std::uint32_t row, SelectMode mode);
    void showCall(LocationIndex location, std::uint32_t row);
    // These are false where the key is none of theirs.
    bool zoomKey(int key, quint32 scanCode);
    bool stepKey(int key, Qt::KeyboardModifiers modifiers); ///< with Ctrl: from call to call, rank to rank
    bool placeKey(int key);                                 ///< to another part of the rows or of time
    bool commandKey(int key);
    void stepRank(int by);
    void stepCall(SearchDirection direction);
    void fillMenu(QMenu &menu, const TimelineHit &hit);
    void addFunctionActions(QMenu &menu, RegionId region);
    void addRankActions(QMenu &menu, const RankSet &ranks);
    void addViewActions(QMenu &menu);
    void hideFunction(RegionId region);
    void showOnly(RegionId region);
    void filterToRanks(const RankSet &ranks);

    SelectionModel &m_selection;
    ZoomFilterStack &m_zoomFilter;
    TracePtr m_trace;
    TracePyramidPtr m_pyramid;
    RowModel m_rows;
    RegionColours m_colours;
    std::optional<Theme> m_theme;
    Suspect m_suspect;
    OverviewStrip *m_overview;
    std::vector<PossibleMessage> m_possible;
    QString m_timesNote;
    bool m_messages = true;
    bool m_collectives = true;
    std::shared_ptr<const UnitSpans> m_units;
    bool m_unitsShown = true;

    TimelinePainter m_painter;
    QPixmap m_picture;        ///< all but the overlay; null when it must be painted anew
    QTimer m_refining;        ///< a coarse frame is shown: the whole one follows when nothing moves any more
    bool m_isRefined = false; ///< the next frame is the one that follows
    FrameBudget m_budget;
    TimelineOverlay m_overlay;
    std::optional<Tick> m_cursor;
    bool m_rulerOn = false;
    bool m_userRowHeight = false;
    double m_groupLabelWidth = 0; ///< pixels of the widest label of a group; 0: there are no groups

    Drag m_drag = Drag::None;
    Qt::MouseButton m_button = Qt::NoButton;
    QPointF m_pressed;
    QPointF m_last;
    Tick m_pressedTime = 0;
    bool m_menuAllowed = true;
};

} // namespace laggard
