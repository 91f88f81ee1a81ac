// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/pdg/PdgView.h"

#include "views/panels/ItemView.h"
#include "views/panels/Text.h"
#include "views/selection/SelectionModel.h"

#include <QAction>
#include <QContextMenuEvent>
#include <QHelpEvent>
#include <QInputDialog>
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
constexpr qreal smallestScale = 0.02;
constexpr qreal largestScale = 4;
constexpr qreal dustScale = 0.2;      // below this, letters are dust
constexpr qreal readableScale = 0.65; // what is shown first is shown at least this large
constexpr qreal zoomStep = 1.2;
constexpr qreal panStep = 60;

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

} // namespace

PdgView::PdgView(SelectionModel &selection, QWidget *parent) : QWidget(parent), m_selection(selection) {
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setMinimumSize(200, 140);
    setAccessibleName(tr("Progress-dependence graph"));
    setAccessibleDescription(tr("Groups of ranks and whom they wait for; the list beside it says the same"));
    connect(&m_selection, &SelectionModel::changed, this, &PdgView::showSelection);
    connect(&m_layouter, &LayoutProcess::finished, this, &PdgView::takeLayout);
    connect(&m_layouter, &LayoutProcess::failed, this, [this](const QString &why) {
        m_error = why;
        update();
        emit laidOut();
    });
}

void PdgView::setGraph(TracePtr trace, std::shared_ptr<const ProgressGraph> graph) {
    m_trace = std::move(trace);
    m_graph = std::move(graph);
    m_isFitted = true;
    m_scene.reset();
    m_emphasis = {};
    layOutAgain();
}

QString PdgView::noteKey(const ProgressNode &node) {
    QString key = QString::fromStdString(formatRanges(node.ranks));
    for (const Frame &frame : node.stack)
        key += QLatin1Char(' ') + QString::fromStdString(frame.function);
    return key;
}

void PdgView::setNotes(std::map<QString, QString> notes) {
    if (notes == m_notes)
        return;
    m_notes = std::move(notes);
    layOutAgain();
}

void PdgView::layOutAgain() {
    m_layouter.cancel();
    m_error.clear();
    if (!m_trace || !m_graph) {
        m_scene.reset();
        update();
        return;
    }
    PictureContext context = contextOf(*m_trace, m_graph->at);
    context.allEdges = true;
    for (std::uint32_t id = 0; id < m_graph->nodes.size(); ++id)
        if (const auto note = m_notes.find(noteKey(m_graph->nodes[id])); note != m_notes.end())
            context.notes[id] = note->second;
    m_picture = makePicture(*m_graph, context);
    m_layouter.start(layoutRequest(m_picture));
    update();
}

void PdgView::takeLayout(const GraphLayout &layout) {
    m_scene = makeScene(std::move(m_picture), layout);
    if (m_isFitted)
        showFirst();
    showSelection(m_selection.current());
    emit laidOut();
}

GraphTheme PdgView::theme() const { return GraphTheme::of(Theme::of(palette())); }

// --- what is shown --------------------------------------------------------------------------------------------------

void PdgView::fit() {
    m_isFitted = true;
    if (!m_scene || m_scene->graph.isEmpty())
        return;
    const QRectF graph = m_scene->graph.adjusted(-margin, -margin, margin, margin);
    m_scale = std::clamp(std::min(width() / graph.width(), height() / graph.height()), smallestScale, 1.25);
    m_origin = graph.center() - QPointF(width(), height()) / (2 * m_scale);
    update();
}

void PdgView::showFirst() {
    fit();
    if (m_scale >= readableScale || m_scene->nodes.empty())
        return;
    const auto lp =
        std::find_if(m_scene->nodes.begin(), m_scene->nodes.end(), [](const SceneNode &n) { return n.leastProgressed; });
    const QPointF centre = (lp == m_scene->nodes.end() ? m_scene->nodes.front() : *lp).box.center();
    m_scale = readableScale;
    m_origin = centre - QPointF(width(), height()) / (2 * m_scale);
    clampOrigin();
}

void PdgView::zoomBy(qreal factor) { zoomAt(rect().center(), factor); }

void PdgView::zoomAt(QPointF fixed, qreal factor) {
    if (!m_scene)
        return;
    const QPointF kept = toScene(fixed);
    m_scale = std::clamp(m_scale * factor, smallestScale, largestScale);
    m_origin = kept - fixed / m_scale;
    m_isFitted = false;
    clampOrigin();
    update();
}

void PdgView::clampOrigin() {
    const QRectF graph = m_scene->graph;
    const QPointF size = QPointF(width(), height()) / m_scale;
    // The middle of the window never leaves the graph, so that it cannot be lost.
    m_origin.setX(std::clamp(m_origin.x(), graph.left() - size.x() / 2, graph.right() - size.x() / 2));
    m_origin.setY(std::clamp(m_origin.y(), graph.top() - size.y() / 2, graph.bottom() - size.y() / 2));
}

QRectF PdgView::nodeRect(std::uint32_t node) const {
    if (!m_scene || node >= m_scene->nodes.size())
        return {};
    const QRectF box = m_scene->nodes[node].box;
    return {toScreen(box.topLeft()), toScreen(box.bottomRight())};
}

void PdgView::ensureVisible(std::uint32_t node) {
    const QRectF box = nodeRect(node);
    if (box.isEmpty() || QRectF(rect()).contains(box))
        return;
    m_origin += (box.center() - QRectF(rect()).center()) / m_scale;
    clampOrigin();
    m_isFitted = false;
}

void PdgView::showSelection(const Selection &selection) {
    m_emphasis.selectedNodes.clear();
    m_emphasis.selectedEdge.reset();
    if (m_graph && m_scene) {
        if (selection.edge && *selection.edge < m_graph->edges.size())
            m_emphasis.selectedEdge = selection.edge;
        for (std::uint32_t id = 0; id < m_graph->nodes.size() && !selection.edge; ++id) {
            const RankSet &ranks = m_graph->nodes[id].ranks;
            const bool chosen = selection.node ? *selection.node == id
                                               : std::any_of(selection.ranks.begin(), selection.ranks.end(), [&](Rank rank) {
                                                     return std::binary_search(ranks.begin(), ranks.end(), rank);
                                                 });
            if (chosen)
                m_emphasis.selectedNodes.insert(id);
        }
        if (m_emphasis.selectedNodes.size() == 1)
            ensureVisible(*m_emphasis.selectedNodes.begin());
    }
    update();
}

std::optional<std::uint32_t> PdgView::currentNode() const {
    return m_emphasis.selectedNodes.size() == 1 ? std::optional(*m_emphasis.selectedNodes.begin()) : std::nullopt;
}

void PdgView::chooseNode(std::uint32_t node, Qt::KeyboardModifiers modifiers) {
    const ProgressNode &chosen = m_graph->nodes[node];
    Selection selection;
    selection.ranks = chosen.ranks;
    selection.callPath = chosen.callPath;
    selection.node = node;
    m_selection.select(selection, selectMode(modifiers));
}

void PdgView::chooseEdge(std::uint32_t edge) {
    const ProgressEdge &chosen = m_graph->edges[edge];
    Selection selection;
    selection.ranks = m_graph->nodes[chosen.from].ranks;
    selection.ranks.insert(selection.ranks.end(), m_graph->nodes[chosen.to].ranks.begin(), m_graph->nodes[chosen.to].ranks.end());
    std::sort(selection.ranks.begin(), selection.ranks.end());
    selection.callPath = m_graph->nodes[chosen.from].callPath;
    selection.edge = edge;
    m_selection.select(selection);
}

void PdgView::editNote() {
    const std::optional<std::uint32_t> node = currentNode();
    if (!node)
        return;
    const QString key = noteKey(m_graph->nodes[*node]);
    bool accepted = false;
    const QString ranks = QString::fromStdString(describeRanges(m_graph->nodes[*node].ranks));
    const QString text =
        QInputDialog::getMultiLineText(this, tr("Note"), tr("Note on ranks %1; it is drawn in the node:").arg(ranks),
                                       m_notes.count(key) != 0 ? m_notes.at(key) : QString(), &accepted);
    if (!accepted)
        return;
    if (text.trimmed().isEmpty())
        m_notes.erase(key);
    else
        m_notes[key] = text.trimmed();
    layOutAgain();
    emit notesChanged();
}

// --- painting -------------------------------------------------------------------------------------------------------

void PdgView::paintEvent(QPaintEvent *) {
    QPainter painter(this);
    const GraphTheme colours = theme();
    painter.fillRect(rect(), colours.background);
    if (m_graph && m_graph->nodes.empty()) {
        paintMessage(painter, emptyText());
        return;
    }
    if (!m_scene) {
        if (!m_error.isEmpty())
            paintMessage(painter, tr("The graph cannot be drawn: %1").arg(m_error));
        else if (m_graph && m_layouter.isRunning())
            paintMessage(painter, tr("Laying out the graph …"));
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
    if (showsMinimap())
        paintMinimap(painter);
    if (hasFocus()) {
        painter.setPen(QPen(palette().color(QPalette::Highlight), 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(rect().adjusted(0, 0, -1, -1));
    }
}

QString PdgView::emptyText() const {
    if (m_graph->unknown.empty())
        return tr("Every rank has finished: nobody waits for anybody.");
    if (m_graph->finished.empty())
        return tr("Nothing is known of any rank at this moment: nobody can be seen to wait.");
    return tr("Ranks %1 have finished; nothing is known of the others. Nobody can be seen to wait.")
        .arg(QString::fromStdString(describeRanges(m_graph->finished)));
}

void PdgView::paintMessage(QPainter &painter, const QString &text) const {
    painter.setPen(theme().mutedText);
    painter.drawText(rect().adjusted(20, 20, -20, -20), Qt::AlignCenter | Qt::TextWordWrap, text);
}

bool PdgView::showsMinimap() const {
    const QRectF graph = m_scene->graph;
    return graph.width() * m_scale > width() * 1.05 || graph.height() * m_scale > height() * 1.05;
}

QRectF PdgView::minimapRect() const {
    const QRectF graph = m_scene->graph;
    const qreal factor = std::min({width() * 0.28 / graph.width(), height() * 0.32 / graph.height(), 0.25});
    const QSizeF size = graph.size() * factor;
    return {width() - size.width() - 12, height() - size.height() - 12, size.width(), size.height()};
}

void PdgView::paintMinimap(QPainter &painter) const {
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

void PdgView::resizeEvent(QResizeEvent *) {
    if (m_scene && m_isFitted)
        showFirst();
    else if (m_scene)
        clampOrigin();
}

void PdgView::wheelEvent(QWheelEvent *event) {
    if (!m_scene)
        return;
    zoomAt(event->position(), std::pow(zoomStep, event->angleDelta().y() / 120.0));
    event->accept();
}

void PdgView::mousePressEvent(QMouseEvent *event) {
    if (!m_scene || event->button() != Qt::LeftButton)
        return;
    m_dragFrom = event->position();
    m_dragged = false;
    m_draggingMap = showsMinimap() && minimapRect().contains(event->position());
}

void PdgView::mouseMoveEvent(QMouseEvent *event) {
    if (!m_scene)
        return;
    if (m_draggingMap && m_dragFrom) {
        const QRectF map = minimapRect();
        const QPointF share((event->position().x() - map.left()) / map.width(),
                            (event->position().y() - map.top()) / map.height());
        const QRectF graph = m_scene->graph;
        m_origin = graph.topLeft() + QPointF(share.x() * graph.width(), share.y() * graph.height()) -
                   QPointF(width(), height()) / (2 * m_scale);
        m_isFitted = false;
        m_dragged = true;
        clampOrigin();
        update();
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

void PdgView::mouseReleaseEvent(QMouseEvent *event) {
    const bool wasClick = m_dragFrom && !m_dragged && !m_draggingMap;
    m_dragFrom.reset();
    m_draggingMap = false;
    if (!m_scene || !wasClick || event->button() != Qt::LeftButton)
        return;
    const QPointF point = toScene(event->position());
    if (const auto node = nodeAt(*m_scene, point))
        chooseNode(*node, event->modifiers());
    else if (const auto edge = edgeAt(*m_scene, point, 5 / m_scale))
        chooseEdge(*edge);
    else if (selectMode(event->modifiers()) == SelectMode::Replace)
        m_selection.clear();
}

void PdgView::mouseDoubleClickEvent(QMouseEvent *event) {
    if (m_scene && nodeAt(*m_scene, toScene(event->position())))
        editNote();
    else
        fit();
}

void PdgView::leaveEvent(QEvent *) {
    m_emphasis.hoveredNode.reset();
    update();
}

void PdgView::keyPressEvent(QKeyEvent *event) {
    if (!m_scene) {
        QWidget::keyPressEvent(event);
        return;
    }
    if (const auto heading = headingOf(event->key()); heading && !(event->modifiers() & Qt::AltModifier)) {
        const std::optional<std::uint32_t> from = currentNode();
        if (!from && !m_scene->nodes.empty()) {
            const auto lp =
                std::find_if(m_scene->nodes.begin(), m_scene->nodes.end(), [](const SceneNode &n) { return n.leastProgressed; });
            chooseNode(lp == m_scene->nodes.end() ? 0 : static_cast<std::uint32_t>(lp - m_scene->nodes.begin()), Qt::NoModifier);
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
        return editNote();
    default:
        QWidget::keyPressEvent(event);
    }
}

void PdgView::contextMenuEvent(QContextMenuEvent *event) {
    if (!m_scene)
        return;
    if (event->reason() == QContextMenuEvent::Mouse)
        if (const auto node = nodeAt(*m_scene, toScene(event->pos())))
            chooseNode(*node, Qt::NoModifier);
    QMenu menu(this);
    QAction *note = menu.addAction(tr("Edit the &note …"), this, &PdgView::editNote);
    note->setEnabled(currentNode().has_value());
    menu.addSeparator();
    menu.addAction(tr("Zoom &in"), this, [this] { zoomBy(zoomStep); });
    menu.addAction(tr("Zoom &out"), this, [this] { zoomBy(1 / zoomStep); });
    menu.addAction(tr("&Fit"), this, &PdgView::fit);
    menu.addSeparator();
    menu.addActions(actions()); // what the window adds, such as export
    menu.exec(event->globalPos());
}

bool PdgView::event(QEvent *event) {
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
