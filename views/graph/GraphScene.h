// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/graph/GraphLayout.h"
#include "views/graph/GraphPicture.h"

#include <QPainterPath>
#include <QPolygonF>

namespace laggard {

/// Text in its place; it has several lines if there are line breaks in it.
struct SceneText {
    PictureText text;
    QPointF baseline; ///< where the first letter of its first line stands
    QRectF box;
};

struct SceneNode {
    QRectF box;
    std::vector<SceneText> texts;
    bool leastProgressed = false;
    bool damaged = false;
    bool computing = false;
    bool absent = false;
};

struct SceneEdge {
    std::uint32_t from = 0;
    std::uint32_t to = 0;
    EdgeStyle style = EdgeStyle::Collective;
    bool observed = false;
    qreal width = 1; ///< the line's width, by confidence
    QPainterPath line;
    QPolygonF head; ///< a triangle; empty without direction
    std::optional<SceneText> label;
    std::optional<EdgeLook> look; ///< instead of the style's
};

struct SceneLegendEntry {
    LegendEntry entry;
    QRectF sample; ///< where it is shown
    SceneText text;
};

/// A picture with everything in its place, in pixels, y downwards: what is painted, exported, and hit by the mouse.
/// A window shows `graph` alone and pans and zooms over it; exports show all of `bounds`.
struct GraphScene {
    GraphPicture picture;
    QRectF bounds;
    QRectF graph; ///< nodes and edges
    std::vector<SceneNode> nodes;
    std::vector<SceneEdge> edges;
    std::vector<SceneText> texts; ///< around the graph: head and remarks
    qreal rule = 0;               ///< height of the line above the legend; no line at 0
    std::vector<SceneLegendEntry> legend;
};

/// `layout` is of layoutRequest(picture).
[[nodiscard]] GraphScene makeScene(GraphPicture picture, const GraphLayout &layout);

/// Line width for a confidence of 0..1, in pixels.
[[nodiscard]] qreal edgeWidth(double confidence);

/// The triangle of an arrow head from the end of a line to its tip; empty if they are the same.
[[nodiscard]] QPolygonF arrowHead(QPointF base, QPointF tip, qreal lineWidth);

} // namespace laggard
