// SPDX-License-Identifier: GPL-3.0-or-later
// What the keys do in the timeline widget.
#include "views/timeline/TimelineWidget.h"

#include <QKeyEvent>
#include <QScrollBar>

#include <algorithm>

namespace laggard {
namespace {

constexpr double zoomStep = 1.4; ///< zoom factor of one key press

/// Physical keys of W, A, S, D as X11 and Wayland number them; they are where they are on every layout.
constexpr quint32 scanW = 25;
constexpr quint32 scanA = 38;
constexpr quint32 scanS = 39;
constexpr quint32 scanD = 40;

} // namespace

void TimelineWidget::zoomOneStep(bool in) { (void)zoomKey(in ? Qt::Key_Plus : Qt::Key_Minus, 0); }

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
    event->accept();
    if (modifiers.testFlag(Qt::ControlModifier)) {
        if (!stepKey(key, modifiers))
            QAbstractScrollArea::keyPressEvent(event);
    } else if (modifiers.testFlag(Qt::AltModifier) || modifiers.testFlag(Qt::MetaModifier)) {
        event->ignore(); // Alt+arrows are the window's
    } else if (!zoomKey(key, event->nativeScanCode()) && !placeKey(key) && !commandKey(key)) {
        QAbstractScrollArea::keyPressEvent(event);
    }
}

bool TimelineWidget::stepKey(int key, Qt::KeyboardModifiers modifiers) {
    if (key == Qt::Key_G)
        findOccurrence(modifiers.testFlag(Qt::ShiftModifier) ? SearchDirection::Backward : SearchDirection::Forward);
    else if (key == Qt::Key_Up || key == Qt::Key_Down)
        stepRank(key == Qt::Key_Up ? -1 : 1);
    else if (key == Qt::Key_Left || key == Qt::Key_Right)
        stepCall(key == Qt::Key_Left ? SearchDirection::Backward : SearchDirection::Forward);
    else
        return false;
    return true;
}

bool TimelineWidget::placeKey(int key) {
    const TimeRange whole = m_zoomFilter.whole();
    const Tick length = m_zoomFilter.zoom().length();
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
    default:
        return false;
    }
    return true;
}

bool TimelineWidget::commandKey(int key) {
    switch (key) {
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
        return false;
    }
    return true;
}

} // namespace laggard
