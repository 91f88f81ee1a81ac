// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/units/UnitsPanel.h"

#include "views/charts/ChartPanel.h"
#include "views/kit/ElidedLabel.h"
#include "views/kit/PictureDialog.h"
#include "views/units/UnitChart.h"
#include "views/units/UnitTreeView.h"

#include <QAction>
#include <QComboBox>
#include <QHBoxLayout>
#include <QSplitter>

#include <algorithm>

namespace laggard {

UnitsPanel::UnitsPanel(SelectionModel &selection, QWidget *parent)
    : QWidget(parent),
      m_selection(selection),
      m_panel(new ChartPanel(tr("Units"))),
      m_which(new QComboBox),
      m_treeTitle(new ElidedLabel(Qt::ElideRight)),
      m_tree(new UnitTreeView(selection)) {
    m_which->setAccessibleName(tr("Whose units"));
    m_panel->bar()->addWidget(m_which);
    auto *splitter = new QSplitter(Qt::Vertical);
    splitter->addWidget(m_panel);
    m_treeTitle->setMostLines(3);
    m_treeTitle->setContentsMargins(8, 3, 8, 3);
    m_treeTitle->setAccessibleName(tr("Which unit's calls are shown"));
    auto *below = new QWidget;
    auto *belowLayout = new QVBoxLayout(below);
    belowLayout->setContentsMargins(0, 0, 0, 0);
    belowLayout->setSpacing(0);
    belowLayout->addWidget(m_treeTitle);
    belowLayout->addWidget(m_tree, 1);
    splitter->addWidget(below);
    splitter->setChildrenCollapsible(false);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(splitter);
    setFocusProxy(m_panel);
    auto *picture = new QAction(tr("Export the &picture …"), this);
    connect(picture, &QAction::triggered, this, [this] {
        exportPictureTo(this, QStringLiteral("unit"), true, [this](const QString &path) { return m_tree->file(path); });
    });
    m_tree->addAction(picture);
    connect(m_which, &QComboBox::currentIndexChanged, this, &UnitsPanel::showChart);
    connect(m_panel, &ChartPanel::chosen, this, &UnitsPanel::choose);
    connect(m_tree, &UnitTreeView::chosen, this, &UnitsPanel::chosen);
    connect(&m_selection, &SelectionModel::changed, this, &UnitsPanel::showSelection);
    setReport({}, {});
}

void UnitsPanel::setReport(TracePtr trace, std::shared_ptr<const UnitReport> report, const QString &state) {
    m_trace = std::move(trace);
    m_report = std::move(report);
    m_state =
        state.isEmpty() ? tr("What normal runs call is not known: Analysis → Compare with a call model … names it.") : state;
    m_ranks.clear();
    for (std::size_t i = 0; m_report && i < m_report->units.size(); ++i)
        m_ranks.push_back(m_report->units[i].rank);
    std::sort(m_ranks.begin(), m_ranks.end());
    m_ranks.erase(std::unique(m_ranks.begin(), m_ranks.end()), m_ranks.end());
    const QSignalBlocker quiet(m_which);
    m_which->clear();
    m_which->addItem(tr("All processes"));
    for (const Rank rank : m_ranks)
        m_which->addItem(tr("Rank %1").arg(rank));
    m_which->setVisible(m_ranks.size() > 1);
    m_tree->clear(m_report && !m_report->units.empty() ? tr("Choose a unit above.") : QString());
    m_treeTitle->hide();
    showChart();
    if (m_report && !m_report->units.empty())
        emit treeRequested(m_report->units.front()); // the most suspicious one is what one looks at first
}

void UnitsPanel::setTree(const JudgedUnit &unit, std::optional<UnitTree> tree, const QString &sentence) {
    if (tree && m_trace)
        m_tree->setTree(m_trace, unit, std::move(*tree));
    else
        m_tree->clear(sentence);
    m_treeTitle->setFullText(m_tree->caption());
    m_treeTitle->setVisible(!m_tree->caption().isEmpty());
}

void UnitsPanel::showChart() {
    Chart chart;
    const int row = m_which->currentIndex();
    if (m_report)
        chart =
            unitChart(*m_trace, *m_report, row > 0 ? std::optional(m_ranks[static_cast<std::size_t>(row - 1)]) : std::nullopt);
    else
        chart.emptyText = m_state;
    m_panel->setChart(std::move(chart));
    showSelection(m_selection.current());
}

void UnitsPanel::choose(std::size_t item, SelectMode mode) {
    const JudgedUnit &unit = m_report->units[m_panel->chart().items[item].id];
    Selection chosenUnit;
    chosenUnit.ranks = {unit.rank};
    chosenUnit.time = TimeRange{unit.start, unit.finish};
    if (const auto known = std::find_if(unit.differences.begin(), unit.differences.end(),
                                        [](const UnitDifference &d) { return d.callPath != none; });
        known != unit.differences.end())
        chosenUnit.callPath = known->callPath;
    m_selection.select(chosenUnit, mode);
    emit treeRequested(unit);
    emit chosen();
}

void UnitsPanel::showSelection(const Selection &selection) {
    std::vector<std::size_t> marked;
    const std::vector<ChartItem> &items = m_panel->chart().items;
    for (std::size_t i = 0; m_report && selection.time && i < items.size(); ++i) {
        const JudgedUnit &unit = m_report->units[items[i].id];
        if (TimeRange{unit.start, unit.finish} == *selection.time &&
            std::binary_search(selection.ranks.begin(), selection.ranks.end(), unit.rank))
            marked.push_back(i);
    }
    m_panel->setMarked(marked);
}

} // namespace laggard
