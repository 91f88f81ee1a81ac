// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/pdg/PdgView.h"

#include "views/kit/ItemView.h"
#include "views/kit/Text.h"
#include "views/pdg/CompactLegend.h"
#include "views/pdg/WhyText.h"
#include "views/picture/PictureText.h"
#include "views/selection/SelectionModel.h"

#include <QInputDialog>
#include <QMenu>
#include <QMessageBox>
#include <QPainter>
#include <QPlainTextEdit>
#include <QShortcut>

#include <algorithm>

namespace laggard {

PdgView::PdgView(SelectionModel &selection, QWidget *parent) : GraphCanvas(parent), m_selection(selection) {
    setAccessibleName(tr("Progress-dependence graph"));
    setAccessibleDescription(tr("Groups of ranks and whom they wait for; the list beside it says the same"));
    connect(&m_selection, &SelectionModel::changed, this, &PdgView::showSelection);
}

void PdgView::setGraph(TracePtr trace, std::shared_ptr<const ProgressGraph> graph) {
    m_trace = std::move(trace);
    m_graph = std::move(graph);
    m_shown = {};
    m_opened = {};
    startAnew();
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
    if (!m_trace || !m_graph) {
        clearPicture();
        return;
    }
    m_next = collapse(*m_graph, mostNodes, m_opened);
    PictureContext shown = context();
    for (std::uint32_t id = 0; id < m_next.nodes.size(); ++id)
        if (m_next.nodes[id].size() > 1)
            shown.groups[id] = {m_next.nodes[id].size(), m_graph->nodes[m_next.waitsFor[id]].ranks};
        else if (const auto note = m_notes.find(noteKey(m_next.graph.nodes[id])); note != m_notes.end())
            shown.notes[id] = note->second;
    shown.sideways = m_sideways;
    GraphPicture picture = makePdgPicture(m_next.graph, shown);
    m_downwardsExtent = extentOf(picture, false);
    m_sidewaysExtent = extentOf(picture, true);
    if (const bool wanted = fitsSideways(); wanted != m_sideways) {
        shown.sideways = m_sideways = wanted;
        picture = makePdgPicture(m_next.graph, shown);
    }
    setPicture(std::move(picture));
}

bool PdgView::fitsSideways() const {
    constexpr double better = 1.15; // a splitter that is dragged must not turn the graph to and fro
    const auto scale = [this](const QSizeF &extent) {
        const double fitting = std::min(width() / std::max(1.0, extent.width()), height() / std::max(1.0, extent.height()));
        return std::min(1.0, fitting);
    };
    const double sideways = scale(m_sidewaysExtent);
    const double downwards = scale(m_downwardsExtent);
    return m_sideways ? sideways * better >= downwards && downwards < 1 : sideways > better * downwards;
}

void PdgView::resizeEvent(QResizeEvent *event) {
    GraphCanvas::resizeEvent(event);
    if (m_graph && fitsSideways() != m_sideways)
        layOutAgain();
}

PictureContext PdgView::context() const {
    PictureContext context = contextOf(*m_trace, m_graph->at);
    context.allEdges = m_allEdges;
    return context;
}

GraphPicture PdgView::wholePicture() const {
    PictureContext whole = context();
    for (std::uint32_t id = 0; id < m_graph->nodes.size(); ++id)
        if (const auto note = m_notes.find(noteKey(m_graph->nodes[id])); note != m_notes.end())
            whole.notes[id] = note->second;
    return makePdgPicture(*m_graph, whole);
}

QString PdgView::emptyText() const {
    if (!m_graph || !m_graph->nodes.empty())
        return {};
    if (m_graph->unknown.empty())
        return tr("Every rank has finished: nobody waits for anybody.");
    if (m_graph->finished.empty())
        return tr("Nothing is known of any rank at this moment: nobody can be seen to wait.");
    return tr("Ranks %1 have finished; nothing is known of the others. Nobody can be seen to wait.")
        .arg(showable(describeRanges(m_graph->finished)));
}

void PdgView::showSelection(const Selection &selection) {
    emphasis().selectedNodes.clear();
    emphasis().selectedEdge.reset();
    if (m_graph && scene() != nullptr) {
        if (selection.edge && *selection.edge < m_graph->edges.size())
            emphasis().selectedEdge = drawnEdge(*selection.edge);
        const auto drawn = static_cast<std::uint32_t>(scene()->nodes.size());
        for (std::uint32_t id = 0; id < drawn && !selection.edge; ++id) {
            const RankSet &ranks = isLost(id) ? m_lost : m_shown.graph.nodes[id].ranks;
            const bool chosen = selection.node ? *selection.node < m_shown.drawn.size() && m_shown.drawn[*selection.node] == id
                                               : std::any_of(selection.ranks.begin(), selection.ranks.end(), [&](Rank rank) {
                                                     return std::binary_search(ranks.begin(), ranks.end(), rank);
                                                 });
            if (chosen)
                emphasis().selectedNodes.insert(id);
        }
        if (emphasis().selectedNodes.size() == 1)
            ensureVisible(*emphasis().selectedNodes.begin());
    }
    describeSelection();
    update();
}

void PdgView::describeSelection() {
    QStringList chosen;
    for (const std::uint32_t id : emphasis().selectedNodes) {
        if (isLost(id)) {
            chosen << tr("%1, events lost").arg(rankPhrase(m_lost));
            continue;
        }
        const ProgressNode &node = m_shown.graph.nodes[id];
        chosen << tr("%1 in %2")
                          .arg(rankPhrase(node.ranks),
                               node.stack.empty() ? tr("no recorded call") : toLine(node.stack.front().function)) +
                      (node.leastProgressed ? tr(", least progressed") : QString());
    }
    setAccessibleDescription(chosen.isEmpty() ? tr("Groups of ranks and whom they wait for; the list beside it says the same")
                                              : tr("Selected: %1").arg(chosen.join(QStringLiteral("; "))));
}

void PdgView::chooseNode(std::uint32_t node, Qt::KeyboardModifiers modifiers) {
    Selection selection;
    if (isLost(node)) {
        selection.ranks = m_lost;
        m_selection.select(selection, selectMode(modifiers));
        return;
    }
    const ProgressNode &chosen = m_shown.graph.nodes[node];
    selection.ranks = chosen.ranks;
    selection.callPath = chosen.callPath;
    if (m_shown.nodes[node].size() == 1)
        selection.node = m_shown.nodes[node].front();
    m_selection.select(selection, selectMode(modifiers));
}

void PdgView::chooseEdge(std::uint32_t drawn, Qt::KeyboardModifiers) {
    const std::uint32_t edge = m_shown.edges[scene()->picture.edges[drawn].number];
    const ProgressEdge &chosen = m_graph->edges[edge];
    Selection selection;
    selection.ranks = m_graph->nodes[chosen.from].ranks;
    selection.ranks.insert(selection.ranks.end(), m_graph->nodes[chosen.to].ranks.begin(), m_graph->nodes[chosen.to].ranks.end());
    std::sort(selection.ranks.begin(), selection.ranks.end());
    selection.callPath = m_graph->nodes[chosen.from].callPath;
    selection.edge = edge;
    m_selection.select(selection);
}

std::optional<std::uint32_t> PdgView::drawnEdge(std::uint32_t edge) const {
    const std::vector<PictureEdge> &drawn = scene()->picture.edges;
    const ProgressEdge &sought = m_graph->edges[edge];
    const auto found = std::find_if(drawn.begin(), drawn.end(), [&](const PictureEdge &e) {
        const ProgressEdge &shown = m_shown.graph.edges[e.number];
        return shown.from == m_shown.drawn[sought.from] && shown.to == m_shown.drawn[sought.to] && shown.kind == sought.kind &&
               shown.dependence == sought.dependence;
    });
    return found == drawn.end() ? std::nullopt : std::optional(static_cast<std::uint32_t>(found - drawn.begin()));
}

void PdgView::setAllEdgesShown(bool all) {
    if (m_allEdges == all)
        return;
    m_allEdges = all;
    layOutAgain();
}

std::optional<std::uint32_t> PdgView::chosenNode() const {
    const std::optional<std::uint32_t> drawn = currentNode();
    return drawn && !isLost(*drawn) && m_shown.nodes[*drawn].size() == 1 ? std::optional(m_shown.nodes[*drawn].front())
                                                                         : std::nullopt;
}

void PdgView::openGroup() {
    const std::optional<std::uint32_t> drawn = currentNode();
    if (!drawn || isLost(*drawn) || m_shown.nodes[*drawn].size() == 1)
        return;
    m_opened.opened.insert(m_shown.waitsFor[*drawn]);
    m_opened.closed.erase(m_shown.waitsFor[*drawn]);
    layOutAgain();
}

void PdgView::closeGroup() {
    const std::optional<std::uint32_t> node = chosenNode();
    if (!node || !canClose(*node))
        return;
    m_opened.closed.insert(*node);
    m_opened.opened.erase(*node);
    layOutAgain();
}

bool PdgView::canClose(std::uint32_t node) const {
    OpenedNodes closed = m_opened;
    closed.closed.insert(node);
    return collapse(*m_graph, mostNodes, closed).nodes.size() < m_shown.nodes.size();
}

void PdgView::explain() {
    if (!m_graph)
        return;
    auto *box = new QMessageBox(QMessageBox::NoIcon, tr("Why?"), whyText(*m_graph, m_selection.current(), m_verdict.get()),
                                QMessageBox::Close, this);
    box->setTextFormat(Qt::PlainText);
    box->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->open();
}

void PdgView::paintEvent(QPaintEvent *event) {
    GraphCanvas::paintEvent(event);
    if (scene() == nullptr || !emptyText().isEmpty() || showsMinimap())
        return;
    std::vector<QRectF> taken;
    for (std::uint32_t node = 0; node < scene()->nodes.size(); ++node)
        taken.push_back(nodeRect(node));
    if (const QRectF area = placeOfLegend(m_legend, size(), taken); !area.isEmpty()) {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        paintCompactLegend(painter, m_legend, area, theme());
    }
}

void PdgView::chooseNothing() { m_selection.clear(); }

void PdgView::updateEmphasis() {
    m_shown = m_next; // it is on the screen now
    m_lost = lostRanks(m_shown.graph, context());
    m_legend = compactLegend(scene()->picture);
    showSelection(m_selection.current());
}

void PdgView::editNote() {
    const std::optional<std::uint32_t> node = chosenNode();
    if (!node)
        return;
    const QString key = noteKey(m_graph->nodes[*node]);
    QInputDialog dialog(this);
    dialog.setWindowTitle(tr("Note"));
    dialog.setOption(QInputDialog::UsePlainTextEditForTextInput);
    dialog.setLabelText(tr("Note on %1; it is drawn in the node:").arg(rankPhrase(m_graph->nodes[*node].ranks)));
    dialog.setTextValue(m_notes.count(key) != 0 ? m_notes.at(key) : QString());
    (void)dialog.sizeHint(); // makes the editor
    if (auto *editor = dialog.findChild<QPlainTextEdit *>())
        editor->setTabChangesFocus(true); // or the buttons could not be reached by keys
    const QShortcut accept(Qt::CTRL | Qt::Key_Return, &dialog, &dialog, &QDialog::accept); // Enter is a new line
    if (dialog.exec() != QDialog::Accepted)
        return;
    const QString text = dialog.textValue();
    if (text.trimmed().isEmpty())
        m_notes.erase(key);
    else
        m_notes[key] = text.trimmed();
    layOutAgain();
    emit notesChanged();
}

std::uint32_t PdgView::firstNode() const {
    const std::vector<PictureNode> &nodes = scene()->picture.nodes;
    const auto lp = std::find_if(nodes.begin(), nodes.end(), [](const PictureNode &n) { return n.leastProgressed; });
    return lp == nodes.end() ? 0 : static_cast<std::uint32_t>(lp - nodes.begin());
}

bool PdgView::activate() {
    if (const std::optional<std::uint32_t> drawn = currentNode(); drawn && !isLost(*drawn) && m_shown.nodes[*drawn].size() > 1)
        openGroup();
    else
        editNote();
    return true;
}

void PdgView::addMenuActions(QMenu &menu) {
    menu.addAction(tr("&Why?"), this, &PdgView::explain);
    QAction *all = menu.addAction(tr("&All waits, also those that follow from others"));
    all->setCheckable(true);
    all->setChecked(m_allEdges);
    connect(all, &QAction::triggered, this, &PdgView::setAllEdgesShown);
    const std::optional<std::uint32_t> drawn = currentNode();
    if (drawn && !isLost(*drawn) && m_shown.nodes[*drawn].size() > 1)
        menu.addAction(tr("&Open: show its groups one by one"), this, &PdgView::openGroup);
    if (const auto node = chosenNode(); node && canClose(*node))
        menu.addAction(tr("&Close: show what waits for it as one"), this, &PdgView::closeGroup);
    menu.addAction(tr("Edit the &note …"), this, &PdgView::editNote)->setEnabled(chosenNode().has_value());
}

} // namespace laggard
