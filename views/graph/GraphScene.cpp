// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/graph/GraphScene.h"

#include <QLineF>

#include <algorithm>
#include <cmath>

namespace laggard {
namespace {

constexpr qreal margin = 28;
constexpr qreal leastWidth = 724;     // for the head and the legend of small graphs
constexpr qreal mostNoteWidth = 1100; // longer lines are hard to read
constexpr qreal sampleWidth = 72;
constexpr qreal sampleGap = 10;
constexpr qreal columnGap = 28;
constexpr qreal legendRow = 24;

SceneText placed(const PictureText &text, QPointF topLeft) {
    return {text, topLeft + QPointF(0, metricsOf(text.role).ascent()), QRectF(topLeft, sizeOfText(text))};
}

SceneText centred(const PictureText &text, QPointF centre) {
    const QSizeF size = sizeOfText(text);
    return placed(text, centre - QPointF(size.width() / 2, size.height() / 2));
}

SceneNode placeNode(const PictureNode &node, const QRectF &box) {
    SceneNode scene{box, {}, node.leastProgressed, node.damaged, node.computing, node.absent};
    qreal total = 0;
    for (const TextRow &row : node.rows)
        total += rowHeight(row);
    qreal y = box.center().y() - total / 2;
    for (const TextRow &row : node.rows) {
        qreal width = 0;
        for (const PictureText &piece : row)
            width += metricsOf(piece.role).horizontalAdvance(piece.text);
        y += rowHeight(row);
        qreal x = box.center().x() - width / 2;
        for (const PictureText &piece : row) {
            scene.texts.push_back(placed(piece, {x, y - metricsOf(piece.role).height()}));
            x += scene.texts.back().box.width();
        }
    }
    return scene;
}

SceneEdge placeEdge(const PictureEdge &edge, const EdgeRoute &route, QPointF offset) {
    SceneEdge scene{
        edge.from, edge.to, edge.style, edge.observed, edgeWidth(edge.style == EdgeStyle::Undefined ? 0.5 : edge.confidence),
        {},        {},      {},         edge.look};
    if (edge.look)
        scene.width = edge.look->width;
    if (route.curve.empty())
        return scene;
    scene.line.moveTo(route.curve.front() + offset);
    for (std::size_t i = 1; i + 2 < route.curve.size(); i += 3)
        scene.line.cubicTo(route.curve[i] + offset, route.curve[i + 1] + offset, route.curve[i + 2] + offset);
    scene.head = arrowHead(route.curve.back() + offset, route.tip + offset, scene.width);
    if (route.label && !edge.label.isEmpty())
        scene.label = centred({edge.label, TextRole::EdgeLabel}, *route.label + offset);
    return scene;
}

/// The same layout upside down.
GraphLayout flipped(GraphLayout layout) {
    const qreal sum = layout.bounds.top() + layout.bounds.bottom();
    const auto flip = [sum](QPointF &point) { point.setY(sum - point.y()); };
    for (QRectF &box : layout.nodes)
        box.moveTop(sum - box.bottom());
    for (EdgeRoute &route : layout.edges) {
        for (QPointF &point : route.curve)
            flip(point);
        flip(route.tip);
        if (route.label)
            flip(*route.label);
    }
    return layout;
}

/// The same layout with x and y exchanged.
GraphLayout turned(GraphLayout layout) {
    const auto turn = [](QPointF &point) { point = point.transposed(); };
    const auto turnBox = [](QRectF &box) { box = QRectF(box.topLeft().transposed(), box.size().transposed()); };
    turnBox(layout.bounds);
    for (QRectF &box : layout.nodes)
        turnBox(box);
    for (EdgeRoute &route : layout.edges) {
        for (QPointF &point : route.curve)
            turn(point);
        turn(route.tip);
        if (route.label)
            turn(*route.label);
    }
    return layout;
}

/// Places paragraphs below each other; returns the height at which the next one begins.
qreal placeParagraphs(const std::vector<PictureText> &paragraphs, qreal y, qreal width, std::vector<SceneText> &out) {
    for (const PictureText &paragraph : paragraphs) {
        for (const QString &line : wrapped(paragraph.text, paragraph.role, width, 5)) {
            out.push_back(placed({line, paragraph.role}, {margin, y}));
            y = out.back().box.bottom();
        }
        y += 5;
    }
    return y;
}

/// Places the legend in as many columns as fit; returns the height below it.
qreal placeLegend(const std::vector<LegendEntry> &legend, qreal y, qreal width, std::vector<SceneLegendEntry> &out) {
    if (legend.empty())
        return y;
    qreal widest = 0;
    for (const LegendEntry &entry : legend)
        widest = std::max(widest, metricsOf(TextRole::Legend).horizontalAdvance(entry.text));
    const qreal column = sampleWidth + sampleGap + widest + columnGap;
    const auto fitting = static_cast<std::size_t>(std::max(1.0, std::floor((width + columnGap) / column)));
    const std::size_t columns = std::min(fitting, (legend.size() + 1) / 2); // a single long row reads badly
    const std::size_t rows = (legend.size() + columns - 1) / columns;
    for (std::size_t i = 0; i < legend.size(); ++i) {
        const QPointF corner(margin + column * static_cast<qreal>(i / rows), y + legendRow * static_cast<qreal>(i % rows));
        const QRectF sample(corner, QSizeF(sampleWidth, legendRow));
        SceneText text = placed({legend[i].text, TextRole::Legend}, {});
        const QPointF topLeft(sample.right() + sampleGap, sample.center().y() - text.box.height() / 2);
        text = placed(text.text, topLeft);
        out.push_back({legend[i], sample, text});
    }
    return y + legendRow * static_cast<qreal>(rows);
}

} // namespace

qreal edgeWidth(double confidence) { return 1.1 + 1.3 * std::clamp(confidence, 0.0, 1.0); }

QPolygonF arrowHead(QPointF base, QPointF tip, qreal lineWidth) {
    const QLineF axis(base, tip);
    if (axis.length() < 0.5)
        return {};
    const QPointF along = (tip - base) / axis.length();
    const QPointF across = QPointF(-along.y(), along.x()) * (3.2 + lineWidth * 0.7);
    return QPolygonF({tip, base + across, base - across});
}

GraphScene makeScene(GraphPicture picture, const GraphLayout &upwards) {
    GraphScene scene;
    const GraphLayout downwards = picture.downwards ? flipped(upwards) : upwards;
    const GraphLayout layout = picture.sideways ? turned(downwards) : downwards;
    const qreal width = std::max(layout.bounds.width(), leastWidth);
    const qreal textWidth = std::min(width, mostNoteWidth);
    qreal y = placeParagraphs(picture.head, margin, textWidth, scene.texts) + 22;

    const QPointF offset = QPointF(margin + (width - layout.bounds.width()) / 2, y) - layout.bounds.topLeft();
    scene.graph = layout.bounds.translated(offset);
    for (std::size_t i = 0; i < std::min(layout.nodes.size(), picture.nodes.size()); ++i)
        scene.nodes.push_back(placeNode(picture.nodes[i], layout.nodes[i].translated(offset)));
    for (std::size_t i = 0; i < std::min(layout.edges.size(), picture.edges.size()); ++i)
        scene.edges.push_back(placeEdge(picture.edges[i], layout.edges[i], offset));

    y = scene.graph.bottom() + (scene.nodes.empty() ? 0 : 26);
    y = placeParagraphs(picture.remarks, y, textWidth, scene.texts);
    if (!picture.legend.empty()) {
        scene.rule = y + 8;
        y = placeLegend(picture.legend, scene.rule + 10, width, scene.legend);
    }
    qreal right = margin + width;
    for (const SceneLegendEntry &entry : scene.legend)
        right = std::max(right, entry.text.box.right());
    scene.bounds = QRectF(0, 0, std::ceil(right + margin), std::ceil(y + margin - 6));
    scene.picture = std::move(picture);
    return scene;
}

} // namespace laggard
