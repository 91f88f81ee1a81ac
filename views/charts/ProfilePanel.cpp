// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/charts/ProfilePanel.h"

#include "views/charts/ChartPanel.h"
#include "views/charts/SuspectCharts.h"

#include <QVBoxLayout>

namespace laggard {

ProfilePanel::ProfilePanel(Kind kind, SelectionModel &selection, QWidget *parent)
    : QWidget(parent),
      m_kind(kind),
      m_selection(selection),
      m_panel(new ChartPanel(kind == Kind::Contributions ? tr("Contributions") : tr("Profile"))) {
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_panel);
    setFocusProxy(m_panel);
    connect(m_panel, &ChartPanel::chosen, this, &ProfilePanel::choose);
    connect(&m_selection, &SelectionModel::changed, this, [this](const Selection &current) {
        if (m_ranking && shownRanks() != m_ranks)
            showRanks();
        else
            showSelection(current);
    });
}

void ProfilePanel::setRanking(TracePtr trace, std::shared_ptr<const Ranking> ranking, const QString &state) {
    m_trace = std::move(trace);
    m_ranking = std::move(ranking);
    m_state = state;
    showRanks();
}

RankSet ProfilePanel::shownRanks() const {
    if (!m_ranking)
        return {};
    const RankSet &selected = m_selection.current().ranks;
    if (selected.empty())
        return m_ranking->scores.empty() ? RankSet() : RankSet{m_ranking->scores.front().rank};
    if (m_kind == Kind::Profile)
        return selected;
    const std::uint32_t place = mostSuspicious(*m_ranking, selected);
    return {place == none ? selected.front() : m_ranking->scores[place].rank};
}

Chart ProfilePanel::makeChart() const {
    Chart chart;
    if (!m_ranking) {
        chart.emptyText = m_state;
        return chart;
    }
    if (m_ranks.empty()) {
        chart.emptyText = tr("Fewer than two ranks can be compared.");
        return chart;
    }
    return m_kind == Kind::Contributions ? contributionChart(*m_trace, *m_ranking, m_ranks.front())
                                         : profileChart(*m_trace, *m_ranking, m_ranks);
}

void ProfilePanel::showRanks() {
    m_ranks = shownRanks();
    Chart chart = makeChart();
    m_paths.clear();
    for (const ChartItem &item : chart.items)
        m_paths.push_back(callPathOf(*m_trace, m_ranking->profiles->components[item.id], m_ranking->options.by));
    m_panel->setChart(std::move(chart));
    showSelection(m_selection.current());
}

void ProfilePanel::choose(std::size_t item, SelectMode mode) {
    Selection selection;
    selection.ranks = m_ranks;
    // A call path that only a reference has cannot be shown anywhere: then the ranks alone are selected.
    if (const CallPathId path = m_paths[item]; path != none) {
        if (m_ranking->options.by == ProfileOptions::By::Function)
            selection.region = m_trace->callPaths[path].region;
        else
            selection.callPath = path;
    }
    // The ranks stay what they are: to add them would take them out.
    m_selection.select(selection, mode == SelectMode::Add ? SelectMode::Replace : mode);
    emit chosen();
}

void ProfilePanel::showSelection(const Selection &selection) {
    std::vector<std::size_t> items;
    for (std::size_t i = 0; i < m_paths.size(); ++i) {
        const bool isPath = m_paths[i] != none && m_paths[i] == selection.callPath;
        const bool isRegion =
            m_paths[i] != none && selection.region != none && m_trace->callPaths[m_paths[i]].region == selection.region;
        if (isPath || isRegion)
            items.push_back(i);
    }
    m_panel->setMarked(items);
}

} // namespace laggard
