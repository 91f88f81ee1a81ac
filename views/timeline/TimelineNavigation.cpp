// SPDX-License-Identifier: GPL-3.0-or-later
// How the timeline widget gets from one place to another: zoom, ranks, functions, calls.
#include "views/timeline/OverviewStrip.h"
#include "views/timeline/TimelineWidget.h"

#include "views/picture/PictureText.h"

#include <QScrollBar>

#include <algorithm>
#include <cmath>

namespace laggard {
namespace {

constexpr std::size_t mostSearched = 4096; ///< locations, in a search for a function

} // namespace

void TimelineWidget::zoomBy(double factor, double x, bool merge) {
    if (m_trace)
        m_zoomFilter.setZoom(view().axis().zoomed(factor, x, m_zoomFilter.whole()), merge);
}

void TimelineWidget::panBy(double pixels) {
    if (m_trace)
        m_zoomFilter.setZoom(view().axis().panned(pixels, m_zoomFilter.whole()), true);
}

void TimelineWidget::zoomToFit() { m_zoomFilter.setZoom(m_zoomFilter.whole()); }

void TimelineWidget::zoomTo(TimeRange range) { m_zoomFilter.setZoom(range); }

void TimelineWidget::focusSelection() {
    if (!m_trace)
        return;
    const Selection &selection = m_selection.current();
    std::optional<TimeRange> range = selection.time;
    if (!range && !selection.ranks.empty()) {
        const LocationEvents *events =
            selection.ranks.front() < m_trace->processes.size() ? m_trace->mainEvents(selection.ranks.front()) : nullptr;
        if (events != nullptr && !events->track.empty()) {
            const Track &track = events->track;
            const std::uint32_t open = track.innermostOpen();
            const std::uint32_t row = open != none ? open : static_cast<std::uint32_t>(track.size() - 1);
            // A call that never returned may fill the rest of the trace; its beginning is what there is to see.
            const Tick end = track.isOpen(row) ? std::min(m_trace->range.end, track.start[row] + m_zoomFilter.zoom().length() / 2)
                                               : track.end[row];
            range = TimeRange{track.start[row], std::max(track.start[row], end)};
        }
    }
    if (!range)
        return;
    const Tick around = std::max<Tick>(8, range->length() / 4);
    const TimeRange whole = m_zoomFilter.whole();
    m_zoomFilter.setZoom(
        {range->begin - std::min(around, range->begin - whole.begin), range->end + std::min(around, whole.end - range->end)});
    if (!selection.ranks.empty())
        showRank(selection.ranks.front());
}

void TimelineWidget::showRank(Rank rank) {
    m_rows.reveal(rank);
    rowsChanged();
    const TimelineRow *row = m_rows.rowOf(rank);
    if (row == nullptr)
        return;
    const double room = view().scrollRect().height();
    const double top = verticalScrollBar()->value();
    if (row->y < top || row->y + row->height > top + room)
        verticalScrollBar()->setValue(static_cast<int>(row->y - std::max(0.0, (room - row->height) / 2)));
}

void TimelineWidget::goToRank(Rank rank) {
    if (!m_trace || rank >= m_trace->processes.size())
        return;
    Selection selection;
    selection.ranks = {rank};
    m_selection.select(selection);
    showRank(rank);
}

void TimelineWidget::goToFunction(RegionId region) {
    if (!m_trace || region >= m_trace->regions.size())
        return;
    Selection selection;
    selection.ranks = m_selection.current().ranks;
    selection.region = region;
    m_selection.select(selection);
    findOccurrence(SearchDirection::Forward);
}

void TimelineWidget::goToTime(Tick time) {
    if (!m_trace)
        return;
    setCursorTime(std::clamp(time, m_trace->range.begin, m_trace->range.end));
    const TimeRange zoom = m_zoomFilter.zoom();
    if (*m_cursor >= zoom.begin && *m_cursor <= zoom.end)
        return;
    const Tick half = std::min(zoom.length() / 2, *m_cursor - m_zoomFilter.whole().begin);
    m_zoomFilter.setZoom({*m_cursor - half, *m_cursor - half + zoom.length()});
}

void TimelineWidget::setCursorTime(const std::optional<Tick> &time) {
    if (m_cursor == time)
        return;
    m_cursor = time;
    m_overview->setCursorTime(time);
    viewport()->update();
    if (m_cursor)
        emit cursorMoved(*m_cursor);
}

void TimelineWidget::setRulerOn(bool on) {
    m_rulerOn = on;
    if (!on)
        m_overlay.ruler.reset();
    viewport()->setCursor(on ? Qt::CrossCursor : Qt::ArrowCursor);
    viewport()->update();
    emit message(on ? tr("Ruler: drag to measure; M or Escape ends") : QString());
}

bool TimelineWidget::findOccurrence(SearchDirection direction) {
    if (!m_trace)
        return false;
    const Selection &selection = m_selection.current();
    RegionId region = selection.region;
    if (region == none && selection.callPath < m_trace->callPaths.size())
        region = m_trace->callPaths[selection.callPath].region;
    if (region >= m_trace->regions.size()) {
        emit message(tr("Select a function first"));
        return false;
    }
    RankSet ranks = selection.ranks;
    if (ranks.empty())
        for (const TimelineRow &row : m_rows.rows())
            ranks.insert(ranks.end(), row.ranks.begin(), row.ranks.end());
    std::sort(ranks.begin(), ranks.end());
    ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
    const bool forward = direction == SearchDirection::Forward;
    const Tick from = selection.time && selection.callPath != none ? selection.time->begin
                      : m_cursor                                   ? *m_cursor
                      : forward                                    ? m_zoomFilter.zoom().begin
                                                                   : m_zoomFilter.zoom().end;
    LocationIndex best = none;
    std::uint32_t bestRow = none;
    Tick bestStart = 0;
    for (std::size_t i = 0; i < std::min(ranks.size(), mostSearched); ++i) {
        const LocationIndex location = ranks[i] < m_trace->processes.size() ? m_trace->processes[ranks[i]].mainLocation : none;
        if (location == none || m_trace->locations[location].events.track.empty())
            continue;
        const Track &track = m_trace->locations[location].events.track;
        const std::uint32_t start = searchStart(track, from, direction);
        // Everything begins after, or before, that time: there is nothing to find in the other direction.
        if (!forward && track.start[0] >= from)
            continue;
        const std::uint32_t row = findCall(*m_trace, m_pyramid->tracks[location], location, region, start, direction);
        if (row == none)
            continue;
        const Tick at = track.start[row];
        if (best == none || (forward ? at < bestStart : at > bestStart)) {
            best = location;
            bestRow = row;
            bestStart = at;
        }
    }
    if (best == none) {
        emit message(forward ? tr("No later call of %1").arg(showable(m_trace->regions[region].name))
                             : tr("No earlier call of %1").arg(showable(m_trace->regions[region].name)));
        return false;
    }
    showCall(best, bestRow);
    return true;
}

void TimelineWidget::showTime(TimeRange time) {
    if (!m_trace)
        return;
    const TimeRange zoom = m_zoomFilter.zoom();
    // At least so wide that it can be seen: a thirtieth of the window.
    const Tick length = std::max<Tick>(1, time.length());
    const Tick wanted = zoom.length() / 300 > length ? (length > openEnd / 30 ? zoom.length() : length * 30) : zoom.length();
    if (time.begin < zoom.begin || time.begin > zoom.end || wanted != zoom.length()) {
        const Tick before = std::min(wanted / 3, time.begin - m_zoomFilter.whole().begin);
        m_zoomFilter.setZoom({time.begin - before, time.begin - before + wanted});
    }
}

/// Selects a call and brings it into the window.
void TimelineWidget::showCall(LocationIndex location, std::uint32_t row) {
    const Track &track = m_trace->locations[location].events.track;
    const Tick begin = track.start[row];
    showTime({begin, std::max(begin, shownEnd(track, row, m_trace->range.end))});
    selectCall(location, row, SelectMode::Replace);
    setCursorTime(begin);
    showRank(m_trace->locations[location].rank);
}

void TimelineWidget::selectCall(LocationIndex location, std::uint32_t row, SelectMode mode) {
    const Track &track = m_trace->locations[location].events.track;
    Selection selection;
    selection.ranks = {m_trace->locations[location].rank};
    selection.callPath = track.callPath[row];
    selection.region = m_trace->callPaths[selection.callPath].region;
    selection.time = TimeRange{track.start[row], std::max(track.start[row], shownEnd(track, row, m_trace->range.end))};
    m_selection.select(selection, mode);
}

void TimelineWidget::stepRank(int by) {
    // From row to row, in the order shown.
    std::vector<const TimelineRow *> ranks;
    for (const std::vector<TimelineRow> *rows : {&m_rows.pinnedRows(), &m_rows.rows()})
        for (const TimelineRow &row : *rows)
            if (row.kind != TimelineRow::Kind::Thread)
                ranks.push_back(&row);
    if (ranks.empty())
        return;
    const RankSet &selected = m_selection.current().ranks;
    std::size_t at = 0;
    const auto holds = [&selected](const TimelineRow *row) {
        return !selected.empty() && std::find(row->ranks.begin(), row->ranks.end(), selected.front()) != row->ranks.end();
    };
    const auto found = std::find_if(ranks.rbegin(), ranks.rend(), holds);
    if (found != ranks.rend()) {
        const auto position = static_cast<std::ptrdiff_t>(ranks.rend() - found) - 1 + by;
        at = static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(position, 0, static_cast<std::ptrdiff_t>(ranks.size()) - 1));
    }
    Selection selection;
    selection.ranks = ranks[at]->ranks;
    std::sort(selection.ranks.begin(), selection.ranks.end());
    const Rank first = selection.ranks.front();
    const bool isGroup = ranks[at]->kind == TimelineRow::Kind::Group;
    m_selection.select(selection);
    if (!isGroup)
        showRank(first);
}

void TimelineWidget::stepCall(SearchDirection direction) {
    const Selection &selection = m_selection.current();
    const Rank rank =
        selection.ranks.empty() ? (m_rows.rows().empty() ? none : m_rows.rows().front().ranks.front()) : selection.ranks.front();
    const LocationIndex location = rank < m_trace->processes.size() ? m_trace->processes[rank].mainLocation : none;
    if (location == none || m_trace->locations[location].events.track.empty())
        return;
    const Track &track = m_trace->locations[location].events.track;
    const TrackPyramid &pyramid = m_pyramid->tracks[location];
    const bool onCall = selection.callPath < m_trace->callPaths.size() && selection.time;
    const Tick at = onCall ? selection.time->begin : m_cursor.value_or(m_zoomFilter.zoom().begin);
    std::uint32_t depth = pyramid.depthCount() - 1;
    if (onCall) {
        depth = std::min(m_trace->callPaths[selection.callPath].depth, depth);
    } else if (const std::uint32_t row = track.innermostAt(at); row != none) {
        showCall(location, row);
        return;
    }
    const std::span<const std::uint32_t> rows = pyramid.rowsAtDepth(depth);
    if (direction == SearchDirection::Forward) {
        const auto next = std::partition_point(rows.begin(), rows.end(), [&](std::uint32_t r) { return track.start[r] <= at; });
        if (next != rows.end())
            showCall(location, *next);
    } else {
        const auto next = std::partition_point(rows.begin(), rows.end(), [&](std::uint32_t r) { return track.start[r] < at; });
        if (next != rows.begin())
            showCall(location, *(next - 1));
    }
}

} // namespace laggard
