// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/compare/BothRunsPanel.h"

#include "analysis/words/DivergenceWords.h"
#include "views/compare/BothModelsView.h"
#include "views/kit/ItemView.h"
#include "views/kit/TableText.h"
#include "views/kit/Text.h"

#include <QLabel>
#include <QSplitter>
#include <QVBoxLayout>

namespace laggard {

BothRunsPanel::BothRunsPanel(QWidget *parent)
    : QTabWidget(parent),
      m_answer(new QLabel),
      m_departures(new ItemView(tr("Departures"))),
      m_functions(new ItemView(tr("Functions of both runs"))),
      m_graph(new BothModelsView),
      m_transitions(new ItemView(tr("Transitions of both runs"))) {
    setDocumentMode(true);
    setAccessibleName(tr("Both runs"));
    m_answer->setWordWrap(true);
    m_answer->setTextFormat(Qt::PlainText);
    m_answer->setMargin(8);
    m_answer->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_answer->setAccessibleName(tr("Where the run departs first"));
    m_departures->setModel(&m_departuresModel);
    m_departures->setRootIsDecorated(false);
    m_departures->setEmptyText(tr("No rank does anything else than in the other run."));
    auto *first = new QWidget;
    auto *column = new QVBoxLayout(first);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_answer);
    column->addWidget(m_departures, 1);
    first->setFocusProxy(m_departures);
    m_sorted.setSourceModel(&m_functionsModel);
    m_sorted.setSortRole(SortRole);
    m_functions->setModel(&m_sorted);
    m_functions->setRootIsDecorated(false);
    m_functions->setSortingEnabled(true);
    m_functions->sortByColumn(-1, Qt::AscendingOrder);
    m_functions->setEmptyText(tr("Neither run has called a function."));
    addTab(first, tr("Departures"));
    addTab(m_functions, tr("Functions"));
    addTab(makeModels(), tr("State models"));
    connect(m_departures, &ItemView::chosen, this,
            [this](const QModelIndex &index) { emit departureChosen(static_cast<std::size_t>(index.row())); });
    connect(m_functions, &ItemView::chosen, this,
            [this](const QModelIndex &index) { emit functionChosen(m_functionsModel.times(m_sorted.mapToSource(index).row())); });
}

QWidget *BothRunsPanel::makeModels() {
    m_transitions->setModel(&m_transitionsModel);
    m_transitions->setRootIsDecorated(false);
    m_transitions->setUniformRowHeights(true);
    m_transitions->setEmptyText(tr("No transitions."));
    auto *splitter = new QSplitter(Qt::Vertical);
    splitter->addWidget(m_graph);
    splitter->addWidget(m_transitions);
    splitter->setStretchFactor(0, 3);
    splitter->setStretchFactor(1, 2);
    splitter->setFocusProxy(m_transitions);
    connect(m_transitions, &ItemView::chosen, this,
            [this](const QModelIndex &index) { m_graph->showRow(static_cast<std::size_t>(index.row())); });
    connect(m_graph, &BothModelsView::chosen, this, [this](std::size_t row) {
        m_graph->showRow(row);
        m_transitions->mark({m_transitionsModel.index(static_cast<int>(row), 0)});
    });
    return splitter;
}

QString BothRunsPanel::answer() const { return m_answer->text(); }

void BothRunsPanel::setRuns(TracePtr here, TracePtr there, std::shared_ptr<const DivergenceReport> divergence,
                            std::vector<FunctionTimes> functions, std::shared_ptr<const BothModels> models) {
    QStringList sentences;
    if (divergence) {
        sentences << toText(describeDivergence(*here, *there, *divergence));
        for (const std::string &note : notesOf(*divergence))
            sentences << toText(note);
    }
    constexpr qsizetype most = 1000; // names in traces may be of any length
    m_answer->setText(shortened(sentences.join(QLatin1Char('\n')), most));
    m_departuresModel.setReport(here, there, divergence);
    m_graph->setModels(here, models);
    m_transitionsModel.setModels(std::move(models));
    m_transitions->fitColumns(TransitionsModel::Transition, 30);
    m_functionsModel.setTimes(std::move(here), std::move(there), std::move(functions));
    m_departures->fitColumns(DeparturesModel::Here, 44);
    m_functions->fitColumns(FunctionsModel::Function, 30);
}

} // namespace laggard
