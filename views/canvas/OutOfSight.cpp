// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/canvas/OutOfSight.h"

#include <QObject>
#include <QPainter>

#include <algorithm>

namespace laggard {
namespace {

constexpr qreal mapMargin = 12;         // pixels between a map and its corner
constexpr qreal mapFrame = 5;           // pixels around a map
constexpr qreal mostTagWidth = 160;     // pixels
constexpr int stepsOfLine = 256;        // of an edge that leaves the window: a step is less than a tag is wide
const QMarginsF aroundTag(6, 2, 6, 2);  // pixels
const QMarginsF aroundNote(7, 2, 7, 2); // pixels

QString nameOf(const GraphScene &scene, std::uint32_t node) {
    const std::vector<TextRow> &rows = scene.picture.nodes[node].rows;
    return rows.empty() || rows.front().empty() ? QString() : rows.front().front().text;
}

/// Beside the border at which `line` is last seen; nothing where it is not seen, or ends in sight.
std::optional<QPointF> lastSeen(const QPainterPath &line, const GraphWindow &window, bool fromItsEnd) {
    std::optional<QPointF> last;
    for (int step = 0; step <= stepsOfLine; ++step) {
        const qreal share = qreal(step) / stepsOfLine;
        const QPointF point = window.toScreen(line.pointAtPercent(fromItsEnd ? 1 - share : share));
        if (window.rect().contains(point))
            last = point;
        else if (last)
            return last;
    }
    return std::nullopt;
}

QRectF within(QRectF box, const QRectF &room) {
    box.moveLeft(std::clamp(box.left(), room.left(), std::max(room.left(), room.right() - box.width())));
    box.moveTop(std::clamp(box.top(), room.top(), std::max(room.top(), room.bottom() - box.height())));
    return box;
}

} // namespace

QRectF mapRect(MapCorner corner, QSizeF window, QSizeF map) {
    const bool right = corner == MapCorner::BottomRight || corner == MapCorner::TopRight;
    const bool bottom = corner == MapCorner::BottomRight || corner == MapCorner::BottomLeft;
    return {{right ? window.width() - map.width() - mapMargin : mapMargin,
             bottom ? window.height() - map.height() - mapMargin : mapMargin},
            map};
}

std::optional<MapCorner> freeCorner(const GraphScene &scene, const GraphWindow &window, QSizeF map) {
    for (const MapCorner corner : {MapCorner::BottomRight, MapCorner::BottomLeft, MapCorner::TopRight, MapCorner::TopLeft}) {
        const QRectF place = mapRect(corner, window.size, map) + QMarginsF(mapFrame, mapFrame, mapFrame, mapFrame);
        const bool coversNode =
            std::ranges::any_of(scene.nodes, [&](const SceneNode &node) { return place.intersects(window.toScreen(node.box)); });
        const bool coversLabel = std::ranges::any_of(
            scene.edges, [&](const SceneEdge &edge) { return edge.label && place.intersects(window.toScreen(edge.label->box)); });
        if (!coversNode && !coversLabel)
            return corner;
    }
    return std::nullopt;
}

std::size_t nodesInSight(const GraphScene &scene, const GraphWindow &window) {
    return static_cast<std::size_t>(std::ranges::count_if(
        scene.nodes, [&](const SceneNode &node) { return window.rect().contains(window.toScreen(node.box).center()); }));
}

std::vector<EndTag> endTags(const GraphScene &scene, std::uint32_t edge, const GraphWindow &window) {
    std::vector<EndTag> tags;
    const SceneEdge &shown = scene.edges[edge];
    if (shown.line.isEmpty())
        return tags;
    const QFontMetricsF metrics = metricsOf(TextRole::EdgeLabel);
    for (const bool isEnd : {true, false}) {
        const std::uint32_t node = isEnd ? shown.to : shown.from;
        if (node >= scene.nodes.size() || window.rect().contains(window.toScreen(scene.nodes[node].box).center()))
            continue;
        const auto place = lastSeen(shown.line, window, !isEnd);
        const QString name = nameOf(scene, node);
        if (!place || name.isEmpty())
            continue;
        const QString text =
            metrics.elidedText((isEnd ? QObject::tr("to %1") : QObject::tr("from %1")).arg(name), Qt::ElideRight, mostTagWidth);
        QRectF box = QRectF(QPointF(), QSizeF(metrics.horizontalAdvance(text), metrics.height())) + aroundTag;
        box.moveCenter(*place);
        tags.push_back({text, within(box, window.rect() - QMarginsF(3, 3, 3, 3))});
    }
    return tags;
}

void paintEndTags(QPainter &painter, const std::vector<EndTag> &tags, const GraphTheme &theme) {
    painter.setFont(fontOf(TextRole::EdgeLabel));
    for (const EndTag &tag : tags) {
        painter.setPen(QPen(theme.selection, 1.2));
        painter.setBrush(theme.background);
        painter.drawRoundedRect(tag.box, 4, 4);
        painter.setPen(theme.text);
        painter.drawText(tag.box, Qt::AlignCenter, tag.text);
    }
}

void paintSightNote(QPainter &painter, const GraphScene &scene, const GraphWindow &window, const GraphTheme &theme) {
    const std::size_t seen = nodesInSight(scene, window);
    if (seen >= scene.nodes.size())
        return;
    const QString note = QObject::tr("%1 of %2 in sight; 0 shows all").arg(seen).arg(scene.nodes.size());
    const QFontMetricsF metrics = metricsOf(TextRole::EdgeLabel);
    QRectF box = QRectF(QPointF(), QSizeF(metrics.horizontalAdvance(note), metrics.height())) + aroundNote;
    box.moveBottomRight(window.rect().bottomRight() - QPointF(6, 4));
    QColor back = theme.background;
    back.setAlphaF(0.9F);
    painter.setPen(QPen(theme.rule, 1));
    painter.setBrush(back);
    painter.drawRoundedRect(box, 4, 4);
    painter.setFont(fontOf(TextRole::EdgeLabel));
    painter.setPen(theme.mutedText);
    painter.drawText(box, Qt::AlignCenter, note);
}

} // namespace laggard
