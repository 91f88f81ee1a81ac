// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/graph/HitTest.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace laggard {
namespace {

qreal distanceToSegment(QPointF point, QPointF a, QPointF b) {
    const QPointF along = b - a;
    const qreal squared = QPointF::dotProduct(along, along);
    const qreal share = squared > 0 ? std::clamp(QPointF::dotProduct(point - a, along) / squared, 0.0, 1.0) : 0.0;
    const QPointF away = point - (a + along * share);
    return std::hypot(away.x(), away.y());
}

qreal distanceToEdge(const SceneEdge &edge, QPointF point, qreal tolerance) {
    const qreal far = std::numeric_limits<qreal>::infinity();
    if (edge.label && edge.label->box.contains(point))
        return 0;
    if (edge.head.containsPoint(point, Qt::OddEvenFill))
        return 0;
    const QRectF reach = edge.line.controlPointRect().adjusted(-tolerance, -tolerance, tolerance, tolerance);
    if (edge.line.isEmpty() || !reach.contains(point))
        return far;
    qreal nearest = far;
    for (const QPolygonF &polygon : edge.line.toSubpathPolygons()) {
        for (qsizetype i = 1; i < polygon.size(); ++i)
            nearest = std::min(nearest, distanceToSegment(point, polygon[i - 1], polygon[i]));
    }
    return nearest;
}

} // namespace

std::optional<std::uint32_t> nodeAt(const GraphScene &scene, QPointF point) {
    for (std::uint32_t i = 0; i < scene.nodes.size(); ++i) {
        if (scene.nodes[i].box.contains(point))
            return i;
    }
    return std::nullopt;
}

std::optional<std::uint32_t> edgeAt(const GraphScene &scene, QPointF point, qreal tolerance) {
    std::optional<std::uint32_t> found;
    qreal nearest = tolerance;
    for (std::uint32_t i = 0; i < scene.edges.size(); ++i) {
        const qreal distance = distanceToEdge(scene.edges[i], point, tolerance);
        if (distance <= nearest && (!found || distance < nearest)) {
            nearest = distance;
            found = i;
        }
    }
    return found;
}

std::optional<std::uint32_t> neighbour(const GraphScene &scene, std::uint32_t node, Heading heading) {
    if (node >= scene.nodes.size())
        return std::nullopt;
    std::optional<std::uint32_t> best;
    qreal least = std::numeric_limits<qreal>::infinity();
    for (std::uint32_t i = 0; i < scene.nodes.size(); ++i) {
        const QPointF way = scene.nodes[i].box.center() - scene.nodes[node].box.center();
        const bool sideways = heading == Heading::Left || heading == Heading::Right;
        const bool negative = heading == Heading::Left || heading == Heading::Up;
        const qreal ahead = (sideways ? way.x() : way.y()) * (negative ? -1 : 1);
        const qreal aside = std::abs(sideways ? way.y() : way.x());
        // A node counts as sideways if it is more beside than above or below; up and down reach every level.
        if (i == node || ahead <= 0.5 || (sideways && aside > ahead))
            continue;
        const qreal cost = sideways ? ahead + 2 * aside : 4 * ahead + aside;
        if (cost < least) {
            least = cost;
            best = i;
        }
    }
    return best;
}

} // namespace laggard
