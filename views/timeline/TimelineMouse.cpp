// SPDX-License-Identifier: GPL-3.0-or-later
// What the mouse does in the timeline widget.
#include "views/timeline/TimelineWidget.h"

#include <QGuiApplication>
#include <QMenu>
#include <QMouseEvent>
#include <QScrollBar>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace laggard {
namespace {

constexpr double dragThreshold = 5; ///< pixels before a press is a drag
constexpr double grip = 6;          ///< pixels beside the cursor at which it is taken hold of

SelectMode modeOf(Qt::KeyboardModifiers modifiers) {
    if (modifiers.testFlag(Qt::ControlModifier))
        return SelectMode::Add;
    return modifiers.testFlag(Qt::ShiftModifier) ? SelectMode::Extend : SelectMode::Replace;
}

} // namespace

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
    else if (onAxis && m_button == Qt::LeftButton && m_cursor && std::abs(shown.axis().x(*m_cursor) - m_pressed.x()) <= grip)
        m_drag = Drag::Cursor;
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
    case Drag::Cursor:
        setCursorTime(std::clamp(time, m_zoomFilter.zoom().begin, m_zoomFilter.zoom().end));
        emit momentChosen(*m_cursor);
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
    if (hit.place == TimelineHit::Place::Axis && modifiers == Qt::NoModifier)
        emit momentChosen(*m_cursor);
    if (hit.place == TimelineHit::Place::Header && hit.row->kind == TimelineRow::Kind::Group) {
        m_rows.setGroupExpanded(hit.row->group, !hit.row->expanded);
        rowsChanged();
        return;
    }
    if (hit.onExpander) {
        m_rows.setThreadsShown(hit.row->ranks.front(), !hit.row->expanded);
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
    if (hit.unit != none && m_units) {
        const UnitSpans::Thread &thread = m_units->threads[hit.row->location];
        selection.time = TimeRange{thread.start[hit.unit], thread.finish[hit.unit]};
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
    if (hit.onExpander) // the first click has opened or closed it
        return;
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

} // namespace laggard
