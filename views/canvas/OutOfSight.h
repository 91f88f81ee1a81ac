// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/graph/GraphScene.h"
#include "views/graph/GraphTheme.h"

#include <QString>

#include <cstdint>
#include <optional>
#include <vector>

class QPainter;

namespace laggard {

/// The part of a scene that a window shows.
struct GraphWindow {
    QSizeF size;    ///< pixels
    QPointF origin; ///< scene point in the upper left corner
    qreal scale = 1;

    [[nodiscard]] QRectF rect() const { return {QPointF(), size}; }
    [[nodiscard]] QPointF toScreen(QPointF scene) const { return (scene - origin) * scale; }
    [[nodiscard]] QRectF toScreen(const QRectF &scene) const { return {toScreen(scene.topLeft()), scene.size() * scale}; }
};

/// Where a map lies in its window.
enum class MapCorner : std::uint8_t { BottomRight, BottomLeft, TopRight, TopLeft };

[[nodiscard]] QRectF mapRect(MapCorner corner, QSizeF window, QSizeF map);

/// The first corner in which a map covers no node and no label.
[[nodiscard]] std::optional<MapCorner> freeCorner(const GraphScene &scene, const GraphWindow &window, QSizeF map);

[[nodiscard]] std::size_t nodesInSight(const GraphScene &scene, const GraphWindow &window);

/// "to MPI_Waitall", where an edge leaves the window on its way to a node that is out of sight.
struct EndTag {
    QString text;
    QRectF box; ///< pixels
};

/// Of an edge that is partly in sight, the ends that are not.
[[nodiscard]] std::vector<EndTag> endTags(const GraphScene &scene, std::uint32_t edge, const GraphWindow &window);

void paintEndTags(QPainter &painter, const std::vector<EndTag> &tags, const GraphTheme &theme);

/// "7 of 21 in sight; 0 shows all", in the corner at the bottom right.
void paintSightNote(QPainter &painter, const GraphScene &scene, const GraphWindow &window, const GraphTheme &theme);

} // namespace laggard
