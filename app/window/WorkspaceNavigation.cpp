// SPDX-License-Identifier: GPL-3.0-or-later
// How a workspace brings into sight what is selected.
#include "app/window/Workspace.h"
#include "views/panels/FindingsPanel.h"
#include "views/timeline/TimelineWidget.h"

#include <algorithm>

namespace laggard {
namespace {

/// More pinned rows than this would leave no room for the others.
constexpr std::size_t mostPinned = 4;

} // namespace

std::optional<std::uint32_t> Workspace::leastProgressedNode() const {
    const std::vector<ProgressNode> &nodes = shown()->progress.nodes;
    for (std::uint32_t id = 0; id < nodes.size(); ++id)
        if (nodes[id].leastProgressed)
            return id;
    return std::nullopt;
}

namespace {

/// The call that these ranks left out, or did not follow by what was due: `none` if it is not one of one rank.
CallPathId causeOf(const WaitForVerdict &verdict, const RankSet &ranks) {
    if (ranks.size() != 1)
        return none;
    const Rank rank = ranks.front();
    if (!verdict.missingSends.empty() && verdict.kind == WaitForVerdict::Kind::MissingSend &&
        verdict.missingSends.front().from == rank)
        return verdict.missingSends.front().callPath;
    if (verdict.kind == WaitForVerdict::Kind::LeftOut && verdict.leftOut && verdict.leftOut->debtor == rank)
        return verdict.leftOut->callPath;
    if (verdict.heldLock && verdict.heldLock->holder == rank)
        return verdict.heldLock->takenBy;
    if (verdict.habitBreak && verdict.habitBreak->rank == rank)
        return verdict.habitBreak->isKept ? verdict.habitBreak->after : verdict.habitBreak->made;
    return none;
}

} // namespace

void Workspace::showLeastProgressed() {
    if (!m_document)
        return;
    const std::optional<std::uint32_t> id = leastProgressedNode();
    if (!id) {
        emit message(tr("No rank has made less progress than the others"));
        return;
    }
    const ProgressNode &node = shown()->progress.nodes[*id];
    Selection selection;
    selection.ranks = node.ranks;
    selection.callPath = node.callPath;
    selection.node = id;
    // Where the rank waits now is the effect; the line to read is the one that should have sent, or that took the lock.
    if (const CallPathId cause = causeOf(shown()->waits.verdict, node.ranks); cause != none)
        selection.callPath = cause;
    m_selection.select(selection);
    centreLastCall(node.ranks.front());
}

bool Workspace::hidesNode(const ProgressNode &node, const Filter &filter) const {
    const Trace &trace = *m_document->report->trace;
    if (filter.ranks && !std::includes(filter.ranks->begin(), filter.ranks->end(), node.ranks.begin(), node.ranks.end()))
        return true;
    const LocationEvents *events = trace.mainEvents(node.ranks.front());
    const std::uint32_t row = events != nullptr ? events->track.innermostAt(shown()->progress.at) : none;
    if (row == none)
        return false;
    const Tick begin = events->track.start[row];
    const Tick end = std::min(events->track.end[row], trace.range.end);
    return !filter.showsRegion(trace.callPaths[events->track.callPath[row]].region) || end - begin < filter.minimumDuration ||
           (filter.time && (begin > filter.time->end || end < filter.time->begin));
}

void Workspace::chooseFirstFinding() {
    // Where nobody is least progressed, nothing was chosen at first: the best finding is the first screen then.
    if (m_moment || leastProgressedNode() || !m_selection.current().isEmpty() || m_selection.canGoBack())
        return;
    m_findings->chooseFirst();
    showSelected();
}

void Workspace::uncoverLeastProgressed() {
    if (!m_document)
        return;
    const std::optional<std::uint32_t> id = leastProgressedNode();
    if (!id)
        return;
    const ProgressNode &node = shown()->progress.nodes[*id];
    if (hidesNode(node, m_zoomFilter.filter())) {
        m_zoomFilter.setFilter({});
        emit message(tr("The filter of the last time would hide the least progressed: it was lifted. Undo brings it back."));
    }
    centreLastCall(node.ranks.front());
}

void Workspace::centreLastCall(Rank rank) {
    const Trace &trace = *m_document->report->trace;
    const LocationEvents *events = rank < trace.processes.size() ? trace.mainEvents(rank) : nullptr;
    if (events == nullptr || events->track.empty())
        return;
    const Track &track = events->track;
    const std::uint32_t open = track.innermostAt(shown()->progress.at);
    const std::uint32_t row = open != none ? open : static_cast<std::uint32_t>(track.size() - 1);
    const TimeRange zoom = m_zoomFilter.zoom();
    if (track.start[row] >= zoom.begin && track.start[row] <= zoom.end)
        return;
    const Tick before = std::min(zoom.length() / 2, track.start[row] - trace.range.begin);
    const Tick begin = track.start[row] - before;
    m_zoomFilter.setZoom({begin, begin + zoom.length()});
}

void Workspace::showSelected() {
    const Selection &selection = m_selection.current();
    if (!m_document || selection.ranks.empty())
        return;
    const Rank rank = selection.ranks.front();
    m_timeline->setPinned(selection.ranks.size() <= mostPinned ? selection.ranks : RankSet());
    m_timeline->showRank(rank);
    const TimeRange zoom = m_zoomFilter.zoom();
    if (selection.time && (selection.time->begin > zoom.end || selection.time->end < zoom.begin)) {
        const Tick before = std::min(zoom.length() / 2, selection.time->begin - m_zoomFilter.whole().begin);
        m_zoomFilter.setZoom({selection.time->begin - before, selection.time->begin - before + zoom.length()});
    } else if (!selection.time && selection.callPath != none) {
        centreCall(rank, selection.callPath);
    }
}

void Workspace::centreCall(Rank rank, CallPathId path) {
    const Trace &trace = *m_document->report->trace;
    const LocationEvents *events = rank < trace.processes.size() ? trace.mainEvents(rank) : nullptr;
    if (events == nullptr)
        return;
    const Track &track = events->track;
    const TimeRange zoom = m_zoomFilter.zoom();
    std::uint32_t longest = none;
    const auto length = [&](std::uint32_t row) { return std::min(track.end[row], trace.range.end) - track.start[row]; };
    for (std::uint32_t row = 0; row < track.size(); ++row) {
        if (track.callPath[row] != path)
            continue;
        if (track.start[row] <= zoom.end && track.end[row] >= zoom.begin)
            return; // one is in sight
        if (longest == none || length(row) > length(longest))
            longest = row;
    }
    if (longest == none)
        return;
    const Tick before = std::min(zoom.length() / 2, track.start[longest] - trace.range.begin);
    m_zoomFilter.setZoom({track.start[longest] - before, track.start[longest] - before + zoom.length()});
}

void Workspace::followSelection(const Selection &selection) {
    if (!m_document)
        return;
    if (selection.node) {
        m_timeline->setPinned(selection.ranks.size() <= mostPinned ? selection.ranks : RankSet());
        if (!selection.ranks.empty()) {
            m_timeline->showRank(selection.ranks.front());
            centreLastCall(selection.ranks.front());
        }
    }
    if (selection.step)
        showSelected(); // also when it is come back to
    if (m_legend->scope() == LegendPanel::Scope::Selection)
        updateStatistics();
}

} // namespace laggard
