// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/FramePainter.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace laggard {
namespace {

void paintHeader(QPainter &painter, const TimelineView &view, const TimelineRow &row) {
    const double top = view.topOf(row);
    QRectF rect(view.area.left(), top, view.headerWidth, row.height);
    const bool selected = std::any_of(row.ranks.begin(), row.ranks.end(), [&view](Rank rank) {
        return std::binary_search(view.selection.ranks.begin(), view.selection.ranks.end(), rank);
    });
    if (selected) {
        painter.fillRect(rect, mixed(view.theme.header, view.theme.accent, 0.22));
        painter.fillRect(QRectF(rect.left(), rect.top(), 3, rect.height()), view.theme.accent);
    }
    QFont font = view.font;
    font.setBold(selected);
    const QFontMetricsF metrics(font);
    // In rows lower than a line of text only every so many get a label.
    const double pitch = row.height + RowModel::rowGap;
    if (pitch < metrics.height() - 2) {
        const auto every = static_cast<Rank>(std::ceil((metrics.height() - 1) / pitch));
        if (row.kind != TimelineRow::Kind::Group && row.ranks.front() % every != 0)
            return;
        rect.setTop(rect.center().y() - metrics.height() / 2);
        rect.setHeight(metrics.height());
    }
    painter.setFont(font);
    double left = rect.left() + 6 + 10 * row.indent;
    const double line = std::min(rect.height(), metrics.height() + 2);
    if (row.expandable) {
        const double y = rect.top() + line / 2;
        const double s = 3.5;
        QPolygonF triangle = row.expanded ? QPolygonF({{left, y - s / 2}, {left + 2 * s, y - s / 2}, {left + s, y + s}})
                                          : QPolygonF({{left + s / 2, y - s}, {left + s / 2, y + s}, {left + 2 * s, y}});
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(Qt::NoPen);
        painter.setBrush(view.theme.text);
        painter.drawPolygon(triangle);
        painter.setRenderHint(QPainter::Antialiasing, false);
    }
    left += 11;
    double right = rect.right() - 5;
    if (row.damaged) { // a triangle with a bar: something is missing here
        const double y = rect.top() + line / 2;
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(Qt::NoPen);
        painter.setBrush(view.theme.warning);
        painter.drawPolygon(QPolygonF({{right - 10, y + 5}, {right, y + 5}, {right - 5, y - 5}}));
        painter.fillRect(QRectF(right - 5.7, y - 1.5, 1.4, 3.2), view.theme.header);
        painter.fillRect(QRectF(right - 5.7, y + 2.6, 1.4, 1.4), view.theme.header);
        painter.setRenderHint(QPainter::Antialiasing, false);
        right -= 13;
    }
    const QRectF textRect(left, rect.top(), right - left, line);
    painter.setPen(row.damaged ? view.theme.warning : row.read ? view.theme.text : view.theme.faintText);
    // Threads of a rank differ in the last letters of their names.
    const Qt::TextElideMode elide = row.kind == TimelineRow::Kind::Thread ? Qt::ElideLeft : Qt::ElideRight;
    painter.drawText(textRect, Qt::AlignVCenter | Qt::AlignLeft, metrics.elidedText(row.label, elide, textRect.width()));
    QString second = row.detail;
    if (row.deeper > 0)
        second = QStringLiteral("+%1 deeper levels").arg(row.deeper);
    if (!second.isEmpty() && rect.height() >= 2 * metrics.height()) {
        QFont small = view.font;
        small.setPointSizeF(std::max(6.5, small.pointSizeF() * 0.85));
        const QFontMetricsF smallMetrics(small);
        painter.setFont(small);
        painter.setPen(view.theme.faintText);
        painter.drawText(QRectF(left, rect.top() + line - 1, right - left, smallMetrics.height()),
                         Qt::AlignVCenter | Qt::AlignLeft, smallMetrics.elidedText(second, Qt::ElideRight, right - left));
    }
}

} // namespace

AxisMarks marksOf(const TimelineView &view) { return axisMarks(view.axis(), view.trace->clock, view.trace->range.begin, 95); }

QRectF labelRect(const TimelineView &view, const AxisMarks &marks, const AxisMark &mark) {
    const QRectF rect = view.axisRect();
    const QFontMetricsF metrics(view.font);
    const double width = metrics.horizontalAdvance((marks.origin.isEmpty() ? QString() : QStringLiteral("+")) + mark.label);
    const double x = std::round(mark.x) + 0.5;
    const double left = std::clamp(x - width / 2, rect.left() + 2, std::max(rect.left() + 2, rect.right() - width - 2));
    return {left, rect.top() + 4, width, metrics.height()};
}

void paintAxis(QPainter &painter, const TimelineView &view) {
    const QRectF rect = view.axisRect();
    painter.fillRect(QRectF(view.area.left(), view.area.top(), view.area.width(), view.axisHeight), view.theme.header);
    painter.setFont(view.font);
    const QFontMetricsF metrics(view.font);
    const AxisMarks marks = marksOf(view);
    const double line = std::round(rect.bottom()) - 0.5;
    for (const AxisMark &mark : marks.marks) {
        const double x = std::round(mark.x) + 0.5;
        painter.setPen(view.theme.faintText);
        painter.drawLine(QPointF(x, line - 6), QPointF(x, line));
        painter.setPen(view.theme.text);
        painter.drawText(labelRect(view, marks, mark).topLeft() + QPointF(0, metrics.ascent()),
                         (marks.origin.isEmpty() ? QString() : QStringLiteral("+")) + mark.label);
    }
    painter.setPen(view.theme.faintText);
    const QRectF corner(view.area.left() + 6, view.area.top(), view.headerWidth - 8, view.axisHeight);
    painter.drawText(corner, Qt::AlignVCenter | Qt::AlignRight, marks.origin.isEmpty() ? QStringLiteral("time") : marks.origin);
    painter.setPen(view.theme.grid);
    painter.drawLine(QPointF(view.area.left(), line), QPointF(view.area.right(), line));
}

void paintHeaders(QPainter &painter, const TimelineView &view, const std::vector<const TimelineRow *> &rows) {
    const QRectF column(view.area.left(), view.area.top() + view.axisHeight, view.headerWidth,
                        view.area.height() - view.axisHeight);
    painter.fillRect(column, view.theme.header);
    for (const TimelineRow *row : rows) {
        QRectF clip = row->pinned ? view.pinnedRect() : view.scrollRect();
        clip.setLeft(view.area.left());
        painter.setClipRect(clip);
        paintHeader(painter, view, *row);
    }
    painter.setClipping(false);
    painter.setPen(view.theme.grid);
    painter.drawLine(QPointF(column.right() - 0.5, column.top()), QPointF(column.right() - 0.5, column.bottom()));
    if (view.pinnedHeight() > 0) {
        painter.setPen(QPen(view.theme.faintText, 1));
        const double y = std::round(view.pinnedRect().bottom()) - 1.5;
        painter.drawLine(QPointF(view.area.left(), y), QPointF(view.area.right(), y));
    }
}

} // namespace laggard
