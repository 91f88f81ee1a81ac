// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/charts/LastRecordsPanel.h"

#include "views/charts/ChartPanel.h"
#include "views/charts/RankItems.h"
#include "views/charts/SuspectCharts.h"

#include <QVBoxLayout>

namespace laggard {

LastRecordsPanel::LastRecordsPanel(SelectionModel &selection, QWidget *parent)
    : QWidget(parent), m_selection(selection), m_panel(new ChartPanel(tr("Last records"))) {
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_panel);
    setFocusProxy(m_panel);
    connect(m_panel, &ChartPanel::chosen, this, [this](std::size_t item, SelectMode mode) {
        const Rank rank = m_panel->chart().items[item].id;
        Selection chosenRank;
        chosenRank.ranks = {rank};
        for (const StoppedRank &stopped : m_failStop->stopped)
            if (stopped.rank == rank)
                chosenRank.callPath = stopped.openStack != none ? stopped.openStack : stopped.lastCall;
        m_selection.select(chosenRank, mode);
        emit chosen();
    });
    connect(&m_selection, &SelectionModel::changed, this, &LastRecordsPanel::showSelection);
}

void LastRecordsPanel::setFailStop(TracePtr trace, std::shared_ptr<const FailStop> failStop, const QString &state) {
    m_trace = std::move(trace);
    m_failStop = std::move(failStop);
    Chart chart;
    if (m_failStop)
        chart = lastRecordChart(*m_trace, *m_failStop);
    else
        chart.emptyText = state;
    m_panel->setChart(std::move(chart));
    showSelection(m_selection.current());
}

void LastRecordsPanel::showSelection(const Selection &selection) {
    m_panel->setMarked(itemsOfRanks(m_panel->chart(), selection.ranks));
}

} // namespace laggard
