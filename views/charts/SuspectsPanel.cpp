// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/charts/SuspectsPanel.h"

#include "views/charts/ChartPanel.h"
#include "views/charts/RankItems.h"
#include "views/charts/SuspectCharts.h"

#include <QComboBox>
#include <QHBoxLayout>

namespace laggard {
namespace {

/// What says more at first: who computes differently, or, where nobody does, who waits differently.
bool startsWithMpi(const OutlierReport &report) {
    return report.withoutMpi.scores.empty() || (report.withoutMpi.suspects == 0 && report.withMpi.suspects > 0);
}

} // namespace

SuspectsPanel::SuspectsPanel(SelectionModel &selection, QWidget *parent)
    : QWidget(parent), m_selection(selection), m_panel(new ChartPanel(tr("Suspects"))), m_which(new QComboBox) {
    m_which->addItems({tr("Without MPI time"), tr("With MPI time")});
    m_which->setAccessibleName(tr("What counts"));
    m_which->setToolTip(tr("Without MPI time: who computes differently. With it: who waits differently, too."));
    m_panel->bar()->addWidget(m_which);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_panel);
    setFocusProxy(m_panel);
    connect(m_which, &QComboBox::currentIndexChanged, this, &SuspectsPanel::showRanking);
    connect(m_panel, &ChartPanel::chosen, this, [this](std::size_t item, SelectMode mode) {
        Selection chosenRank;
        chosenRank.ranks = {m_panel->chart().items[item].id};
        m_selection.select(chosenRank, mode);
        emit chosen();
    });
    connect(&m_selection, &SelectionModel::changed, this, &SuspectsPanel::showSelection);
    setReport({}, {});
}

void SuspectsPanel::setReport(TracePtr trace, std::shared_ptr<const OutlierReport> report, const QString &state) {
    m_trace = std::move(trace);
    m_report = std::move(report);
    m_state = state;
    const QSignalBlocker quiet(m_which);
    m_which->setCurrentIndex(m_report && startsWithMpi(*m_report) ? 1 : 0);
    if (!m_report && m_which->hasFocus())
        m_panel->setFocus(); // what is disabled cannot keep the keyboard
    m_which->setEnabled(m_report != nullptr);
    showRanking();
}

std::shared_ptr<const Ranking> SuspectsPanel::ranking() const {
    if (!m_report)
        return nullptr;
    return {m_report, m_which->currentIndex() == 1 ? &m_report->withMpi : &m_report->withoutMpi};
}

void SuspectsPanel::setWithMpi(bool withMpi) { m_which->setCurrentIndex(withMpi ? 1 : 0); }

void SuspectsPanel::showRanking() {
    Chart chart;
    if (m_report)
        chart = suspectChart(*m_trace, *ranking());
    else
        chart.emptyText = m_state;
    const std::size_t judged = chart.series.empty() ? 0 : chart.series.size() - 1;
    m_panel->setChart(std::move(chart), judged);
    showSelection(m_selection.current());
    emit rankingChanged();
}

void SuspectsPanel::showSelection(const Selection &selection) {
    m_panel->setMarked(itemsOfRanks(m_panel->chart(), selection.ranks));
}

} // namespace laggard
