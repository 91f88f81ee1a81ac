// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/charts/TimePanel.h"

#include "views/charts/ChartPanel.h"
#include "views/charts/RankItems.h"

#include <QVBoxLayout>

namespace laggard {

TimePanel::TimePanel(Items items, SelectionModel &selection, QWidget *parent)
    : QWidget(parent),
      m_items(items),
      m_selection(selection),
      m_panel(new ChartPanel(items == Items::Functions ? tr("Time by function") : tr("Waiting by rank"))) {
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_panel);
    setFocusProxy(m_panel);
    connect(m_panel, &ChartPanel::chosen, this, &TimePanel::choose);
    connect(&m_selection, &SelectionModel::changed, this, &TimePanel::showSelection);
}

void TimePanel::setChart(Chart chart) {
    m_panel->setChart(std::move(chart));
    showSelection(m_selection.current());
}

void TimePanel::choose(std::size_t item, SelectMode mode) {
    const std::uint32_t id = m_panel->chart().items[item].id;
    if (id == none)
        return; // the rest
    Selection selection;
    if (m_items == Items::Functions)
        selection.region = id;
    else
        selection.ranks = {id};
    m_selection.select(selection, mode);
    emit chosen();
}

void TimePanel::showSelection(const Selection &selection) {
    if (m_items == Items::Ranks)
        return m_panel->setMarked(itemsOfRanks(m_panel->chart(), selection.ranks));
    std::vector<std::size_t> items;
    const std::vector<ChartItem> &all = m_panel->chart().items;
    for (std::size_t i = 0; i < all.size(); ++i)
        if (all[i].id != none && all[i].id == selection.region)
            items.push_back(i);
    m_panel->setMarked(items);
}

} // namespace laggard
