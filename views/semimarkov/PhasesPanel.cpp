// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/semimarkov/PhasesPanel.h"

#include "views/charts/ChartPanel.h"
#include "views/kit/ShowPart.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QSignalBlocker>

#include <algorithm>

namespace laggard {

PhasesPanel::PhasesPanel(SemiMarkovFocus &focus, ZoomFilterStack &zoomFilter, QWidget *parent)
    : QWidget(parent), m_focus(focus), m_zoomFilter(zoomFilter), m_panel(new ChartPanel(tr("Phases"))), m_metric(new QComboBox) {
    m_metric->setAccessibleName(tr("How phases are compared"));
    m_metric->setToolTip(tr("Models: what ranks do and how long it takes. Clusters: which ranks behave alike."));
    m_panel->bar()->addWidget(m_metric);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_panel);
    setFocusProxy(m_panel);
    connect(&m_focus, &SemiMarkovFocus::analysedChanged, this, &PhasesPanel::fillMetrics);
    connect(&m_focus.selection(), &SelectionModel::changed, this, &PhasesPanel::showSelection);
    connect(m_metric, &QComboBox::currentIndexChanged, this, &PhasesPanel::showChart);
    connect(m_panel, &ChartPanel::chosen, this, &PhasesPanel::choose);
    fillMetrics();
}

void PhasesPanel::setMetric(PhaseMetric metric) { m_metric->setCurrentIndex(m_metric->findData(static_cast<int>(metric))); }

void PhasesPanel::fillMetrics() {
    {
        const QSignalBlocker quiet(m_metric);
        m_metric->clear();
        if (m_focus.analysed() != nullptr)
            for (const PhaseMetric metric : phaseMetrics(*m_focus.analysed()))
                m_metric->addItem(metricName(*m_focus.analysed(), metric), static_cast<int>(metric));
        if (m_focus.analysed() != nullptr)
            m_metric->setCurrentIndex(m_metric->findData(static_cast<int>(metricOfVerdict(*m_focus.analysed()))));
    }
    showPart(m_metric, m_metric->count() > 0, m_panel);
    m_metric->setEnabled(m_metric->count() > 1);
    showChart();
}

void PhasesPanel::showChart() {
    Chart chart;
    if (m_focus.analysed() != nullptr && m_metric->currentIndex() >= 0)
        chart = phaseChart(*m_focus.trace(), *m_focus.analysed(), static_cast<PhaseMetric>(m_metric->currentData().toInt()));
    else
        chart.emptyText = m_focus.state();
    m_panel->setChart(std::move(chart));
    showSelection(m_focus.selection().current());
}

void PhasesPanel::showSelection(const Selection &selection) {
    std::vector<std::size_t> marked;
    if (m_focus.analysed() != nullptr && selection.time)
        for (std::size_t item = 0; item < m_panel->chart().items.size(); ++item) {
            const TimeRange range = m_focus.analysed()->ranges[m_panel->chart().items[item].id];
            if (range == *selection.time) { // ranks enter a phase at different times: its neighbours reach into it
                marked = {item};
                break;
            }
            if (range.begin <= selection.time->begin && selection.time->begin < range.end)
                marked.push_back(item);
        }
    m_panel->setMarked(marked);
}

void PhasesPanel::choose(std::size_t item, SelectMode mode) {
    const std::uint32_t phase = m_panel->chart().items[item].id;
    const TimeRange range = m_focus.analysed()->ranges[phase];
    // A little of what is around it shows where it begins and ends.
    const Tick room = range.length() / 20;
    const Tick begin = range.begin - std::min(room, range.begin);
    Selection selection = m_focus.selection().current();
    selection.time = range;
    selection.node.reset();
    selection.edge.reset();
    selection.callPath = none;
    m_focus.selection().select(selection, mode == SelectMode::Extend ? SelectMode::Extend : SelectMode::Replace);
    m_zoomFilter.setZoom({begin, range.end + room});
    m_focus.requestPhase(phase); // clusters, state model and transition follow
}

} // namespace laggard
