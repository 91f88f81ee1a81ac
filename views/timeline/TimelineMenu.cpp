// SPDX-License-Identifier: GPL-3.0-or-later
// The menu of the timeline widget.
#include "views/timeline/TimelineWidget.h"

#include "views/picture/PictureText.h"

#include <QContextMenuEvent>
#include <QMenu>

#include <algorithm>
#include <array>

namespace laggard {
void TimelineWidget::contextMenuEvent(QContextMenuEvent *event) {
    // The mouse's menu comes with the release of the button, as its press may begin a drag.
    if (event->reason() == QContextMenuEvent::Mouse || !m_trace)
        return;
    TimelineHit hit;
    const Selection &selection = m_selection.current();
    if (!selection.ranks.empty())
        hit.row = m_rows.rowOf(selection.ranks.front());
    QMenu menu(this);
    fillMenu(menu, hit);
    menu.exec(mapToGlobal(QPoint(width() / 2, height() / 2)));
}

void TimelineWidget::hideFunction(RegionId region) {
    Filter filter = m_zoomFilter.filter();
    const auto place = std::lower_bound(filter.hiddenRegions.begin(), filter.hiddenRegions.end(), region);
    if (place == filter.hiddenRegions.end() || *place != region)
        filter.hiddenRegions.insert(place, region);
    m_zoomFilter.setFilter(filter);
}

void TimelineWidget::showOnly(RegionId region) {
    Filter filter = m_zoomFilter.filter();
    filter.onlyRegions = {region};
    m_zoomFilter.setFilter(filter);
}

void TimelineWidget::filterToRanks(const RankSet &ranks) {
    Filter filter = m_zoomFilter.filter();
    filter.ranks = ranks;
    m_zoomFilter.setFilter(filter);
}

void TimelineWidget::fillMenu(QMenu &menu, const TimelineHit &hit) {
    const Selection selection = m_selection.current();
    RegionId region = selection.region;
    if (hit.call != none)
        region = m_trace->callPaths[m_trace->locations[hit.location].events.track.callPath[hit.call]].region;
    else if (hit.cell)
        region = hit.cell->functions[0].region;
    if (hit.call != none)
        menu.addAction(tr("Zoom to this call"), this, [this, hit] { doubleClick(hit); });
    if (!selection.isEmpty())
        menu.addAction(tr("Zoom to the selection\tF"), this, &TimelineWidget::focusSelection);
    menu.addAction(tr("Show the whole trace\t0"), this, &TimelineWidget::zoomToFit);
    if (m_zoomFilter.canUndo())
        menu.addAction(tr("Undo zoom or filter"), &m_zoomFilter, &ZoomFilterStack::undo);
    menu.addSeparator();
    if (region < m_trace->regions.size())
        addFunctionActions(menu, region);
    RankSet ranks = selection.ranks;
    if (ranks.empty() && hit.row != nullptr) {
        ranks = hit.row->ranks;
        std::sort(ranks.begin(), ranks.end());
    }
    if (!ranks.empty())
        addRankActions(menu, ranks);
    if (!m_zoomFilter.filter().isEmpty())
        menu.addAction(tr("Remove all filters"), this, [this] { m_zoomFilter.setFilter({}); });
    menu.addSeparator();
    addViewActions(menu);
}

void TimelineWidget::addFunctionActions(QMenu &menu, RegionId region) {
    const QString name = fontMetrics()
                             .elidedText(showable(m_trace->regions[region].name), Qt::ElideMiddle, 260)
                             .replace(QLatin1Char('&'), QStringLiteral("&&"));
    menu.addAction(tr("Hide %1").arg(name), this, [this, region] { hideFunction(region); });
    menu.addAction(tr("Show only %1").arg(name), this, [this, region] { showOnly(region); });
    menu.addAction(tr("Select %1 everywhere").arg(name), this, [this, region] {
        Selection all;
        all.region = region;
        m_selection.select(all);
    });
    menu.addSeparator();
}

void TimelineWidget::addRankActions(QMenu &menu, const RankSet &ranks) {
    const QString names = (ranks.size() == 1 ? tr("rank %1") : tr("ranks %1")).arg(showable(describeRanges(ranks, 3)));
    menu.addAction(tr("Show only %1").arg(names), this, [this, ranks] { filterToRanks(ranks); });
    const bool pinned = std::includes(m_rows.pinned().begin(), m_rows.pinned().end(), ranks.begin(), ranks.end());
    menu.addAction(pinned ? tr("Unpin %1").arg(names) : tr("Pin %1 on top").arg(names), this, [this, ranks, pinned] {
        RankSet all;
        if (pinned)
            std::set_difference(m_rows.pinned().begin(), m_rows.pinned().end(), ranks.begin(), ranks.end(),
                                std::back_inserter(all));
        else
            std::set_union(m_rows.pinned().begin(), m_rows.pinned().end(), ranks.begin(), ranks.end(), std::back_inserter(all));
        setPinned(all);
    });
}

void TimelineWidget::addViewActions(QMenu &menu) {
    QMenu *order = menu.addMenu(tr("Order of rows"));
    const std::array<std::pair<RowOrder, QString>, 4> orders = {{{RowOrder::Rank, tr("By rank")},
                                                                 {RowOrder::Node, tr("By host")},
                                                                 {RowOrder::GraphNode, tr("By state in the dependence graph")},
                                                                 {RowOrder::LastEvent, tr("By last event")}}};
    for (const auto &[value, text] : orders) {
        QAction *action = order->addAction(text, this, [this, value = value] { setRowOrder(value); });
        action->setCheckable(true);
        action->setChecked(m_rows.order() == value);
    }
    const auto toggle = [&](const QString &text, bool on, auto change) {
        QAction *action = menu.addAction(text, this, change);
        action->setCheckable(true);
        action->setChecked(on);
    };
    toggle(tr("Nested calls"), m_rows.isNested(), [this] { setNested(!m_rows.isNested()); });
    toggle(tr("Message arrows"), m_messages, [this] { setMessagesShown(!m_messages); });
    toggle(tr("Collectives"), m_collectives, [this] { setCollectivesShown(!m_collectives); });
    if (m_units)
        toggle(tr("Execution units"), m_unitsShown, [this] { setUnitsShown(!m_unitsShown); });
    toggle(tr("Ruler\tM"), m_rulerOn, [this] { setRulerOn(!m_rulerOn); });
}

} // namespace laggard
