// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/UnreadPainter.h"

#include "views/timeline/LineClip.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace laggard {
namespace {

constexpr double hatchPeriod = 10; ///< pixels between lines, wider than over calls that never returned
constexpr double veil = 0.6;

/// Falling lines, where those over calls that never returned rise. They are in step all over the picture.
QVector<QLineF> hatchLines(const QRectF &place) {
    QVector<QLineF> lines;
    const double first = std::ceil((place.left() - place.bottom()) / hatchPeriod) * hatchPeriod;
    for (double offset = first; offset < place.right() - place.top(); offset += hatchPeriod) // x - y is constant along a line
        if (const auto line =
                clippedTo(place, {QPointF(place.top() + offset, place.top()), QPointF(place.bottom() + offset, place.bottom())}))
            lines << *line;
    return lines;
}

/// When the last enter or leave was recorded. The track must not be empty.
Tick lastKnown(const Track &track) {
    Tick last = track.start.back();
    // A call that was left after the last one began encloses it, or is it.
    for (std::uint32_t row = track.innermostAt(last); row != none && !track.isOpen(row); row = track.innermostAt(last)) {
        if (track.end[row] <= last)
            break;
        last = track.end[row];
    }
    return last;
}

} // namespace

std::vector<QRectF> unreadPlaces(const TimelineView &view, const std::vector<const TimelineRow *> &rows) {
    const QRectF plot = view.plotRect();
    if (!view.trace->isPartial() || plot.isEmpty())
        return {};
    const TimeAxis axis = view.axis();
    const TimeRange read = view.trace->readRange();
    const double from = std::clamp(axis.x(read.begin), plot.left(), plot.right());
    const double to = std::clamp(axis.x(read.end), from, plot.right());
    std::vector<QRectF> places;
    // Less than a pixel would be a line that says nothing.
    if (view.trace->part.time && from >= plot.left() + 1)
        places.emplace_back(plot.topLeft(), QPointF(from, plot.bottom()));
    if (view.trace->part.time && to <= plot.right() - 1)
        places.emplace_back(QPointF(to, plot.top()), plot.bottomRight());
    const std::size_t first = places.size();
    for (const TimelineRow *row : rows) {
        if (row->read || (row->kind == TimelineRow::Kind::Group && row->expanded))
            continue;
        const double top = view.topOf(*row);
        const QRectF place =
            QRectF(from, top, to - from, row->height).intersected(row->pinned ? view.pinnedRect() : view.scrollRect());
        if (place.isEmpty())
            continue;
        if (places.size() > first && std::abs(place.top() - places.back().bottom()) <= RowModel::rowGap + 0.5)
            places.back().setBottom(place.bottom());
        else
            places.push_back(place);
    }
    return places;
}

std::vector<QRectF> lostPlaces(const TimelineView &view, const std::vector<const TimelineRow *> &rows) {
    const QRectF plot = view.plotRect();
    const TimeAxis axis = view.axis();
    std::vector<QRectF> places;
    for (const TimelineRow *row : rows) {
        if (row->kind == TimelineRow::Kind::Group || row->location == none || !view.trace->locations[row->location].damaged)
            continue;
        const Track &track = view.trace->locations[row->location].events.track;
        const double from = std::clamp(track.empty() ? plot.left() : axis.x(lastKnown(track)), plot.left(), plot.right());
        const double to = std::clamp(axis.x(view.trace->range.end), from, plot.right());
        const QRectF place = QRectF(from, view.topOf(*row), to - from, row->height)
                                 .intersected(row->pinned ? view.pinnedRect() : view.scrollRect());
        if (place.width() >= 1 && place.height() > 0)
            places.push_back(place);
    }
    return places;
}

void paintUnread(QPainter &painter, const TimelineView &view, const std::vector<const TimelineRow *> &rows) {
    QColor cover = view.theme.background;
    cover.setAlphaF(static_cast<float>(veil));
    QColor line = view.theme.faintText;
    line.setAlphaF(0.45F);
    QFont font = view.font;
    font.setItalic(true);
    const QFontMetricsF metrics(font);
    const auto veilOver = [&](const QRectF &place, const QString &text) {
        const QSizeF needed(metrics.horizontalAdvance(text) + 12, metrics.height() + 2);
        painter.fillRect(place, cover);
        painter.setPen(QPen(line, 1));
        painter.drawLines(hatchLines(place));
        if (place.width() < needed.width() || place.height() < metrics.ascent())
            return;
        QRectF plate(QPointF(), QSizeF(needed.width(), std::min(needed.height(), place.height())));
        plate.moveCenter(place.center());
        painter.fillRect(plate, view.theme.background);
        painter.setFont(font);
        painter.setPen(view.theme.faintText);
        painter.drawText(plate, Qt::AlignCenter, text);
    };
    for (const QRectF &place : unreadPlaces(view, rows))
        veilOver(place, QStringLiteral("not read"));
    for (const QRectF &place : lostPlaces(view, rows))
        veilOver(place, QStringLiteral("events lost"));
}

} // namespace laggard
