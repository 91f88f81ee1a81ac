// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/charts/LatenessPanel.h"

#include "views/charts/ChartPanel.h"
#include "views/charts/LatenessChart.h"
#include "views/charts/RankItems.h"

#include <QComboBox>
#include <QHBoxLayout>

#include <algorithm>

namespace laggard {
namespace {

/// What is looked at first: where somebody recurs, and of these where the others waited longest.
std::size_t mostTelling(const std::vector<Lateness> &kinds) {
    const auto first = std::ranges::max_element(kinds, {}, [](const Lateness &lateness) {
        return std::pair(lateness.pattern == Lateness::Pattern::Recurring, lateness.seconds);
    });
    return static_cast<std::size_t>(first - kinds.begin());
}

QString kindName(LateOccasions::Kind kind, bool byHost) {
    switch (kind) {
    case LateOccasions::Kind::Collectives:
        return byHost ? LatenessPanel::tr("Collectives, by machine") : LatenessPanel::tr("Collectives, by rank");
    case LateOccasions::Kind::Steps:
        return byHost ? LatenessPanel::tr("Steps, by machine") : LatenessPanel::tr("Steps, by rank");
    case LateOccasions::Kind::Messages:
        break;
    }
    return byHost ? LatenessPanel::tr("Messages, by machine") : LatenessPanel::tr("Messages, by rank");
}

} // namespace

LatenessPanel::LatenessPanel(SelectionModel &selection, QWidget *parent)
    : QWidget(parent), m_selection(selection), m_panel(new ChartPanel(tr("Always last"))), m_which(new QComboBox) {
    m_which->setAccessibleName(tr("Occasions, and whom they are counted for"));
    m_panel->bar()->addWidget(m_which);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_panel);
    setFocusProxy(m_panel);
    connect(m_which, &QComboBox::currentIndexChanged, this, &LatenessPanel::showChosen);
    connect(m_panel, &ChartPanel::chosen, this, [this](std::size_t item, SelectMode mode) {
        const std::uint32_t id = m_panel->chart().items[item].id;
        Selection ranks;
        ranks.ranks = m_views[static_cast<std::size_t>(m_which->currentIndex())].byHost ? shown()->hosts[id].ranks : RankSet{id};
        m_selection.select(ranks, mode);
        emit chosen();
    });
    connect(&m_selection, &SelectionModel::changed, this, &LatenessPanel::showSelection);
    setLateness({}, {});
}

void LatenessPanel::setLateness(TracePtr trace, std::shared_ptr<const std::vector<Lateness>> kinds, const QString &state) {
    m_trace = std::move(trace);
    m_kinds = std::move(kinds);
    m_state = state;
    const QSignalBlocker quiet(m_which);
    m_which->clear();
    m_views.clear();
    for (std::size_t kind = 0; m_kinds && kind < m_kinds->size(); ++kind)
        for (const bool byHost : {false, true})
            if (!byHost || !(*m_kinds)[kind].hosts.empty()) {
                m_which->addItem(kindName((*m_kinds)[kind].kind, byHost));
                m_views.push_back({kind, byHost});
            }
    if (!m_views.empty()) {
        const std::size_t first = mostTelling(*m_kinds);
        m_which->setCurrentIndex(static_cast<int>(std::ranges::find(m_views, first, &View::kind) - m_views.begin()));
    }
    m_which->setVisible(!m_views.empty());
    showChosen();
}

const Lateness *LatenessPanel::shown() const {
    const int row = m_which->currentIndex();
    return row < 0 || m_views.empty() ? nullptr : &(*m_kinds)[m_views[static_cast<std::size_t>(row)].kind];
}

void LatenessPanel::showChosen() {
    Chart chart;
    constexpr std::size_t waited = 2; // position of the series
    if (const Lateness *lateness = shown())
        chart = m_views[static_cast<std::size_t>(m_which->currentIndex())].byHost ? hostLatenessChart(*m_trace, *lateness)
                                                                                  : latenessChart(*m_trace, *lateness);
    else
        chart.emptyText = m_kinds ? tr("There are no collectives or steps in which ranks wait for each other.") : m_state;
    const bool isFilled = !chart.series.empty();
    m_panel->setChart(std::move(chart), isFilled ? std::optional(waited) : std::nullopt);
    showSelection(m_selection.current());
}

void LatenessPanel::showSelection(const Selection &selection) {
    if (!m_views.empty() && m_views[static_cast<std::size_t>(m_which->currentIndex())].byHost)
        return;
    m_panel->setMarked(itemsOfRanks(m_panel->chart(), selection.ranks));
}

} // namespace laggard
