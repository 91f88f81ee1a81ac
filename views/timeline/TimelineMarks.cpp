// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/TimelineMarks.h"

#include "views/timeline/FramePainter.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace laggard {

namespace {

bool hasCall(const LocationEvents &events, CallPathId path, Tick begin) {
    const Track &track = events.track;
    const auto first = std::lower_bound(track.start.begin(), track.start.end(), begin);
    for (auto row = static_cast<std::size_t>(first - track.start.begin()); row < track.size() && track.start[row] == begin; ++row)
        if (track.callPath[row] == path)
            return true;
    return false;
}

/// Whether the selected call is this row's: a thread's only if it is its own, a rank's unless it is that of one of its threads.
bool showsSelectedCall(const TimelineView &view, const TimelineRow &row) {
    const Selection &selection = view.selection;
    if (row.kind == TimelineRow::Kind::Group || row.location == none ||
        !std::binary_search(selection.ranks.begin(), selection.ranks.end(), row.ranks.front()))
        return false;
    const std::vector<Location> &locations = view.trace->locations;
    const auto has = [&](const Location &location) {
        return hasCall(location.events, selection.callPath, selection.time->begin);
    };
    if (row.kind == TimelineRow::Kind::Thread || has(locations[row.location]))
        return has(locations[row.location]);
    return std::none_of(locations.begin(), locations.end(),
                        [&](const Location &location) { return location.rank == row.ranks.front() && has(location); });
}

/// Where a flag with this text stands: in the middle of `x`, as far as it stays within the plot.
QRectF flagBox(const TimelineView &view, double x, double y, const QString &text) {
    const QFontMetricsF metrics(view.font);
    const QRectF plot = view.plotRect();
    const double width = metrics.horizontalAdvance(text) + 10;
    return {std::clamp(x - width / 2, plot.left(), std::max(plot.left(), plot.right() - width)), y, width, metrics.height() + 3};
}

double cursorPlace(const TimelineView &view, Tick cursor) { return std::round(view.axis().x(cursor)) + 0.5; }

} // namespace

std::optional<CursorBadge> cursorBadge(const TimelineView &view, const std::optional<Tick> &cursor) {
    if (!cursor || *cursor < view.window.begin || *cursor > view.window.end)
        return std::nullopt;
    constexpr double gap = 3; // pixels between it and a label
    const AxisMarks marks = marksOf(view);
    CursorBadge badge;
    badge.text = formatDurationIn(marks.unitSeconds, view.trace->seconds(*cursor), 9);
    badge.box = flagBox(view, cursorPlace(view, *cursor), view.area.top() + 1, badge.text);
    for (const AxisMark &mark : marks.marks)
        if (const QRectF label = labelRect(view, marks, mark);
            label.right() >= badge.box.left() - gap && label.left() <= badge.box.right() + gap)
            badge.covered.push_back(label);
    return badge;
}

void paintSelection(QPainter &painter, const TimelineView &view, const std::vector<const TimelineRow *> &rows) {
    const Selection &selection = view.selection;
    if (!selection.time)
        return;
    const TimeAxis axis = view.axis();
    const QRectF plot = view.plotRect();
    const double left = std::max(plot.left() - 2, axis.x(selection.time->begin));
    const double right = std::min(plot.right() + 2, std::max(axis.x(selection.time->end), axis.x(selection.time->begin) + 2));
    if (right < plot.left() || left > plot.right())
        return;
    // With a call path the time is that of a call: a frame around it on its ranks. Else it is a stretch of time.
    if (selection.callPath != none && selection.callPath < view.trace->callPaths.size()) {
        const std::uint32_t depth = view.trace->callPaths[selection.callPath].depth;
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(view.theme.accent, 2));
        for (const TimelineRow *row : rows) {
            if (!showsSelectedCall(view, *row))
                continue;
            const bool nested = row->lanes.front() != innermostLane;
            const double height = TimelineView::laneHeight(*row);
            const double top = view.topOf(*row) + (nested && depth < row->lanes.size() ? depth * height : 0);
            painter.drawRect(QRectF(left, top, right - left, height - 1));
        }
        return;
    }
    QColor fill = view.theme.accent;
    fill.setAlphaF(0.14F);
    painter.fillRect(QRectF(left, plot.top(), right - left, plot.height()), fill);
    painter.setPen(QPen(view.theme.accent, 1));
    painter.drawLine(QPointF(left, plot.top()), QPointF(left, plot.bottom()));
    painter.drawLine(QPointF(right, plot.top()), QPointF(right, plot.bottom()));
}

void paintOverlay(QPainter &painter, const TimelineView &view, const TimelineOverlay &overlay) {
    if (!view.trace || view.rows == nullptr)
        return;
    painter.save();
    const TimeAxis axis = view.axis();
    const QRectF plot = view.plotRect();
    painter.setClipRect(QRectF(plot.left(), view.area.top(), plot.width(), view.area.height()));
    painter.setFont(view.font);
    const auto flagIn = [&](const QRectF &box, const QString &text, const QColor &colour) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(colour);
        painter.drawRoundedRect(box, 3, 3);
        painter.setPen(readableOn(colour));
        painter.drawText(box, Qt::AlignCenter, text);
    };
    const auto band = [&](TimeRange range, double alpha) {
        const double left = axis.x(range.begin);
        const double right = std::max(left + 1, axis.x(range.end));
        QColor fill = view.theme.accent;
        fill.setAlphaF(static_cast<float>(alpha));
        painter.fillRect(QRectF(left, plot.top(), right - left, plot.height()), fill);
        painter.setPen(QPen(view.theme.accent, 1));
        painter.drawLine(QPointF(left, plot.top()), QPointF(left, plot.bottom()));
        painter.drawLine(QPointF(right, plot.top()), QPointF(right, plot.bottom()));
        const double seconds = view.trace->seconds(range.end) - view.trace->seconds(range.begin);
        const QString length = formatDuration(seconds);
        flagIn(flagBox(view, (std::max(left, plot.left()) + std::min(right, plot.right())) / 2, plot.top() + 4, length), length,
               view.theme.accent);
    };
    if (overlay.rubberBand)
        band(*overlay.rubberBand, 0.25);
    if (overlay.ruler)
        band(*overlay.ruler, 0.12);
    if (const auto badge = cursorBadge(view, overlay.cursor)) {
        const double x = cursorPlace(view, *overlay.cursor);
        painter.setPen(QPen(view.theme.accent, 1, Qt::DashLine));
        painter.drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()));
        for (const QRectF &label : badge->covered)
            painter.fillRect(label, view.theme.header);
        flagIn(badge->box, badge->text, view.theme.accent);
    }
    painter.setClipping(false);
    if (overlay.hasFocus) {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(view.theme.accent, 1));
        painter.drawRect(view.area.adjusted(0.5, 0.5, -0.5, -0.5));
    }
    painter.restore();
}

} // namespace laggard
