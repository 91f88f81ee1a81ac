// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/pdg/PdgListPanel.h"

#include "views/kit/ElidedLabel.h"
#include "views/kit/ItemView.h"
#include "views/kit/TableText.h"
#include "views/kit/Text.h"
#include "views/selection/SelectionModel.h"

#include <QScopedValueRollback>
#include <QVBoxLayout>

#include <algorithm>
#include <iterator>

namespace laggard {
PdgListPanel::PdgListPanel(SelectionModel &selection, QWidget *parent)
    : QWidget(parent),
      m_selection(selection),
      m_why(new ElidedLabel(Qt::ElideRight)),
      m_others(new ElidedLabel(Qt::ElideRight)),
      m_view(new ItemView(tr("Progress dependences"))) {
    m_why->setAccessibleName(tr("How the least-progressed ranks were found"));
    m_others->setAccessibleName(tr("Ranks that are not in the graph"));
    m_view->setModel(&m_model);
    m_view->setEmptyText(tr("No states: every rank has finished, or nothing is open."));
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    m_why->setMostLines(3);
    for (ElidedLabel *line : {m_why, m_others}) {
        line->setContentsMargins(8, 3, 8, 3);
        layout->addWidget(line);
    }
    layout->addWidget(m_view, 1);
    setFocusProxy(m_view);
    setGraph({});

    connect(m_view, &ItemView::chosen, this, &PdgListPanel::choose);
    // Walking the list with the keyboard walks the graph.
    connect(m_view->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex &index) {
        if (!m_showing && m_view->hasFocus() && index.isValid())
            choose(index, SelectMode::Replace);
    });
    connect(&m_selection, &SelectionModel::changed, this, &PdgListPanel::showSelection);
}

void PdgListPanel::setGraph(std::shared_ptr<const ProgressGraph> graph) {
    const QScopedValueRollback<bool> guard(m_showing, true);
    m_model.setGraph(std::move(graph));
    QString why;
    QStringList others;
    if (const ProgressGraph *shown = m_model.graph()) {
        why = toText(shown->why);
        // If the whole job finished, the reason has said so.
        if (!shown->finished.empty() && !shown->nodes.empty())
            others << tr("Finished: %1.").arg(rankPhrase(shown->finished));
        if (!shown->unknown.empty())
            others << tr("Not known: %1.").arg(rankPhrase(shown->unknown));
    }
    m_why->setFullText(why);
    m_why->setVisible(!why.isEmpty());
    m_others->setFullText(others.join(' '));
    m_others->setVisible(!others.isEmpty());
    m_view->expandAll();
    m_view->fitColumns(PdgListModel::Evidence, 22);
    showSelection(m_selection.current());
}

void PdgListPanel::choose(const QModelIndex &index, SelectMode mode) {
    const ProgressGraph *graph = m_model.graph();
    if (graph == nullptr)
        return;
    Selection selection;
    if (const std::uint32_t node = m_model.node(index); node != none) {
        selection.ranks = graph->nodes[node].ranks;
        selection.callPath = graph->nodes[node].callPath;
        selection.node = node;
    } else if (const std::uint32_t edge = m_model.edge(index); edge != none) {
        const RankSet &from = graph->nodes[graph->edges[edge].from].ranks;
        const RankSet &to = graph->nodes[graph->edges[edge].to].ranks;
        std::set_union(from.begin(), from.end(), to.begin(), to.end(), std::back_inserter(selection.ranks));
        selection.edge = edge;
    }
    m_selection.select(selection, mode);
}

void PdgListPanel::showSelection(const Selection &selection) {
    const QScopedValueRollback<bool> guard(m_showing, true);
    QModelIndexList rows;
    if (selection.edge)
        rows << m_model.indexOfEdge(*selection.edge);
    else if (selection.node)
        rows << m_model.indexOfNode(*selection.node);
    else if (m_model.graph() != nullptr && !selection.ranks.empty())
        for (std::uint32_t node = 0; node < m_model.graph()->nodes.size(); ++node) {
            const RankSet &ranks = m_model.graph()->nodes[node].ranks;
            if (std::includes(selection.ranks.begin(), selection.ranks.end(), ranks.begin(), ranks.end()))
                rows << m_model.indexOfNode(node);
        }
    rows.removeAll(QModelIndex());
    m_view->mark(rows);
}

QByteArray PdgListPanel::csv() const { return m_view->csv(); }

} // namespace laggard
