// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/pdg/CompactLegend.h"

#include "views/picture/PictureText.h"

#include <QObject>
#include <QPainter>

#include <algorithm>

namespace laggard {
namespace {

// Pixels.
constexpr qreal lineLength = 34; // room for one whole pattern of each style (dashesOf)
constexpr qreal gap = 6;
constexpr qreal between = 16;
constexpr qreal margin = 8;
constexpr qreal lineHeight = 18;

QString shortText(const LegendEntry &entry) {
    switch (entry.sample) {
    case LegendEntry::Sample::Inferred:
        return QObject::tr("open head: inferred");
    case LegendEntry::Sample::Doubt:
        return QObject::tr("%: how sure the wait is");
    default:
        break;
    }
    switch (entry.style) {
    case EdgeStyle::Collective:
        return QObject::tr("waits in a collective");
    case EdgeStyle::PointToPoint:
        return QObject::tr("waits for a message");
    case EdgeStyle::Loop:
        return QObject::tr("behind in a loop");
    case EdgeStyle::Undefined:
        break;
    }
    return QObject::tr("order undefined");
}

bool hasLine(const LegendEntry &entry) { return entry.sample == LegendEntry::Sample::Edge; }

qreal widthOf(const LegendEntry &entry) {
    return metricsOf(TextRole::EdgeLabel).horizontalAdvance(entry.text) + (hasLine(entry) ? lineLength + gap : 0);
}

/// Where each entry begins, from the area's corner.
std::vector<QPointF> cornersOf(const std::vector<LegendEntry> &legend, qreal width) {
    std::vector<QPointF> corners;
    QPointF next(margin, 0);
    for (const LegendEntry &entry : legend) {
        if (next.x() > margin && next.x() + widthOf(entry) > width - margin)
            next = QPointF(margin, next.y() + lineHeight);
        corners.push_back(next);
        next.rx() += widthOf(entry) + between;
    }
    return corners;
}

} // namespace

std::vector<LegendEntry> compactLegend(const GraphPicture &picture) {
    std::vector<LegendEntry> legend;
    for (const LegendEntry &entry : picture.legend) {
        using Sample = LegendEntry::Sample;
        if ((entry.sample != Sample::Edge || entry.look) && entry.sample != Sample::Inferred && entry.sample != Sample::Doubt)
            continue;
        legend.push_back(entry);
        legend.back().text = shortText(entry);
    }
    return legend;
}

QRectF placeOfLegend(const std::vector<LegendEntry> &legend, const QSizeF &window, const std::vector<QRectF> &taken) {
    if (legend.empty())
        return {};
    const std::vector<QPointF> corners = cornersOf(legend, window.width());
    qreal width = 0;
    for (std::size_t i = 0; i < legend.size(); ++i)
        width = std::max(width, corners[i].x() + widthOf(legend[i]) + margin);
    const QSizeF size(width, corners.back().y() + lineHeight);
    if (width > window.width())
        return {};
    for (const qreal top : {window.height() - size.height() - 2, qreal{2}}) {
        const QRectF area(QPointF(0, top), size);
        if (std::ranges::none_of(taken, [&](const QRectF &each) { return each.intersects(area); }))
            return area;
    }
    return {};
}

void paintCompactLegend(QPainter &painter, const std::vector<LegendEntry> &legend, const QRectF &area, const GraphTheme &theme) {
    painter.save();
    const QFontMetricsF metrics = metricsOf(TextRole::EdgeLabel);
    painter.setFont(fontOf(TextRole::EdgeLabel));
    painter.fillRect(area, theme.background); // lines that lead under it would seem to be its own
    const std::vector<QPointF> corners = cornersOf(legend, area.width());
    for (std::size_t i = 0; i < legend.size(); ++i) {
        QPointF at = area.topLeft() + corners[i];
        const qreal middle = at.y() + lineHeight / 2;
        if (hasLine(legend[i])) {
            QPen pen(colourOf(legend[i].style, theme), 2);
            pen.setCapStyle(Qt::FlatCap);
            QList<qreal> pattern;
            for (const qreal dash : dashesOf(legend[i].style))
                pattern << dash / pen.widthF();
            if (!pattern.isEmpty())
                pen.setDashPattern(pattern);
            painter.setPen(pen);
            painter.drawLine(QPointF(at.x(), middle), QPointF(at.x() + lineLength, middle));
            at.rx() += lineLength + gap;
        }
        painter.setPen(theme.mutedText);
        painter.drawText(QPointF(at.x(), middle + metrics.capHeight() / 2), legend[i].text);
    }
    painter.restore();
}

} // namespace laggard
