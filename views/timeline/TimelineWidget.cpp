// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/TimelineWidget.h"

#include <QContextMenuEvent>
#include <QGuiApplication>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>
#include <array>
#include <cmath>

namespace laggard {
namespace {

constexpr double zoomStep = 1.4;           ///< of a key
constexpr double dragThreshold = 5;        ///< pixels before a press is a drag
constexpr std::size_t mostSearched = 4096; ///< locations, in a search for a function

/// Physical keys of W, A, S, D as X11 and Wayland number them; they are where they are on every layout.
constexpr quint32 scanW = 25;
constexpr quint32 scanA = 38;
constexpr quint32 scanS = 39;
constexpr quint32 scanD = 40;

SelectMode modeOf(Qt::KeyboardModifiers modifiers) {
    if (modifiers.testFlag(Qt::ControlModifier))
        return SelectMode::Add;
    return modifiers.testFlag(Qt::ShiftModifier) ? SelectMode::Extend : SelectMode::Replace;
}

} // namespace

TimelineWidget::TimelineWidget(SelectionModel &selection, ZoomFilterStack &zoomFilter, QWidget *parent)
    : QAbstractScrollArea(parent), m_selection(selection), m_zoomFilter(zoomFilter) {
    setFocusPolicy(Qt::StrongFocus);
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    viewport()->setMouseTracking(true);
    setMinimumSize(240, 120);
    setAccessibleName(tr("Timeline"));
    connect(&m_selection, &SelectionModel::changed, this, [this] {
        describeForAccessibility();
        refresh();
    });
    connect(&m_zoomFilter, &ZoomFilterStack::zoomChanged, this, &TimelineWidget::refresh);
    connect(&m_zoomFilter, &ZoomFilterStack::filterChanged, this, [this](const Filter &filter) {
        m_rows.setFilter(filter.ranks);
        rowsChanged();
    });
}

void TimelineWidget::setTrace(TracePtr trace, TracePyramidPtr pyramid) {
    m_trace = std::move(trace);
    m_pyramid = std::move(pyramid);
    m_rows = m_trace ? RowModel(m_trace, m_pyramid) : RowModel();
    m_colours = m_trace ? RegionColours(*m_trace) : RegionColours();
    m_overlay = {};
    m_cursor.reset();
    m_drag = Drag::None;
    m_userRowHeight = false;
    if (m_trace)
        m_rows.setFilter(m_zoomFilter.filter().ranks);
    verticalScrollBar()->setValue(0);
    fitRows();
    describeForAccessibility();
}

void TimelineWidget::setColours(const RegionColours &colours) {
    m_colours = colours;
    refresh();
}

void TimelineWidget::setTheme(const std::optional<Theme> &theme) {
    m_theme = theme;
    refresh();
}

void TimelineWidget::setMessagesShown(bool shown) {
    m_messages = shown;
    refresh();
}

void TimelineWidget::setCollectivesShown(bool shown) {
    m_collectives = shown;
    refresh();
}

void TimelineWidget::setRowOrder(RowOrder order) {
    m_rows.setOrder(order);
    rowsChanged();
}

void TimelineWidget::setNested(bool nested) {
    m_rows.setNested(nested);
    if (m_userRowHeight)
        rowsChanged();
    else
        fitRows();
}

void TimelineWidget::setPinned(const RankSet &ranks) {
    m_rows.setPinned(ranks);
    rowsChanged();
    emit pinnedChanged(m_rows.pinned());
}

void TimelineWidget::setGraphNodes(std::vector<std::uint32_t> nodeOfRank) {
    m_rows.setGraphNodes(std::move(nodeOfRank));
    rowsChanged();
}

void TimelineWidget::setLaneHeight(double height) {
    m_userRowHeight = true;
    m_rows.setLaneHeight(height);
    rowsChanged();
}

void TimelineWidget::fitRows() {
    if (m_trace)
        m_rows.setLaneHeight(m_rows.laneHeightFor(view().scrollRect().height()));
    rowsChanged();
}

TimelineView TimelineWidget::view() const {
    TimelineView view;
    view.trace = m_trace;
    view.pyramid = m_pyramid;
    view.rows = &m_rows;
    view.colours = &m_colours;
    view.theme = m_theme ? *m_theme : Theme::of(palette());
    view.font = font();
    view.window = m_zoomFilter.zoom();
    view.filter = m_zoomFilter.filter();
    view.selection = m_selection.current();
    view.messages = m_messages;
    view.collectives = m_collectives;
    view.area = viewport()->rect();
    const QFontMetricsF metrics(font());
    view.headerWidth =
        std::clamp(metrics.horizontalAdvance(QStringLiteral("rank 0000000")) + 30, 90.0, std::max(90.0, view.area.width() / 3));
    view.axisHeight = metrics.height() + 15;
    view.scrollY = verticalScrollBar()->value();
    return view;
}

void TimelineWidget::refresh() {
    m_picture = QPixmap();
    viewport()->update();
}

void TimelineWidget::rowsChanged() {
    const double room = m_trace ? view().scrollRect().height() : 0;
    verticalScrollBar()->setRange(0, std::max(0, static_cast<int>(std::ceil(m_rows.height() - room))));
    verticalScrollBar()->setPageStep(std::max(1, static_cast<int>(room)));
    verticalScrollBar()->setSingleStep(static_cast<int>(std::max(16.0, m_rows.laneHeight())));
    refresh();
}

void TimelineWidget::describeForAccessibility() {
    if (!m_trace) {
        setAccessibleDescription(tr("No trace"));
        return;
    }
    const Selection &selection = m_selection.current();
    QString text = tr("%L1 ranks").arg(m_trace->processes.size());
    if (!selection.ranks.empty())
        text += tr(", selected: ranks %1").arg(QString::fromStdString(describeRanges(selection.ranks)));
    if (selection.callPath < m_trace->callPaths.size())
        text += QStringLiteral(", ") + QString::fromStdString(m_trace->region(selection.callPath).name);
    else if (selection.region < m_trace->regions.size())
        text += QStringLiteral(", ") + QString::fromStdString(m_trace->regions[selection.region].name);
    setAccessibleDescription(text);
}

void TimelineWidget::paintEvent(QPaintEvent *) {
    QPainter painter(viewport());
    const TimelineView shown = view();
    if (!m_trace) {
        painter.fillRect(viewport()->rect(), shown.theme.background);
        painter.setPen(shown.theme.faintText);
        painter.drawText(viewport()->rect(), Qt::AlignCenter, tr("No trace"));
        return;
    }
    if (m_picture.isNull()) {
        const double scale = devicePixelRatioF();
        m_picture = QPixmap((QSizeF(viewport()->size()) * scale).toSize());
        m_picture.setDevicePixelRatio(scale);
        QPainter onPicture(&m_picture);
        m_painter.paint(onPicture, shown);
    }
    painter.drawPixmap(0, 0, m_picture);
    m_overlay.cursor = m_cursor;
    m_overlay.hasFocus = hasFocus();
    m_painter.paintOverlay(painter, shown, m_overlay);
}

void TimelineWidget::resizeEvent(QResizeEvent *event) {
    QAbstractScrollArea::resizeEvent(event);
    if (m_userRowHeight)
        rowsChanged();
    else
        fitRows();
}

void TimelineWidget::scrollContentsBy(int, int) { refresh(); }

void TimelineWidget::changeEvent(QEvent *event) {
    QAbstractScrollArea::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange)
        refresh();
}

void TimelineWidget::focusInEvent(QFocusEvent *event) {
    QAbstractScrollArea::focusInEvent(event);
    viewport()->update();
}

void TimelineWidget::focusOutEvent(QFocusEvent *event) {
    QAbstractScrollArea::focusOutEvent(event);
    viewport()->update();
}

bool TimelineWidget::viewportEvent(QEvent *event) {
    if (event->type() == QEvent::ToolTip && m_trace) {
        const auto *help = static_cast<QHelpEvent *>(event);
        const TimelineView shown = view();
        QStringList lines = describeHit(shown, hitTest(shown, help->pos()));
        if (lines.isEmpty()) {
            QToolTip::hideText();
        } else {
            for (QString &line : lines)
                line = line.toHtmlEscaped();
            lines.front() = QStringLiteral("<b>") + lines.front() + QStringLiteral("</b>");
            QToolTip::showText(help->globalPos(),
                               QStringLiteral("<p style='white-space:pre'>") + lines.join(QStringLiteral("<br>")) +
                                   QStringLiteral("</p>"),
                               viewport());
        }
        return true;
    }
    return QAbstractScrollArea::viewportEvent(event);
}

// --- zoom and movement ---

void TimelineWidget::zoomBy(double factor, double x, bool merge) {
    if (m_trace)
        m_zoomFilter.setZoom(view().axis().zoomed(factor, x, m_zoomFilter.whole()), merge);
}

void TimelineWidget::panBy(double pixels) {
    if (m_trace)
        m_zoomFilter.setZoom(view().axis().panned(pixels, m_zoomFilter.whole()), true);
}

void TimelineWidget::zoomToFit() { m_zoomFilter.setZoom(m_zoomFilter.whole()); }

void TimelineWidget::zoomTo(TimeRange range) { m_zoomFilter.setZoom(range); }

void TimelineWidget::focusSelection() {
    if (!m_trace)
        return;
    const Selection &selection = m_selection.current();
    std::optional<TimeRange> range = selection.time;
    if (!range && !selection.ranks.empty()) {
        const LocationEvents *events =
            selection.ranks.front() < m_trace->processes.size() ? m_trace->mainEvents(selection.ranks.front()) : nullptr;
        if (events != nullptr && !events->track.empty()) {
            const Track &track = events->track;
            const std::uint32_t open = track.innermostOpen();
            const std::uint32_t row = open != none ? open : static_cast<std::uint32_t>(track.size() - 1);
            // A call that never returned may fill the rest of the trace; its beginning is what there is to see.
            const Tick end = track.isOpen(row) ? std::min(m_trace->range.end, track.start[row] + m_zoomFilter.zoom().length() / 2)
                                               : track.end[row];
            range = TimeRange{track.start[row], std::max(track.start[row], end)};
        }
    }
    if (!range)
        return;
    const Tick around = std::max<Tick>(8, range->length() / 4);
    const TimeRange whole = m_zoomFilter.whole();
    m_zoomFilter.setZoom(
        {range->begin - std::min(around, range->begin - whole.begin), range->end + std::min(around, whole.end - range->end)});
    if (!selection.ranks.empty())
        showRank(selection.ranks.front());
}

void TimelineWidget::showRank(Rank rank) {
    m_rows.reveal(rank);
    rowsChanged();
    const TimelineRow *row = m_rows.rowOf(rank);
    if (row == nullptr)
        return;
    const double room = view().scrollRect().height();
    const double top = verticalScrollBar()->value();
    if (row->y < top || row->y + row->height > top + room)
        verticalScrollBar()->setValue(static_cast<int>(row->y - std::max(0.0, (room - row->height) / 2)));
}

void TimelineWidget::goToRank(Rank rank) {
    if (!m_trace || rank >= m_trace->processes.size())
        return;
    Selection selection;
    selection.ranks = {rank};
    m_selection.select(selection);
    showRank(rank);
}

void TimelineWidget::goToFunction(RegionId region) {
    if (!m_trace || region >= m_trace->regions.size())
        return;
    Selection selection;
    selection.ranks = m_selection.current().ranks;
    selection.region = region;
    m_selection.select(selection);
    findOccurrence(SearchDirection::Forward);
}

void TimelineWidget::goToTime(Tick time) {
    if (!m_trace)
        return;
    setCursorTime(std::clamp(time, m_trace->range.begin, m_trace->range.end));
    const TimeRange zoom = m_zoomFilter.zoom();
    if (*m_cursor >= zoom.begin && *m_cursor <= zoom.end)
        return;
    const Tick half = std::min(zoom.length() / 2, *m_cursor - m_zoomFilter.whole().begin);
    m_zoomFilter.setZoom({*m_cursor - half, *m_cursor - half + zoom.length()});
}

void TimelineWidget::setCursorTime(const std::optional<Tick> &time) {
    if (m_cursor == time)
        return;
    m_cursor = time;
    viewport()->update();
    if (m_cursor)
        emit cursorMoved(*m_cursor);
}

void TimelineWidget::setRulerOn(bool on) {
    m_rulerOn = on;
    if (!on)
        m_overlay.ruler.reset();
    viewport()->setCursor(on ? Qt::CrossCursor : Qt::ArrowCursor);
    viewport()->update();
    emit message(on ? tr("Ruler: drag to measure; M or Escape ends") : QString());
}

bool TimelineWidget::findOccurrence(SearchDirection direction) {
    if (!m_trace)
        return false;
    const Selection &selection = m_selection.current();
    RegionId region = selection.region;
    if (region == none && selection.callPath < m_trace->callPaths.size())
        region = m_trace->callPaths[selection.callPath].region;
    if (region >= m_trace->regions.size()) {
        emit message(tr("Select a function first"));
        return false;
    }
    RankSet ranks = selection.ranks;
    if (ranks.empty())
        for (const TimelineRow &row : m_rows.rows())
            ranks.insert(ranks.end(), row.ranks.begin(), row.ranks.end());
    std::sort(ranks.begin(), ranks.end());
    ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
    const bool forward = direction == SearchDirection::Forward;
    const Tick from = selection.time && selection.callPath != none ? selection.time->begin
                      : m_cursor                                   ? *m_cursor
                      : forward                                    ? m_zoomFilter.zoom().begin
                                                                   : m_zoomFilter.zoom().end;
    LocationIndex best = none;
    std::uint32_t bestRow = none;
    Tick bestStart = 0;
    for (std::size_t i = 0; i < std::min(ranks.size(), mostSearched); ++i) {
        const LocationIndex location = ranks[i] < m_trace->processes.size() ? m_trace->processes[ranks[i]].mainLocation : none;
        if (location == none || m_trace->locations[location].events.track.empty())
            continue;
        const Track &track = m_trace->locations[location].events.track;
        const std::uint32_t start = searchStart(track, from, direction);
        // Everything begins after, or before, that time: there is nothing to find in the other direction.
        if (!forward && track.start[0] >= from)
            continue;
        const std::uint32_t row = findCall(*m_trace, m_pyramid->tracks[location], location, region, start, direction);
        if (row == none)
            continue;
        const Tick at = track.start[row];
        if (best == none || (forward ? at < bestStart : at > bestStart)) {
            best = location;
            bestRow = row;
            bestStart = at;
        }
    }
    if (best == none) {
        emit message(forward ? tr("No later call of %1").arg(QString::fromStdString(m_trace->regions[region].name))
                             : tr("No earlier call of %1").arg(QString::fromStdString(m_trace->regions[region].name)));
        return false;
    }
    showCall(best, bestRow);
    return true;
}

/// Selects a call and brings it into the window, without changing the zoom more than is needed.
void TimelineWidget::showCall(LocationIndex location, std::uint32_t row) {
    const Track &track = m_trace->locations[location].events.track;
    const Tick begin = track.start[row];
    const TimeRange zoom = m_zoomFilter.zoom();
    // At least so wide that it can be seen: a thirtieth of the window.
    const Tick length = std::max<Tick>(1, shownEnd(track, row, m_trace->range.end) - begin);
    const Tick wanted = zoom.length() / 300 > length ? (length > openEnd / 30 ? zoom.length() : length * 30) : zoom.length();
    if (begin < zoom.begin || begin > zoom.end || wanted != zoom.length()) {
        const Tick before = std::min(wanted / 3, begin - m_zoomFilter.whole().begin);
        m_zoomFilter.setZoom({begin - before, begin - before + wanted});
    }
    selectCall(location, row, SelectMode::Replace);
    setCursorTime(begin);
    showRank(m_trace->locations[location].rank);
}

void TimelineWidget::selectCall(LocationIndex location, std::uint32_t row, SelectMode mode) {
    const Track &track = m_trace->locations[location].events.track;
    Selection selection;
    selection.ranks = {m_trace->locations[location].rank};
    selection.callPath = track.callPath[row];
    selection.region = m_trace->callPaths[selection.callPath].region;
    selection.time = TimeRange{track.start[row], std::max(track.start[row], shownEnd(track, row, m_trace->range.end))};
    m_selection.select(selection, mode);
}

// --- mouse ---

void TimelineWidget::wheelEvent(QWheelEvent *event) {
    const QPointF at = event->position();
    const QPoint angle = event->angleDelta();
    const TimelineView shown = view();
    event->accept();
    if (event->modifiers().testFlag(Qt::ControlModifier)) {
        setLaneHeight(m_rows.laneHeight() * std::pow(1.15, angle.y() / 120.0));
    } else if (event->modifiers().testFlag(Qt::ShiftModifier) || std::abs(angle.x()) > std::abs(angle.y())) {
        const int along = angle.x() != 0 ? angle.x() : angle.y();
        panBy(-along * shown.axis().width / 1200.0);
    } else if (at.x() < shown.axis().left) {
        verticalScrollBar()->setValue(verticalScrollBar()->value() - angle.y() / 2);
    } else {
        zoomBy(std::pow(1.25, -angle.y() / 120.0), at.x(), true);
    }
}

void TimelineWidget::mousePressEvent(QMouseEvent *event) {
    if (!m_trace ||
        (event->button() != Qt::LeftButton && event->button() != Qt::RightButton && event->button() != Qt::MiddleButton))
        return;
    m_drag = Drag::Pressed;
    m_button = event->button();
    m_pressed = event->position();
    m_last = m_pressed;
    m_pressedTime = view().axis().tick(m_pressed.x());
    m_menuAllowed = true;
}

void TimelineWidget::startDrag(QPointF to) {
    const TimelineView shown = view();
    const bool onAxis = m_pressed.y() < shown.axisRect().bottom();
    if (m_rulerOn && m_button == Qt::LeftButton)
        m_drag = Drag::Ruler;
    else if (m_button == Qt::RightButton ||
             (m_button == Qt::LeftButton && QGuiApplication::keyboardModifiers().testFlag(Qt::ShiftModifier)))
        m_drag = Drag::Zoom;
    else if (onAxis && m_button == Qt::LeftButton)
        m_drag = Drag::Range;
    else
        m_drag = Drag::Pan;
    m_last = m_drag == Drag::Pan ? m_pressed : to;
    if (m_drag == Drag::Pan)
        viewport()->setCursor(Qt::ClosedHandCursor);
}

void TimelineWidget::mouseMoveEvent(QMouseEvent *event) {
    if (m_drag == Drag::None || !m_trace)
        return;
    const QPointF to = event->position();
    if (m_drag == Drag::Pressed) {
        if ((to - m_pressed).manhattanLength() < dragThreshold)
            return;
        if (event->modifiers().testFlag(Qt::ShiftModifier) && m_button == Qt::LeftButton && !m_rulerOn)
            m_drag = Drag::Zoom;
        else
            startDrag(to);
    }
    const Tick time = view().axis().tick(to.x());
    const TimeRange range{std::min(m_pressedTime, time), std::max(m_pressedTime, time)};
    switch (m_drag) {
    case Drag::Pan: {
        panBy(m_last.x() - to.x());
        verticalScrollBar()->setValue(verticalScrollBar()->value() - static_cast<int>(std::lround(to.y() - m_last.y())));
        m_last = to;
        break;
    }
    case Drag::Zoom:
    case Drag::Range:
        m_overlay.rubberBand = range;
        break;
    case Drag::Ruler:
        m_overlay.ruler = range;
        break;
    default:
        break;
    }
    viewport()->update();
}

void TimelineWidget::mouseReleaseEvent(QMouseEvent *event) {
    if (!m_trace || event->button() != m_button || m_drag == Drag::None)
        return;
    const Drag drag = m_drag;
    m_drag = Drag::None;
    viewport()->setCursor(m_rulerOn ? Qt::CrossCursor : Qt::ArrowCursor);
    const std::optional<TimeRange> band = m_overlay.rubberBand;
    m_overlay.rubberBand.reset();
    m_menuAllowed = drag == Drag::Pressed;
    if (drag == Drag::Zoom && band && band->length() > 0) {
        m_zoomFilter.setZoom(*band);
    } else if (drag == Drag::Range && band) {
        Selection selection;
        selection.ranks = m_selection.current().ranks;
        selection.time = *band;
        m_selection.select(selection);
    } else if (drag == Drag::Pressed && m_button == Qt::LeftButton) {
        click(hitTest(view(), event->position()), event->modifiers());
    }
    if (m_button == Qt::RightButton && m_menuAllowed) {
        QMenu menu(this);
        fillMenu(menu, hitTest(view(), event->position()));
        menu.exec(event->globalPosition().toPoint());
    }
    viewport()->update();
}

void TimelineWidget::click(const TimelineHit &hit, Qt::KeyboardModifiers modifiers) {
    if (hit.place == TimelineHit::Place::Axis || hit.place == TimelineHit::Place::Row)
        setCursorTime(hit.time);
    if (hit.place == TimelineHit::Place::Header && hit.row->kind == TimelineRow::Kind::Group) {
        m_rows.setGroupExpanded(hit.row->group, !hit.row->expanded);
        rowsChanged();
        return;
    }
    select(hit, modeOf(modifiers));
}

void TimelineWidget::select(const TimelineHit &hit, SelectMode mode) {
    Selection selection;
    if (hit.message) {
        const Message known =
            hit.message->received ? m_trace->messageOfSend(hit.message->sender, hit.message->sendIndex) : Message{};
        selection.ranks = {m_trace->locations[hit.message->sender].rank};
        const Tick sent = m_trace->locations[hit.message->sender].events.sends.time[hit.message->sendIndex];
        selection.time = TimeRange{sent, sent};
        if (hit.message->received) {
            selection.ranks.push_back(m_trace->locations[known.receiver].rank);
            selection.time = TimeRange{std::min(sent, known.received), std::max(sent, known.received)};
        }
        std::sort(selection.ranks.begin(), selection.ranks.end());
        selection.ranks.erase(std::unique(selection.ranks.begin(), selection.ranks.end()), selection.ranks.end());
        m_selection.select(selection, mode);
        return;
    }
    if (hit.row == nullptr) {
        if (mode == SelectMode::Replace && hit.place == TimelineHit::Place::Nothing)
            m_selection.clear();
        return;
    }
    if (hit.call != none) {
        selectCall(hit.location, hit.call, mode);
        return;
    }
    selection.ranks = hit.row->ranks;
    std::sort(selection.ranks.begin(), selection.ranks.end());
    m_selection.select(selection, mode);
}

void TimelineWidget::mouseDoubleClickEvent(QMouseEvent *event) {
    if (!m_trace || event->button() != Qt::LeftButton)
        return;
    m_drag = Drag::None;
    doubleClick(hitTest(view(), event->position()));
}

void TimelineWidget::doubleClick(const TimelineHit &hit) {
    if (hit.place == TimelineHit::Place::Header && hit.row->kind == TimelineRow::Kind::Rank) {
        const Rank rank = hit.row->ranks.front();
        if (hit.row->expandable)
            m_rows.setThreadsShown(rank, !hit.row->expanded);
        else
            m_rows.toggleNested(rank);
        rowsChanged();
        return;
    }
    if (hit.place != TimelineHit::Place::Row)
        return;
    if (hit.call != none) {
        const Track &track = m_trace->locations[hit.location].events.track;
        const Tick begin = track.start[hit.call];
        const Tick end = std::max(begin, shownEnd(track, hit.call, m_trace->range.end));
        const Tick around = std::max<Tick>(4, (end - begin) / 10);
        const TimeRange whole = m_zoomFilter.whole();
        emit callActivated(track.callPath[hit.call], m_trace->locations[hit.location].rank);
        m_zoomFilter.setZoom({begin - std::min(around, begin - whole.begin), end + std::min(around, whole.end - end)});
    } else {
        zoomBy(1.0 / 16, view().axis().x(hit.time), false);
    }
}

// --- keys ---

bool TimelineWidget::zoomKey(int key, quint32 scanCode) {
    const double width = view().axis().width;
    const double centre = view().axis().left + width / 2;
    const double x = m_cursor && *m_cursor >= m_zoomFilter.zoom().begin && *m_cursor <= m_zoomFilter.zoom().end
                         ? view().axis().x(*m_cursor)
                         : centre;
    const bool letter = key >= Qt::Key_A && key <= Qt::Key_Z;
    // Where the platform tells which key it physically is, that counts, whatever letter the layout gives it.
    const bool physical = scanCode == scanW || scanCode == scanA || scanCode == scanS || scanCode == scanD;
    const auto is = [&](Qt::Key named, quint32 scan) {
        return physical ? scanCode == scan : (scanCode == 0 || !letter || named == key) && key == named;
    };
    if (is(Qt::Key_W, scanW) || key == Qt::Key_Plus || key == Qt::Key_Equal)
        zoomBy(1 / zoomStep, x, true);
    else if (is(Qt::Key_S, scanS) || key == Qt::Key_Minus)
        zoomBy(zoomStep, x, true);
    else if (is(Qt::Key_A, scanA) || key == Qt::Key_Left)
        panBy(-width / 6);
    else if (is(Qt::Key_D, scanD) || key == Qt::Key_Right)
        panBy(width / 6);
    else
        return false;
    return true;
}

void TimelineWidget::keyPressEvent(QKeyEvent *event) {
    if (!m_trace) {
        QAbstractScrollArea::keyPressEvent(event);
        return;
    }
    const int key = event->key();
    const Qt::KeyboardModifiers modifiers = event->modifiers() & ~Qt::KeypadModifier;
    const TimeRange whole = m_zoomFilter.whole();
    const Tick length = m_zoomFilter.zoom().length();
    event->accept();
    if (modifiers.testFlag(Qt::ControlModifier)) {
        if (key == Qt::Key_G)
            findOccurrence(modifiers.testFlag(Qt::ShiftModifier) ? SearchDirection::Backward : SearchDirection::Forward);
        else if (key == Qt::Key_Up || key == Qt::Key_Down)
            stepRank(key == Qt::Key_Up ? -1 : 1);
        else if (key == Qt::Key_Left || key == Qt::Key_Right)
            stepCall(key == Qt::Key_Left ? SearchDirection::Backward : SearchDirection::Forward);
        else
            QAbstractScrollArea::keyPressEvent(event);
        return;
    }
    if (modifiers.testFlag(Qt::AltModifier) || modifiers.testFlag(Qt::MetaModifier)) {
        event->ignore(); // Alt+arrows are the window's
        return;
    }
    if (zoomKey(key, event->nativeScanCode()))
        return;
    switch (key) {
    case Qt::Key_Up:
        verticalScrollBar()->triggerAction(QAbstractSlider::SliderSingleStepSub);
        break;
    case Qt::Key_Down:
        verticalScrollBar()->triggerAction(QAbstractSlider::SliderSingleStepAdd);
        break;
    case Qt::Key_PageUp:
        verticalScrollBar()->triggerAction(QAbstractSlider::SliderPageStepSub);
        break;
    case Qt::Key_PageDown:
        verticalScrollBar()->triggerAction(QAbstractSlider::SliderPageStepAdd);
        break;
    case Qt::Key_Home:
        m_zoomFilter.setZoom({whole.begin, whole.begin + length}, true);
        break;
    case Qt::Key_End:
        m_zoomFilter.setZoom({whole.end - length, whole.end}, true);
        break;
    case Qt::Key_0:
        zoomToFit();
        break;
    case Qt::Key_F:
        focusSelection();
        break;
    case Qt::Key_M:
        setRulerOn(!m_rulerOn);
        break;
    case Qt::Key_Return:
    case Qt::Key_Enter: {
        const Selection &selection = m_selection.current();
        if (selection.callPath != none && !selection.ranks.empty())
            emit callActivated(selection.callPath, selection.ranks.front());
        break;
    }
    case Qt::Key_Escape:
        if (m_drag != Drag::None) {
            m_drag = Drag::None;
            m_overlay.rubberBand.reset();
            viewport()->update();
        } else if (m_rulerOn) {
            setRulerOn(false);
        } else {
            m_selection.clear();
        }
        break;
    default:
        QAbstractScrollArea::keyPressEvent(event);
    }
}

void TimelineWidget::stepRank(int by) {
    // From row to row, in the order shown.
    std::vector<const TimelineRow *> ranks;
    for (const std::vector<TimelineRow> *rows : {&m_rows.pinnedRows(), &m_rows.rows()})
        for (const TimelineRow &row : *rows)
            if (row.kind != TimelineRow::Kind::Thread)
                ranks.push_back(&row);
    if (ranks.empty())
        return;
    const RankSet &selected = m_selection.current().ranks;
    std::size_t at = 0;
    const auto holds = [&selected](const TimelineRow *row) {
        return !selected.empty() && std::find(row->ranks.begin(), row->ranks.end(), selected.front()) != row->ranks.end();
    };
    const auto found = std::find_if(ranks.rbegin(), ranks.rend(), holds);
    if (found != ranks.rend()) {
        const auto position = static_cast<std::ptrdiff_t>(ranks.rend() - found) - 1 + by;
        at = static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(position, 0, static_cast<std::ptrdiff_t>(ranks.size()) - 1));
    }
    Selection selection;
    selection.ranks = ranks[at]->ranks;
    std::sort(selection.ranks.begin(), selection.ranks.end());
    const Rank first = selection.ranks.front();
    const bool isGroup = ranks[at]->kind == TimelineRow::Kind::Group;
    m_selection.select(selection);
    if (!isGroup)
        showRank(first);
}

void TimelineWidget::stepCall(SearchDirection direction) {
    const Selection &selection = m_selection.current();
    const Rank rank =
        selection.ranks.empty() ? (m_rows.rows().empty() ? none : m_rows.rows().front().ranks.front()) : selection.ranks.front();
    const LocationIndex location = rank < m_trace->processes.size() ? m_trace->processes[rank].mainLocation : none;
    if (location == none || m_trace->locations[location].events.track.empty())
        return;
    const Track &track = m_trace->locations[location].events.track;
    const TrackPyramid &pyramid = m_pyramid->tracks[location];
    const bool onCall = selection.callPath < m_trace->callPaths.size() && selection.time;
    const Tick at = onCall ? selection.time->begin : m_cursor.value_or(m_zoomFilter.zoom().begin);
    std::uint32_t depth = pyramid.depthCount() - 1;
    if (onCall) {
        depth = std::min(m_trace->callPaths[selection.callPath].depth, depth);
    } else if (const std::uint32_t row = track.innermostAt(at); row != none) {
        showCall(location, row);
        return;
    }
    const std::span<const std::uint32_t> rows = pyramid.rowsAtDepth(depth);
    if (direction == SearchDirection::Forward) {
        const auto next = std::partition_point(rows.begin(), rows.end(), [&](std::uint32_t r) { return track.start[r] <= at; });
        if (next != rows.end())
            showCall(location, *next);
    } else {
        const auto next = std::partition_point(rows.begin(), rows.end(), [&](std::uint32_t r) { return track.start[r] < at; });
        if (next != rows.begin())
            showCall(location, *(next - 1));
    }
}

// --- menu ---

void TimelineWidget::contextMenuEvent(QContextMenuEvent *event) {
    // The mouse's menu comes with the release of the button, as its press may begin a drag.
    if (event->reason() == QContextMenuEvent::Mouse || !m_trace)
        return;
    TimelineHit hit;
    const Selection &selection = m_selection.current();
    if (!selection.ranks.empty())
        hit.row = m_rows.rowOf(selection.ranks.front());
    QMenu menu(this);
    fillMenu(menu, hit);
    menu.exec(mapToGlobal(QPoint(width() / 2, height() / 2)));
}

void TimelineWidget::hideFunction(RegionId region) {
    Filter filter = m_zoomFilter.filter();
    const auto place = std::lower_bound(filter.hiddenRegions.begin(), filter.hiddenRegions.end(), region);
    if (place == filter.hiddenRegions.end() || *place != region)
        filter.hiddenRegions.insert(place, region);
    m_zoomFilter.setFilter(filter);
}

void TimelineWidget::showOnly(RegionId region) {
    Filter filter = m_zoomFilter.filter();
    filter.onlyRegions = {region};
    m_zoomFilter.setFilter(filter);
}

void TimelineWidget::filterToRanks(const RankSet &ranks) {
    Filter filter = m_zoomFilter.filter();
    filter.ranks = ranks;
    m_zoomFilter.setFilter(filter);
}

void TimelineWidget::fillMenu(QMenu &menu, const TimelineHit &hit) {
    const Selection selection = m_selection.current();
    RegionId region = selection.region;
    if (hit.call != none)
        region = m_trace->callPaths[m_trace->locations[hit.location].events.track.callPath[hit.call]].region;
    else if (hit.cell)
        region = hit.cell->functions[0].region;
    if (hit.call != none)
        menu.addAction(tr("Zoom to this call"), this, [this, hit] { doubleClick(hit); });
    if (!selection.isEmpty())
        menu.addAction(tr("Zoom to the selection\tF"), this, &TimelineWidget::focusSelection);
    menu.addAction(tr("Show the whole trace\t0"), this, &TimelineWidget::zoomToFit);
    if (m_zoomFilter.canUndo())
        menu.addAction(tr("Undo zoom or filter"), &m_zoomFilter, &ZoomFilterStack::undo);
    menu.addSeparator();
    if (region < m_trace->regions.size()) {
        const QString name = fontMetrics()
                                 .elidedText(QString::fromStdString(m_trace->regions[region].name), Qt::ElideMiddle, 260)
                                 .replace(QLatin1Char('&'), QStringLiteral("&&"));
        menu.addAction(tr("Hide %1").arg(name), this, [this, region] { hideFunction(region); });
        menu.addAction(tr("Show only %1").arg(name), this, [this, region] { showOnly(region); });
        menu.addAction(tr("Select %1 everywhere").arg(name), this, [this, region] {
            Selection all;
            all.region = region;
            m_selection.select(all);
        });
        menu.addSeparator();
    }
    RankSet ranks = selection.ranks;
    if (ranks.empty() && hit.row != nullptr) {
        ranks = hit.row->ranks;
        std::sort(ranks.begin(), ranks.end());
    }
    if (!ranks.empty()) {
        const QString names = QString::fromStdString(describeRanges(ranks, 3));
        menu.addAction(tr("Show only ranks %1").arg(names), this, [this, ranks] { filterToRanks(ranks); });
        const bool pinned = std::includes(m_rows.pinned().begin(), m_rows.pinned().end(), ranks.begin(), ranks.end());
        menu.addAction(pinned ? tr("Unpin ranks %1").arg(names) : tr("Pin ranks %1 on top").arg(names), this,
                       [this, ranks, pinned] {
                           RankSet all;
                           if (pinned)
                               std::set_difference(m_rows.pinned().begin(), m_rows.pinned().end(), ranks.begin(), ranks.end(),
                                                   std::back_inserter(all));
                           else
                               std::set_union(m_rows.pinned().begin(), m_rows.pinned().end(), ranks.begin(), ranks.end(),
                                              std::back_inserter(all));
                           setPinned(all);
                       });
    }
    if (!m_zoomFilter.filter().isEmpty())
        menu.addAction(tr("Remove all filters"), this, [this] { m_zoomFilter.setFilter({}); });
    menu.addSeparator();
    QMenu *order = menu.addMenu(tr("Order of rows"));
    const std::array<std::pair<RowOrder, QString>, 4> orders = {{{RowOrder::Rank, tr("By rank")},
                                                                 {RowOrder::Node, tr("By host")},
                                                                 {RowOrder::GraphNode, tr("By state in the dependence graph")},
                                                                 {RowOrder::LastEvent, tr("By last event")}}};
    for (const auto &[value, text] : orders) {
        QAction *action = order->addAction(text, this, [this, value = value] { setRowOrder(value); });
        action->setCheckable(true);
        action->setChecked(m_rows.order() == value);
    }
    const auto toggle = [&](const QString &text, bool on, auto change) {
        QAction *action = menu.addAction(text, this, change);
        action->setCheckable(true);
        action->setChecked(on);
    };
    toggle(tr("Nested calls"), m_rows.isNested(), [this] { setNested(!m_rows.isNested()); });
    toggle(tr("Message arrows"), m_messages, [this] { setMessagesShown(!m_messages); });
    toggle(tr("Collectives"), m_collectives, [this] { setCollectivesShown(!m_collectives); });
    toggle(tr("Ruler\tM"), m_rulerOn, [this] { setRulerOn(!m_rulerOn); });
}

} // namespace laggard
