// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/graph/GraphPainter.h"

#include <QPainter>

#include <algorithm>

namespace laggard {
namespace {

constexpr qreal cornerRadius = 9;
constexpr qreal cutCorner = 14;
constexpr qreal outlineGap = 4; // between the two outlines of an LP node
constexpr qreal standBack = 0.22;

QPen edgePen(EdgeStyle style, const std::optional<EdgeLook> &look, qreal width, const GraphTheme &theme) {
    QPen pen(look ? colourOf(*look, theme) : colourOf(style, theme), width);
    pen.setCapStyle(Qt::FlatCap);
    pen.setJoinStyle(Qt::RoundJoin);
    const std::vector<qreal> dashes = look ? look->dashes : dashesOf(style);
    if (!dashes.empty()) {
        QList<qreal> pattern; // Qt counts in line widths
        for (const qreal dash : dashes)
            pattern << dash / width;
        pen.setDashPattern(pattern);
    }
    return pen;
}

void paintText(QPainter &painter, const SceneText &text, const GraphTheme &theme) {
    painter.setFont(fontOf(text.text.role));
    painter.setPen(colourOf(text.text.role, theme));
    QPointF baseline = text.baseline;
    for (const QString &line : text.text.text.split(QLatin1Char('\n'))) {
        painter.drawText(baseline, line);
        baseline.ry() += metricsOf(text.text.role).height();
    }
}

void paintHead(QPainter &painter, const QPolygonF &head, bool filled, const QColor &colour, const GraphTheme &theme) {
    if (head.isEmpty())
        return;
    QPen pen(colour, 1.3);
    pen.setJoinStyle(Qt::MiterJoin);
    painter.setPen(pen);
    painter.setBrush(filled ? colour : theme.background);
    painter.drawPolygon(head);
}

/// The outline of a node: round corners inside MPI, square while computing, the top right one cut off if events are missing.
QPainterPath outlineOf(const QRectF &box, bool computing, bool damaged) {
    QPainterPath path;
    const qreal radius = computing ? 0 : std::min(cornerRadius, box.height() / 3);
    path.addRoundedRect(box, radius, radius);
    if (!damaged)
        return path;
    QPainterPath corner;
    corner.addPolygon(
        QPolygonF({box.topRight() - QPointF(cutCorner, 0), box.topRight(), box.topRight() + QPointF(0, cutCorner)}));
    corner.closeSubpath();
    return path.subtracted(corner);
}

/// What is not there.
void paintEmptyBox(QPainter &painter, const QRectF &box, const GraphTheme &theme) {
    QPen pen(theme.nodeBorder, 1.2);
    pen.setDashPattern({4, 3});
    painter.setPen(pen);
    painter.setBrush(theme.background);
    painter.drawPath(outlineOf(box, true, false));
}

void paintBox(QPainter &painter, const QRectF &box, bool computing, bool leastProgressed, bool damaged, const GraphTheme &theme) {
    QColor fill = computing ? theme.computationFill : theme.communicationFill;
    if (leastProgressed)
        fill = theme.leastProgressedFill;
    const QColor border = leastProgressed ? theme.leastProgressed : theme.nodeBorder;
    painter.setPen(QPen(border, leastProgressed ? 1.8 : 1.2));
    painter.setBrush(leastProgressed ? theme.background : fill);
    painter.drawPath(outlineOf(box, computing, damaged));
    if (leastProgressed) {
        painter.setBrush(fill);
        painter.drawPath(outlineOf(box.adjusted(outlineGap, outlineGap, -outlineGap, -outlineGap), computing, damaged));
    }
    if (damaged) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme.warning);
        painter.drawPolygon(
            QPolygonF({box.topRight() + QPointF(-cutCorner + 5, 0), box.topRight(), box.topRight() + QPointF(0, cutCorner - 5)}));
    }
}

void paintNode(QPainter &painter, const SceneNode &node, const GraphTheme &theme, bool selected, bool texts) {
    if (selected) {
        painter.setPen(QPen(theme.selection, 3));
        painter.setBrush(Qt::NoBrush);
        painter.drawPath(outlineOf(node.box.adjusted(-4, -4, 4, 4), node.computing, false));
    }
    if (node.absent)
        paintEmptyBox(painter, node.box, theme);
    else
        paintBox(painter, node.box, node.computing, node.leastProgressed, node.damaged, theme);
    if (!texts)
        return;
    for (const SceneText &text : node.texts)
        paintText(painter, text, theme);
}

void paintEdge(QPainter &painter, const SceneEdge &edge, const GraphTheme &theme, bool selected) {
    painter.setBrush(Qt::NoBrush);
    if (selected) {
        QColor halo = theme.selection;
        halo.setAlphaF(0.35F);
        painter.setPen(QPen(halo, edge.width + 6));
        painter.drawPath(edge.line);
    }
    const QPen pen = edgePen(edge.style, edge.look, edge.width, theme);
    painter.setPen(pen);
    painter.drawPath(edge.line);
    paintHead(painter, edge.head, edge.observed, pen.color(), theme);
}

void paintEdgeLabel(QPainter &painter, const SceneEdge &edge, const GraphTheme &theme) {
    if (!edge.label)
        return;
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.background);
    painter.drawRect(edge.label->box.adjusted(-2, 0, 2, 0));
    paintText(painter, *edge.label, theme);
}

void paintEdgeSample(QPainter &painter, const QRectF &area, const QPen &pen, std::optional<bool> filledHead,
                     const GraphTheme &theme) {
    const QPointF left(area.left(), area.center().y());
    const QPointF right(area.right(), area.center().y());
    const QPointF base = filledHead ? right - QPointF(10, 0) : right;
    painter.setPen(pen);
    painter.drawLine(left, base);
    if (filledHead)
        paintHead(painter, arrowHead(base, right, pen.widthF()), *filledHead, pen.color(), theme);
}

/// The letters of "A waits for B" beside the line.
void paintSampleLetters(QPainter &painter, const QRectF &area, const GraphTheme &theme) {
    const QFontMetricsF metrics = metricsOf(TextRole::EdgeLabel);
    painter.setFont(fontOf(TextRole::EdgeLabel));
    painter.setPen(theme.mutedText);
    const qreal y = area.center().y() + metrics.capHeight() / 2;
    painter.drawText(QPointF(area.left(), y), QStringLiteral("A"));
    painter.drawText(QPointF(area.right() - metrics.horizontalAdvance(QLatin1Char('B')), y), QStringLiteral("B"));
}

void paintSample(QPainter &painter, const SceneLegendEntry &entry, const GraphTheme &theme) {
    using Sample = LegendEntry::Sample;
    const QRectF area = entry.sample;
    QRectF box(0, 0, 44, 18);
    box.moveCenter(area.center());
    const QPen plain(theme.mutedText, 1.6);
    switch (entry.entry.sample) {
    case Sample::Edge: {
        if (entry.entry.look) {
            paintEdgeSample(painter, area, edgePen(entry.entry.style, entry.entry.look, entry.entry.look->width, theme), true,
                            theme);
            return;
        }
        const bool directed = entry.entry.style != EdgeStyle::Undefined;
        paintSampleLetters(painter, area, theme);
        paintEdgeSample(painter, area.adjusted(11, 0, -11, 0), edgePen(entry.entry.style, {}, 2, theme),
                        directed ? std::optional(true) : std::nullopt, theme);
        return;
    }
    case Sample::Observed:
    case Sample::Inferred:
        paintEdgeSample(painter, area.adjusted(8, 0, -8, 0), plain, entry.entry.sample == Sample::Observed, theme);
        return;
    case Sample::Doubt:
        paintEdgeSample(painter, area.adjusted(8, -4, -8, -4), QPen(theme.mutedText, edgeWidth(1)), std::nullopt, theme);
        paintEdgeSample(painter, area.adjusted(8, 4, -8, 4), QPen(theme.mutedText, edgeWidth(0)), std::nullopt, theme);
        return;
    case Sample::LeastProgressed:
        paintBox(painter, box.adjusted(0, -1, 0, 1), true, true, false, theme);
        return;
    case Sample::Damaged:
        paintBox(painter, box, true, false, true, theme);
        return;
    case Sample::Absent:
        paintEmptyBox(painter, box, theme);
        return;
    case Sample::Communication:
    case Sample::Computation:
        paintBox(painter, box, entry.entry.sample == Sample::Computation, false, false, theme);
        return;
    }
}

} // namespace

QColor colourOf(EdgeStyle style, const GraphTheme &theme) {
    switch (style) {
    case EdgeStyle::Collective:
        return theme.collective;
    case EdgeStyle::PointToPoint:
        return theme.pointToPoint;
    case EdgeStyle::Loop:
        return theme.loop;
    case EdgeStyle::Undefined:
        return theme.undefined;
    }
    return theme.undefined;
}

QColor colourOf(TextRole role, const GraphTheme &theme) {
    switch (role) {
    case TextRole::Verdict:
    case TextRole::LeastProgressed:
        return theme.leastProgressed;
    case TextRole::Loss:
    case TextRole::Damaged:
        return theme.warning;
    case TextRole::Subtitle:
    case TextRole::Count:
    case TextRole::Place:
    case TextRole::EdgeLabel:
        return theme.mutedText;
    case TextRole::Title:
    case TextRole::Remark:
    case TextRole::Ranks:
    case TextRole::Function:
    case TextRole::Activity:
    case TextRole::Note:
    case TextRole::Legend:
        return theme.text;
    }
    return theme.text;
}

QColor colourOf(const EdgeLook &look, const GraphTheme &theme) {
    return withContrast(QColor::fromRgb(look.hue), theme.background, 3);
}

std::vector<qreal> dashesOf(EdgeStyle style) {
    switch (style) {
    case EdgeStyle::Collective:
        return {};
    case EdgeStyle::PointToPoint:
        return {8, 5};
    case EdgeStyle::Loop:
        return {11, 4, 2.5, 4};
    case EdgeStyle::Undefined:
        return {2, 4};
    }
    return {};
}

void paintGraph(QPainter &painter, const GraphScene &scene, const GraphTheme &theme, const GraphEmphasis &emphasis) {
    painter.save();
    const auto touched = [&](const SceneEdge &edge) {
        return edge.from == *emphasis.hoveredNode || edge.to == *emphasis.hoveredNode;
    };
    std::set<std::uint32_t> near;
    if (emphasis.hoveredNode) {
        near.insert(*emphasis.hoveredNode);
        for (const SceneEdge &edge : scene.edges) {
            if (touched(edge))
                near.insert({edge.from, edge.to});
        }
    }
    const qreal opacity = painter.opacity();
    const auto emphasise = [&](bool strong) { painter.setOpacity(strong ? opacity : opacity * standBack); };
    for (std::uint32_t i = 0; i < scene.edges.size(); ++i) {
        emphasise(!emphasis.hoveredNode || touched(scene.edges[i]));
        paintEdge(painter, scene.edges[i], theme, emphasis.selectedEdge == i);
    }
    for (std::uint32_t i = 0; i < scene.nodes.size(); ++i) {
        emphasise(!emphasis.hoveredNode || near.count(i) != 0);
        paintNode(painter, scene.nodes[i], theme, emphasis.selectedNodes.count(i) != 0, emphasis.texts);
    }
    for (const SceneEdge &edge : scene.edges) {
        emphasise(!emphasis.hoveredNode || touched(edge));
        if (emphasis.texts)
            paintEdgeLabel(painter, edge, theme);
    }
    painter.restore();
}

void paintAnnotations(QPainter &painter, const GraphScene &scene, const GraphTheme &theme) {
    painter.save();
    for (const SceneText &text : scene.texts)
        paintText(painter, text, theme);
    if (scene.rule > 0) {
        painter.setPen(QPen(theme.rule, 1));
        const qreal inset = scene.texts.empty() ? 0 : scene.texts.front().baseline.x();
        painter.drawLine(QPointF(scene.bounds.left() + inset, scene.rule), QPointF(scene.bounds.right() - inset, scene.rule));
    }
    for (const SceneLegendEntry &entry : scene.legend) {
        paintSample(painter, entry, theme);
        paintText(painter, entry.text, theme);
    }
    painter.restore();
}

void paintPicture(QPainter &painter, const GraphScene &scene, const GraphTheme &theme) {
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setRenderHint(QPainter::TextAntialiasing);
    painter.fillRect(scene.bounds, theme.background);
    paintGraph(painter, scene, theme);
    paintAnnotations(painter, scene, theme);
}

} // namespace laggard
