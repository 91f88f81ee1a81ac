// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/pdg/PdgView.h"

#include "views/panels/ItemView.h"
#include "views/panels/Text.h"
#include "views/pdg/WhyText.h"
#include "views/selection/SelectionModel.h"

#include <QInputDialog>
#include <QMenu>
#include <QMessageBox>
#include <QPlainTextEdit>

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
    PictureContext context = contextOf(*m_trace, m_graph->at);
    context.allEdges = m_allEdges;
    for (std::uint32_t id = 0; id < m_graph->nodes.size(); ++id)
        if (const auto note = m_notes.find(noteKey(m_graph->nodes[id])); note != m_notes.end())
            context.notes[id] = note->second;
    setPicture(makePicture(*m_graph, context));
}

QString PdgView::emptyText() const {
    if (!m_graph || !m_graph->nodes.empty())
        return {};
    if (m_graph->unknown.empty())
        return tr("Every rank has finished: nobody waits for anybody.");
    if (m_graph->finished.empty())
        return tr("Nothing is known of any rank at this moment: nobody can be seen to wait.");
    return tr("Ranks %1 have finished; nothing is known of the others. Nobody can be seen to wait.")
        .arg(QString::fromStdString(describeRanges(m_graph->finished)));
}

void PdgView::showSelection(const Selection &selection) {
    emphasis().selectedNodes.clear();
    emphasis().selectedEdge.reset();
    if (m_graph && scene() != nullptr) {
        if (selection.edge && *selection.edge < m_graph->edges.size())
            emphasis().selectedEdge = drawnEdge(*selection.edge);
        for (std::uint32_t id = 0; id < m_graph->nodes.size() && !selection.edge; ++id) {
            const RankSet &ranks = m_graph->nodes[id].ranks;
            const bool chosen = selection.node ? *selection.node == id
                                               : std::any_of(selection.ranks.begin(), selection.ranks.end(), [&](Rank rank) {
                                                     return std::binary_search(ranks.begin(), ranks.end(), rank);
                                                 });
            if (chosen)
                emphasis().selectedNodes.insert(id);
        }
        if (emphasis().selectedNodes.size() == 1)
            ensureVisible(*emphasis().selectedNodes.begin());
    }
    update();
}

void PdgView::chooseNode(std::uint32_t node, Qt::KeyboardModifiers modifiers) {
    const ProgressNode &chosen = m_graph->nodes[node];
    Selection selection;
    selection.ranks = chosen.ranks;
    selection.callPath = chosen.callPath;
    selection.node = node;
    m_selection.select(selection, selectMode(modifiers));
}

void PdgView::chooseEdge(std::uint32_t drawn, Qt::KeyboardModifiers) {
    const std::uint32_t edge = scene()->picture.edges[drawn].number;
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
    const auto found = std::find_if(drawn.begin(), drawn.end(), [edge](const PictureEdge &e) { return e.number == edge; });
    return found == drawn.end() ? std::nullopt : std::optional(static_cast<std::uint32_t>(found - drawn.begin()));
}

void PdgView::setAllEdgesShown(bool all) {
    if (m_allEdges == all)
        return;
    m_allEdges = all;
    layOutAgain();
}

void PdgView::explain() {
    if (!m_graph)
        return;
    auto *box =
        new QMessageBox(QMessageBox::NoIcon, tr("Why?"), whyText(*m_graph, m_selection.current()), QMessageBox::Close, this);
    box->setTextFormat(Qt::PlainText);
    box->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->open();
}

void PdgView::chooseNothing() { m_selection.clear(); }

void PdgView::updateEmphasis() { showSelection(m_selection.current()); }

void PdgView::editNote() {
    const std::optional<std::uint32_t> node = currentNode();
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
    const auto lp =
        std::find_if(m_graph->nodes.begin(), m_graph->nodes.end(), [](const ProgressNode &n) { return n.leastProgressed; });
    return lp == m_graph->nodes.end() ? 0 : static_cast<std::uint32_t>(lp - m_graph->nodes.begin());
}

bool PdgView::activate() {
    editNote();
    return true;
}

void PdgView::addMenuActions(QMenu &menu) {
    menu.addAction(tr("&Why?"), this, &PdgView::explain);
    QAction *all = menu.addAction(tr("&All waits, also those that follow from others"));
    all->setCheckable(true);
    all->setChecked(m_allEdges);
    connect(all, &QAction::triggered, this, &PdgView::setAllEdgesShown);
    menu.addAction(tr("Edit the &note …"), this, &PdgView::editNote)->setEnabled(currentNode().has_value());
}

} // namespace laggard
