// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/StackPanel.h"

#include "analysis/verdict/Describe.h"
#include "views/kit/ElidedLabel.h"
#include "views/kit/ItemView.h"
#include "views/kit/TableText.h"
#include "views/kit/Text.h"
#include "views/selection/SelectionModel.h"

#include <QComboBox>
#include <QScopedValueRollback>
#include <QVBoxLayout>

#include <algorithm>

namespace laggard {

StackPanel::StackPanel(SelectionModel &selection, Scope scope, QWidget *parent)
    : QWidget(parent),
      m_selection(selection),
      m_scope(new QComboBox),
      m_time(new ElidedLabel(Qt::ElideMiddle)),
      m_view(new ItemView(scope == Scope::AllRanks ? tr("Call-prefix tree") : tr("Call stack"))) {
    m_scope->addItem(tr("All ranks"));
    m_scope->addItem(tr("Selected ranks"));
    m_scope->setCurrentIndex(scope == Scope::AllRanks ? 0 : 1);
    m_scope->setAccessibleName(tr("Ranks whose stacks are merged"));
    auto *bar = new QHBoxLayout;
    bar->setContentsMargins(8, 4, 8, 4);
    bar->setSpacing(6);
    bar->addWidget(m_scope);
    bar->addWidget(m_time, 1);
    m_view->setModel(&m_model);
    m_view->setEmptyText(tr("No open calls."));
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(bar);
    layout->addWidget(m_view, 1);
    setFocusProxy(m_view);

    connect(m_view, &ItemView::chosen, this, &StackPanel::choose);
    connect(m_scope, &QComboBox::currentIndexChanged, this, &StackPanel::rebuild);
    connect(&m_selection, &SelectionModel::changed, this, &StackPanel::showSelection);
    rebuild();
}

StackPanel::Scope StackPanel::scope() const { return m_scope->currentIndex() == 0 ? Scope::AllRanks : Scope::SelectedRanks; }

void StackPanel::setScope(Scope scope) { m_scope->setCurrentIndex(scope == Scope::AllRanks ? 0 : 1); }

void StackPanel::setReport(TracePtr trace, std::shared_ptr<const WaitForGraph> waits,
                           std::shared_ptr<const ProgressGraph> progress) {
    m_trace = std::move(trace);
    m_waits = std::move(waits);
    m_progress = std::move(progress);
    rebuild();
}

std::optional<StackPanel::ShownCall> StackPanel::selectedCall() const {
    const Selection &selection = m_selection.current();
    if (scope() == Scope::AllRanks || !m_trace || !selection.time || selection.ranks.empty() ||
        selection.callPath >= m_trace->callPaths.size())
        return std::nullopt;
    return ShownCall{selection.callPath, selection.time->begin};
}

std::vector<Activity> StackPanel::activitiesOf(const ShownCall &call) const {
    std::vector<Activity> activities = m_waits->activities;
    for (const Rank rank : m_shownRanks) {
        if (rank >= activities.size())
            continue;
        const LocationEvents *events = m_trace->mainEvents(rank);
        const std::uint32_t row = events == nullptr ? none : events->track.innermostAt(call.at);
        activities[rank].callPath = m_shownRanks.size() == 1 ? call.path : row == none ? none : events->track.callPath[row];
    }
    return activities;
}

void StackPanel::rebuild() {
    m_shownCall = selectedCall();
    m_shownRanks = scope() == Scope::SelectedRanks ? m_selection.current().ranks : RankSet();
    if (!m_trace || !m_waits) {
        m_model.setTree({}, {}, {});
        m_time->setFullText({});
        return;
    }
    if (m_shownCall)
        m_model.setTree(m_trace, buildCallPrefixTree(m_trace->callPaths, activitiesOf(*m_shownCall), m_shownRanks), {});
    else
        m_model.setTree(m_trace, buildCallPrefixTree(m_trace->callPaths, m_waits->activities, m_shownRanks),
                        m_progress ? m_progress->leastProgressed : RankSet());
    const std::size_t all = m_trace->processes.size();
    QString shown = m_shownRanks.empty() && all != 1 ? tr("all %1").arg(toText(plural(all, "rank")))
                                                     : rankPhrase(m_shownRanks.empty() ? RankSet{0} : m_shownRanks);
    if (m_trace->range.length() > 0) // a dump may know of no time
        shown = tr("%1, at %2")
                    .arg(shown, toText(describeDuration(m_trace->seconds(
                                    std::min(m_shownCall ? m_shownCall->at : m_waits->at, m_trace->range.end)))));
    m_time->setFullText(shown);
    // Of one rank both columns say the same in each row, and the line above says it too.
    for (const int column : {CallPrefixModel::Count, CallPrefixModel::Ranks})
        m_view->setColumnHidden(column, m_shownRanks.size() == 1);
    m_view->expandAll();
    m_view->fitColumns(CallPrefixModel::Function, 28);
    showSelection(m_selection.current());
}

void StackPanel::choose(const QModelIndex &index, SelectMode mode) {
    // A tree of the selected ranks stays as it is while its own rows are chosen: the other branches must not vanish.
    const QScopedValueRollback<bool> guard(m_selecting, true);
    Selection selection;
    selection.ranks = m_model.ranks(index);
    selection.callPath = m_model.callPath(index);
    m_selection.select(selection, mode);
}

void StackPanel::showSelection(const Selection &selection) {
    if (!m_selecting && scope() == Scope::SelectedRanks && (selection.ranks != m_shownRanks || selectedCall() != m_shownCall)) {
        rebuild();
        return;
    }
    const QModelIndex row = m_model.find(selection.callPath);
    m_view->mark(row.isValid() ? QModelIndexList{row} : QModelIndexList());
}

QByteArray StackPanel::csv() const { return m_view->csv(); }

} // namespace laggard
