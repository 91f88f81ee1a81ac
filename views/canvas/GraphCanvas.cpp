// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/canvas/GraphCanvas.h"

#include "views/kit/ItemView.h"
#include "views/kit/Text.h"

#include <QAction>
#include <QContextMenuEvent>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace laggard {
namespace {

constexpr qreal margin = 24;
constexpr qreal leastMargin = 5; // where the whole graph can be read with it, and with more cannot
constexpr qreal smallestScale = 0.02;
constexpr qreal largestScale = 4;
constexpr qreal dustScale = 0.2; // below this, letters are dust
constexpr qreal readableScale = 0.65;
constexpr qreal zoomStep = 1.2;
constexpr int leastWidthWithMap = 520; // in a smaller panel the map has a corner that is free, or none
constexpr int leastHeightWithMap = 380;

std::optional<Heading> headingOf(int key) {
    switch (key) {
    case Qt::Key_Left:
        return Heading::Left;
    case Qt::Key_Right:
        return Heading::Right;
    case Qt::Key_Up:
        return Heading::Up;
    case Qt::Key_Down:
        return Heading::Down;
    default:
        return std::nullopt;
    }
}

/// The part of `whole` that has room and begins with `first`: of a long edge its middle would tell neither end.
QRectF beginningOf(const QRectF &whole, const QRectF &first, const QSizeF &room) {
    QRectF part = whole;
    if (whole.width() > room.width()) {
        part.setWidth(room.width());
        if (first.center().x() > whole.center().x())
            part.moveRight(first.right());
        else
            part.moveLeft(first.left());
    }
    if (whole.height() > room.height()) {
        part.setHeight(room.height());
        if (first.center().y() > whole.center().y())
            part.moveBottom(first.bottom());
        else
            part.moveTop(first.top());
    }
    return part;
}

} // namespace

GraphCanvas::GraphCanvas(QWidget *parent) : QWidget(parent) {
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setMinimumSize(200, 140);
    connect(&m_layouter, &LayoutProcess::finished, this, &GraphCanvas::takeLayout);
    connect(&m_layouter, &LayoutProcess::failed, this, &GraphCanvas::giveUp);
}

void GraphCanvas::giveUp(const QString &why) {
    m_error = why;
    m_scene.reset(); // what is not painted must not be clicked
    m_emphasis = {};
    update();
    emit laidOut();
}

void GraphCanvas::setPicture(GraphPicture picture) {
    m_layouter.cancel();
    m_error.clear();
    m_picture = std::move(picture);
    m_layouter.start(layoutRequest(m_picture));
    update();
}

void GraphCanvas::clearPicture() {
    m_layouter.cancel();
    m_error.clear();
    m_scene.reset();
    m_emphasis = {};
    update();
}

void GraphCanvas::startAnew() {
    m_isFitted = true;
    m_scene.reset();
    m_emphasis = {};
}

void GraphCanvas::takeLayout(const GraphLayout &layout) {
    m_scene = makeScene(std::move(m_picture), layout);
    m_emphasis = {}; // numbers of another picture say nothing of this one
    if (m_isFitted)
        showFirst();
    else
        fillWithGraph();
    const bool wasFitted = m_isFitted;
    updateEmphasis();
    m_isFitted = wasFitted; // what is marked was brought into sight; nobody has moved the graph by hand
    placeMap();
    update();
    emit laidOut();
}

GraphTheme GraphCanvas::theme() const { return GraphTheme::of(Theme::of(palette())); }

// --- what is shown --------------------------------------------------------------------------------------------------

void GraphCanvas::fit() {
    m_isFitted = true;
    if (!m_scene || m_scene->graph.isEmpty())
        return;
    const QRectF graph = m_scene->graph;
    const auto scaleWith = [&](qreal around) {
        const qreal fitting = std::min(width() / (graph.width() + 2 * around), height() / (graph.height() + 2 * around));
        return std::clamp(fitting, smallestScale, 1.25);
    };
    m_scale = scaleWith(margin);
    if (m_scale < firstScale())
        m_scale = std::max(m_scale, std::min(scaleWith(leastMargin), firstScale()));
    centre(graph.center());
    update();
}

qreal GraphCanvas::firstScale() const { return readableScale; }

void GraphCanvas::showFirst() {
    fit();
    if (m_scale >= firstScale() || m_scene->nodes.empty())
        return;
    m_scale = firstScale();
    centre(m_scene->nodes[std::min<std::size_t>(firstNode(), m_scene->nodes.size() - 1)].box.center());
    fillWithGraph(); // its first node is often at its edge
}

void GraphCanvas::fillWithGraph() {
    clampOrigin();
    const QRectF graph = m_scene->graph.adjusted(-margin, -margin, margin, margin);
    const QPointF size = QPointF(width(), height()) / m_scale;
    if (graph.width() > size.x())
        m_origin.setX(std::clamp(m_origin.x(), graph.left(), graph.right() - size.x()));
    if (graph.height() > size.y())
        m_origin.setY(std::clamp(m_origin.y(), graph.top(), graph.bottom() - size.y()));
}

void GraphCanvas::centre(QPointF point) { m_origin = point - QPointF(width(), height()) / (2 * m_scale); }

void GraphCanvas::zoomBy(qreal factor) { zoomAt(rect().center(), factor); }

void GraphCanvas::zoomAt(QPointF fixed, qreal factor) {
    if (!m_scene)
        return;
    const QPointF kept = toScene(fixed);
    m_scale = std::clamp(m_scale * factor, smallestScale, largestScale);
    m_origin = kept - fixed / m_scale;
    m_isFitted = false;
    clampOrigin();
    update();
}

void GraphCanvas::clampOrigin() {
    const QRectF graph = m_scene->graph;
    const QPointF size = QPointF(width(), height()) / m_scale;
    // The middle of the window never leaves the graph, so that it cannot be lost.
    m_origin.setX(std::clamp(m_origin.x(), graph.left() - size.x() / 2, graph.right() - size.x() / 2));
    m_origin.setY(std::clamp(m_origin.y(), graph.top() - size.y() / 2, graph.bottom() - size.y() / 2));
}

QRectF GraphCanvas::nodeRect(std::uint32_t node) const {
    if (!m_scene || node >= m_scene->nodes.size())
        return {};
    const QRectF box = m_scene->nodes[node].box;
    return {toScreen(box.topLeft()), toScreen(box.bottomRight())};
}

void GraphCanvas::ensureVisible(std::uint32_t node) {
    const QRectF box = nodeRect(node);
    if (box.isEmpty() || QRectF(rect()).contains(box))
        return;
    centre(m_scene->nodes[node].box.center());
    fillWithGraph();
    m_isFitted = m_isFitted && !isVisible(); // what nobody saw was not moved
}

void GraphCanvas::ensureEdgeVisible(std::uint32_t edge) {
    if (!m_scene || edge >= m_scene->edges.size() || m_scene->edges[edge].line.isEmpty())
        return;
    const SceneEdge &shown = m_scene->edges[edge];
    QRectF wanted = shown.line.boundingRect();
    if (QRectF(rect()).contains({toScreen(wanted.topLeft()), toScreen(wanted.bottomRight())}) && !m_isFitted)
        return; // whoever moved the graph sees the edge
    // With the nodes that it joins, if there is room: an edge alone says nothing.
    QRectF whole = wanted;
    for (const std::uint32_t node : {shown.from, shown.to})
        if (node < m_scene->nodes.size())
            whole |= m_scene->nodes[node].box;
    if (QRectF(rect()).contains({toScreen(whole.topLeft()), toScreen(whole.bottomRight())}))
        return;
    const QSizeF room = QSizeF(size()) / m_scale;
    if (whole.width() <= room.width() && whole.height() <= room.height())
        wanted = whole;
    else if (shown.from < m_scene->nodes.size())
        wanted = beginningOf(whole, m_scene->nodes[shown.from].box, room - QSizeF(2 * leastMargin, 2 * leastMargin));
    centre(wanted.center());
    fillWithGraph();
    m_isFitted = m_isFitted && !isVisible(); // what nobody saw was not moved
}

std::optional<std::uint32_t> GraphCanvas::currentNode() const {
    return m_emphasis.selectedNodes.size() == 1 ? std::optional(*m_emphasis.selectedNodes.begin()) : std::nullopt;
}

// --- painting -------------------------------------------------------------------------------------------------------

void GraphCanvas::paintEvent(QPaintEvent *) {
    QPainter painter(this);
    const GraphTheme colours = theme();
    painter.fillRect(rect(), colours.background);
    if (const QString text = emptyText(); !text.isEmpty()) {
        paintMessage(painter, text);
        return;
    }
    if (!m_error.isEmpty() || !m_scene) {
        if (!m_error.isEmpty())
            paintMessage(painter, tr("The graph cannot be drawn: %1").arg(m_error));
        else if (m_layouter.isRunning())
            paintMessage(painter, tr("Laying out the graph … The list says the same. Escape cancels."));
        return;
    }
    painter.setRenderHint(QPainter::Antialiasing);
    painter.save();
    painter.scale(m_scale, m_scale);
    painter.translate(-m_origin);
    GraphEmphasis emphasis = m_emphasis;
    emphasis.texts = m_scale >= dustScale;
    paintGraph(painter, *m_scene, colours, emphasis);
    painter.restore();
    if (m_emphasis.selectedEdge && *m_emphasis.selectedEdge < m_scene->edges.size())
        paintEndTags(painter, endTags(*m_scene, *m_emphasis.selectedEdge, inWindow()), colours);
    if (showsMinimap())
        paintMinimap(painter);
    else if (exceedsWindow())
        paintSightNote(painter, *m_scene, inWindow(), colours);
    if (hasFocus()) {
        painter.setPen(QPen(palette().color(QPalette::Highlight), 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(rect().adjusted(0, 0, -1, -1));
    }
}

void GraphCanvas::paintMessage(QPainter &painter, const QString &text) const {
    painter.setPen(theme().mutedText);
    painter.drawText(rect().adjusted(20, 20, -20, -20), Qt::AlignCenter | Qt::TextWordWrap, text);
}

bool GraphCanvas::exceedsWindow() const {
    const QRectF graph = m_scene->graph;
    return graph.width() * m_scale > width() * 1.05 || graph.height() * m_scale > height() * 1.05;
}

bool GraphCanvas::showsMinimap() const { return m_scene && m_mapCorner && exceedsWindow(); }

void GraphCanvas::placeMap() {
    m_mapCorner.reset();
    if (!m_scene || m_scene->graph.isEmpty())
        return;
    m_mapCorner = freeCorner(*m_scene, inWindow(), mapSize());
    if (!m_mapCorner && width() >= leastWidthWithMap && height() >= leastHeightWithMap)
        m_mapCorner = MapCorner::BottomRight;
}

QSizeF GraphCanvas::mapSize() const {
    const QRectF graph = m_scene->graph;
    return graph.size() * std::min({width() * 0.28 / graph.width(), height() * 0.32 / graph.height(), 0.25});
}

QRectF GraphCanvas::minimapRect() const { return mapRect(*m_mapCorner, size(), mapSize()); }

void GraphCanvas::paintMinimap(QPainter &painter) const {
    const GraphTheme colours = theme();
    const QRectF map = minimapRect();
    const QRectF graph = m_scene->graph;
    QColor background = colours.background;
    background.setAlphaF(0.92F);
    painter.setPen(QPen(colours.rule, 1));
    painter.setBrush(background);
    painter.drawRect(map.adjusted(-5, -5, 5, 5));
    painter.save();
    painter.setClipRect(map.adjusted(-5, -5, 5, 5));
    painter.translate(map.topLeft());
    painter.scale(map.width() / graph.width(), map.height() / graph.height());
    painter.translate(-graph.topLeft());
    GraphEmphasis emphasis = m_emphasis;
    emphasis.texts = false;
    emphasis.hoveredNode.reset();
    paintGraph(painter, *m_scene, colours, emphasis);
    QPen frame(colours.selection, 2);
    frame.setCosmetic(true);
    painter.setPen(frame);
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(QRectF(m_origin, QSizeF(width(), height()) / m_scale));
    painter.restore();
}

// --- input ----------------------------------------------------------------------------------------------------------

void GraphCanvas::resizeEvent(QResizeEvent *) {
    if (m_scene && m_isFitted) {
        showFirst();
        updateEmphasis();
        m_isFitted = true;
    } else if (m_scene) {
        clampOrigin();
    }
    placeMap();
}

void GraphCanvas::wheelEvent(QWheelEvent *event) {
    if (!m_scene)
        return;
    zoomAt(event->position(), std::pow(zoomStep, event->angleDelta().y() / 120.0));
    event->accept();
}

void GraphCanvas::mousePressEvent(QMouseEvent *event) {
    if (!m_scene || event->button() != Qt::LeftButton)
        return;
    m_dragFrom = event->position();
    m_dragged = false;
    m_draggingMap = showsMinimap() && minimapRect().contains(event->position());
}

void GraphCanvas::moveByMap(QPointF pixel) {
    const QRectF map = minimapRect();
    const QPointF share((pixel.x() - map.left()) / map.width(), (pixel.y() - map.top()) / map.height());
    const QRectF graph = m_scene->graph;
    centre(graph.topLeft() + QPointF(share.x() * graph.width(), share.y() * graph.height()));
    m_isFitted = false;
    m_dragged = true;
    clampOrigin();
    update();
}

void GraphCanvas::mouseMoveEvent(QMouseEvent *event) {
    if (!m_scene)
        return;
    if (m_draggingMap && m_dragFrom) {
        moveByMap(event->position());
        return;
    }
    if (m_dragFrom && (m_dragged || (event->position() - *m_dragFrom).manhattanLength() > 4)) {
        m_dragged = true;
        m_origin -= (event->position() - *m_dragFrom) / m_scale;
        m_dragFrom = event->position();
        m_isFitted = false;
        clampOrigin();
        update();
        return;
    }
    const auto hovered = nodeAt(*m_scene, toScene(event->position()));
    if (hovered != m_emphasis.hoveredNode) {
        m_emphasis.hoveredNode = hovered;
        setCursor(hovered ? Qt::PointingHandCursor : Qt::ArrowCursor);
        update();
    }
}

void GraphCanvas::mouseReleaseEvent(QMouseEvent *event) {
    const bool wasClick = m_dragFrom && !m_dragged && !m_draggingMap;
    m_dragFrom.reset();
    m_draggingMap = false;
    if (!m_scene || !wasClick || event->button() != Qt::LeftButton)
        return;
    const QPointF point = toScene(event->position());
    if (const auto node = nodeAt(*m_scene, point))
        chooseNode(*node, event->modifiers());
    else if (const auto edge = edgeAt(*m_scene, point, 5 / m_scale))
        chooseEdge(*edge, event->modifiers());
    else if (selectMode(event->modifiers()) == SelectMode::Replace)
        chooseNothing();
}

void GraphCanvas::mouseDoubleClickEvent(QMouseEvent *event) {
    if (!m_scene || !nodeAt(*m_scene, toScene(event->position())) || !activate())
        fit();
}

void GraphCanvas::leaveEvent(QEvent *) {
    m_emphasis.hoveredNode.reset();
    update();
}

void GraphCanvas::keyPressEvent(QKeyEvent *event) {
    if (event->key() == Qt::Key_Escape && m_layouter.isRunning()) {
        m_layouter.cancel();
        giveUp(tr("its layout was cancelled. The list says the same."));
        return;
    }
    if (!m_scene) {
        QWidget::keyPressEvent(event);
        return;
    }
    if (const auto heading = headingOf(event->key()); heading && !(event->modifiers() & Qt::AltModifier)) {
        const std::optional<std::uint32_t> from = currentNode();
        if (!from && !m_scene->nodes.empty()) {
            chooseNode(firstNode(), Qt::NoModifier);
        } else if (from) {
            if (const auto next = neighbour(*m_scene, *from, *heading))
                chooseNode(*next, Qt::NoModifier);
        }
        return;
    }
    switch (event->key()) {
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        return zoomBy(zoomStep);
    case Qt::Key_Minus:
        return zoomBy(1 / zoomStep);
    case Qt::Key_0:
        return fit();
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (activate())
            return;
        [[fallthrough]];
    default:
        QWidget::keyPressEvent(event);
    }
}

void GraphCanvas::addMenuActions(QMenu &) {}

void GraphCanvas::contextMenuEvent(QContextMenuEvent *event) {
    if (!m_scene)
        return;
    if (event->reason() == QContextMenuEvent::Mouse)
        if (const auto node = nodeAt(*m_scene, toScene(event->pos())))
            chooseNode(*node, Qt::NoModifier);
    QMenu menu(this);
    addMenuActions(menu);
    if (!menu.isEmpty())
        menu.addSeparator();
    menu.addAction(tr("Zoom &in"), this, [this] { zoomBy(zoomStep); });
    menu.addAction(tr("Zoom &out"), this, [this] { zoomBy(1 / zoomStep); });
    menu.addAction(tr("&Fit"), this, &GraphCanvas::fit);
    menu.addSeparator();
    menu.addActions(actions()); // what the window adds, such as export
    menu.exec(event->globalPos());
}

bool GraphCanvas::event(QEvent *event) {
    if (event->type() == QEvent::PaletteChange)
        update();
    if (event->type() == QEvent::ToolTip && m_scene) {
        const auto *help = static_cast<QHelpEvent *>(event);
        const QPointF point = toScene(help->pos());
        QString text;
        if (const auto node = nodeAt(*m_scene, point))
            text = m_scene->picture.nodes[*node].fullText;
        else if (const auto edge = edgeAt(*m_scene, point, 5 / m_scale))
            text = m_scene->picture.edges[*edge].fullText;
        QToolTip::showText(help->globalPos(), toolTipText(text), this);
        return true;
    }
    return QWidget::event(event);
}

} // namespace laggard
