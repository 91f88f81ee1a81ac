// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/OverviewStrip.h"

#include "trace/TicksOf.h"
#include "views/picture/PictureText.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace laggard {
namespace {

constexpr int stripHeight = 50;
constexpr double endGrip = 6;            ///< pixels beside an end of the window at which it is taken hold of
constexpr double stripDragThreshold = 3; ///< pixels before a press is a drag
constexpr double stripKeyStep = 0.1;     ///< share of the window
constexpr double markReach = 7;          ///< pixels beside the mark that its tooltip holds for

} // namespace

OverviewStrip::OverviewStrip(ZoomFilterStack &zoomFilter, QWidget *parent) : QWidget(parent), m_zoomFilter(zoomFilter) {
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setAccessibleName(tr("Overview of the whole trace"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(&m_zoomFilter, &ZoomFilterStack::zoomChanged, this, [this] {
        describeForAccessibility();
        update();
    });
}

QSize OverviewStrip::sizeHint() const { return {400, stripHeight}; }

void OverviewStrip::setTrace(TracePtr trace) {
    m_trace = std::move(trace);
    m_shares.reset();
    m_phases.clear();
    m_unusual.reset();
    m_mark.reset();
    m_cursor.reset();
    m_drag = Part::None;
    groundChanged();
    emit contentChanged();
}

void OverviewStrip::setShares(std::shared_ptr<const TimeShares> shares) {
    m_shares = std::move(shares);
    groundChanged();
    describeForAccessibility();
    emit contentChanged();
}

void OverviewStrip::setPhases(std::vector<TimeRange> phases, std::optional<std::size_t> unusual, bool isLasting,
                              std::function<QString(std::size_t)> describe) {
    m_phases = std::move(phases);
    m_unusual = unusual;
    m_isLasting = isLasting;
    m_describePhase = std::move(describe);
    groundChanged();
}

void OverviewStrip::setMark(const std::optional<Tick> &time, const QString &text, const QColor &colour) {
    m_mark = time;
    m_markText = text;
    m_markColour = colour;
    describeForAccessibility();
    update();
}

void OverviewStrip::setCursorTime(const std::optional<Tick> &time) {
    if (time == m_cursor)
        return;
    m_cursor = time;
    update();
}

void OverviewStrip::setPlot(int left, int right) {
    if (left == m_left && right == m_right)
        return;
    m_left = left;
    m_right = right;
    groundChanged();
}

OverviewPicture OverviewStrip::picture() const {
    OverviewPicture picture;
    picture.shares = m_shares;
    picture.phases = m_phases;
    picture.unusual = m_unusual;
    picture.isLasting = m_isLasting;
    picture.mark = m_mark;
    picture.markColour = m_markColour;
    picture.window = m_zoomFilter.zoom();
    picture.cursor = m_cursor;
    picture.ofMpi = !m_trace || !m_trace->enqueues;
    picture.theme = Theme::of(palette());
    picture.font = font();
    picture.area = rect();
    picture.left = m_left;
    picture.right = m_right > m_left ? m_right : width();
    picture.hasFocus = hasFocus();
    return picture;
}

void OverviewStrip::groundChanged() {
    m_ground = QPixmap();
    update();
}

void OverviewStrip::describeForAccessibility() {
    if (!m_trace || isEmpty()) {
        setAccessibleDescription(tr("No trace"));
        return;
    }
    const TimeRange window = m_zoomFilter.zoom();
    QString text = tr("Shown: %1 to %2 of %3")
                       .arg(formatDuration(m_trace->seconds(window.begin)), formatDuration(m_trace->seconds(window.end)),
                            formatDuration(m_trace->durationSeconds()));
    if (m_mark)
        text += QStringLiteral(". ") + m_markText;
    setAccessibleDescription(text);
}

void OverviewStrip::paintEvent(QPaintEvent *) {
    QPainter painter(this);
    const OverviewPicture shown = picture();
    if (m_ground.isNull()) {
        const double scale = devicePixelRatioF();
        m_ground = QPixmap((QSizeF(size()) * scale).toSize());
        m_ground.setDevicePixelRatio(scale);
        QPainter onGround(&m_ground);
        paintOverviewGround(onGround, shown);
    }
    painter.drawPixmap(0, 0, m_ground);
    paintOverviewMarks(painter, shown);
}

OverviewStrip::Part OverviewStrip::partAt(QPointF at) const {
    if (isEmpty())
        return Part::None;
    const QRectF window = picture().windowRect();
    const double inner = std::min(endGrip, window.width() / 4); // a narrow window can still be moved
    if (at.x() >= window.left() - endGrip && at.x() <= window.left() + inner)
        return Part::Begin;
    if (at.x() >= window.right() - inner && at.x() <= window.right() + endGrip)
        return Part::End;
    return at.x() > window.left() && at.x() < window.right() ? Part::Window : Part::Outside;
}

void OverviewStrip::stretch(double begin, double end) {
    const TimeRange whole = m_zoomFilter.whole();
    const auto tick = [&whole](double time) { return std::clamp(ticksOf(time), whole.begin, whole.end); };
    m_zoomFilter.setZoom({tick(std::min(begin, end)), tick(std::max(begin, end))}, true);
}

void OverviewStrip::dragTo(double x) {
    const TimeAxis axis = picture().axis();
    const double by = (x - m_pressed) / axis.pixelsPerTick();
    const auto begin = static_cast<double>(m_windowBefore.begin);
    const auto end = static_cast<double>(m_windowBefore.end);
    switch (m_drag) {
    case Part::Begin:
        return stretch(begin + by, end);
    case Part::End:
        return stretch(begin, end + by);
    case Part::Outside:
        return stretch(static_cast<double>(axis.tick(m_pressed)), static_cast<double>(axis.tick(x)));
    case Part::Window:
        break;
    case Part::None:
        return;
    }
    const TimeRange whole = m_zoomFilter.whole();
    const double most = static_cast<double>(whole.end) - (end - begin);
    const double from =
        std::clamp(begin + by, static_cast<double>(whole.begin), std::max(static_cast<double>(whole.begin), most));
    const auto first = static_cast<Tick>(from);
    m_zoomFilter.setZoom({first, first + m_windowBefore.length()}, true); // the length stays, to the tick
}

void OverviewStrip::mousePressEvent(QMouseEvent *event) {
    if (event->button() != Qt::LeftButton || isEmpty())
        return;
    m_drag = event->modifiers().testFlag(Qt::ShiftModifier) ? Part::Outside : partAt(event->position());
    m_moved = false;
    m_pressed = event->position().x();
    m_windowBefore = m_zoomFilter.zoom();
}

void OverviewStrip::mouseMoveEvent(QMouseEvent *event) {
    const double x = event->position().x();
    if (m_drag == Part::None) {
        const Part part = partAt(event->position());
        setCursor(part == Part::Begin || part == Part::End ? Qt::SizeHorCursor
                  : part == Part::Window                   ? Qt::OpenHandCursor
                                                           : Qt::ArrowCursor);
        return;
    }
    m_moved = m_moved || std::abs(x - m_pressed) >= stripDragThreshold;
    if (m_moved)
        dragTo(x);
}

void OverviewStrip::mouseReleaseEvent(QMouseEvent *event) {
    if (event->button() != Qt::LeftButton || m_drag == Part::None)
        return;
    const Part part = std::exchange(m_drag, Part::None);
    if (m_moved || part != Part::Outside)
        return;
    const Tick time = picture().axis().tick(event->position().x());
    const auto half = static_cast<double>(m_windowBefore.length()) / 2;
    m_pressed = 0;
    m_drag = Part::Window;
    dragTo((static_cast<double>(time) - half - static_cast<double>(m_windowBefore.begin)) * picture().axis().pixelsPerTick());
    m_drag = Part::None;
    emit timeClicked(time);
}

void OverviewStrip::wheelEvent(QWheelEvent *event) {
    event->accept();
    if (isEmpty() || event->angleDelta().y() == 0)
        return;
    const TimeRange window = m_zoomFilter.zoom();
    const TimeAxis zoomed{window, 0, 1};
    m_zoomFilter.setZoom(zoomed.zoomed(std::pow(1.25, -event->angleDelta().y() / 120.0), 0.5, m_zoomFilter.whole()), true);
}

void OverviewStrip::keyPressEvent(QKeyEvent *event) {
    const TimeRange window = m_zoomFilter.zoom();
    const TimeRange whole = m_zoomFilter.whole();
    const TimeAxis axis{window, 0, 1};
    const bool shift = event->modifiers().testFlag(Qt::ShiftModifier);
    const bool control = event->modifiers().testFlag(Qt::ControlModifier);
    const auto length = static_cast<double>(window.length());
    const auto begin = static_cast<double>(window.begin);
    switch (event->key()) {
    case Qt::Key_Left:
    case Qt::Key_Right: {
        const double by = (event->key() == Qt::Key_Left ? -1 : 1) * length * (control && !shift ? 1 : stripKeyStep);
        if (shift)
            stretch(control ? std::min(begin + by, begin + length) : begin, control ? begin + length : begin + length + by);
        else
            m_zoomFilter.setZoom(axis.panned(by / length, whole), true);
        return;
    }
    case Qt::Key_Plus:
    case Qt::Key_Equal:
    case Qt::Key_Up:
        m_zoomFilter.setZoom(axis.zoomed(1 / 1.5, 0.5, whole), true);
        return;
    case Qt::Key_Minus:
    case Qt::Key_Down:
        m_zoomFilter.setZoom(axis.zoomed(1.5, 0.5, whole), true);
        return;
    case Qt::Key_Home:
        m_zoomFilter.setZoom({whole.begin, whole.begin + window.length()});
        return;
    case Qt::Key_End:
        m_zoomFilter.setZoom({whole.end - window.length(), whole.end});
        return;
    case Qt::Key_0:
        m_zoomFilter.setZoom(whole);
        return;
    default:
        QWidget::keyPressEvent(event);
    }
}

QStringList OverviewStrip::describeAt(QPointF at) const {
    const OverviewPicture shown = picture();
    if (isEmpty() || !m_trace || at.x() < shown.left || at.x() > shown.right)
        return {};
    const TimeAxis axis = shown.axis();
    const Tick time = axis.tick(at.x());
    const auto percent = [](float part) { return QString::number(std::lround(100 * part)) + QStringLiteral("\u00a0%"); };
    const auto &share = m_shares->steps[m_shares->stepAt(time)];
    QStringList lines{formatDuration(m_trace->seconds(time))};
    if (m_mark && std::abs(axis.x(*m_mark) - at.x()) <= markReach)
        lines << m_markText;
    lines << (m_trace->enqueues ? tr("Communication of the ranks: waiting %1, transfers %2, set-up %3")
                                : tr("Time of the ranks in MPI: waiting %1, transfers %2, set-up %3"))
                 .arg(percent(share[0]), percent(share[1]), percent(share[2]));
    if (share[3] > 0.005F)
        lines << tr("Starting or ending MPI: %1").arg(percent(share[3]));
    for (std::size_t i = 0; i < m_phases.size() && m_describePhase; ++i)
        if (m_phases[i].begin <= time && time <= m_phases[i].end) {
            lines << m_describePhase(i);
            break;
        }
    return lines;
}

bool OverviewStrip::event(QEvent *event) {
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto *help = static_cast<QHelpEvent *>(event);
    const QStringList lines = describeAt(help->pos());
    if (lines.isEmpty())
        QToolTip::hideText();
    else
        QToolTip::showText(help->globalPos(),
                           QStringLiteral("<p style='white-space:pre'>") + lines.join(QLatin1Char('\n')).toHtmlEscaped() +
                               QStringLiteral("</p>"),
                           this);
    return true;
}

void OverviewStrip::resizeEvent(QResizeEvent *) { groundChanged(); }

void OverviewStrip::changeEvent(QEvent *event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        groundChanged();
}

void OverviewStrip::focusInEvent(QFocusEvent *) { update(); }

void OverviewStrip::focusOutEvent(QFocusEvent *) { update(); }

} // namespace laggard
