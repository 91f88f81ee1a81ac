// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/TimelineView.h"

#include <QFontMetricsF>

#include <algorithm>

namespace laggard {

double TimelineView::pinnedHeight() const { return std::min(rows->pinnedHeight(), std::floor((area.height() - axisHeight) / 2)); }

QRectF TimelineView::pinnedRect() const {
    const QRectF plot = plotRect();
    return {plot.left(), plot.top(), plot.width(), pinnedHeight()};
}

QRectF TimelineView::expanderRect(const TimelineRow &row) const {
    constexpr double width = 17;
    const double line = std::min(row.height, QFontMetricsF(font).height() + 2);
    return {area.left() + 10.0 * row.indent, topOf(row), width, line};
}

const TimelineRow *TimelineView::rowAt(double y) const {
    const double below = y - area.top() - axisHeight;
    if (below < 0 || y >= area.bottom())
        return nullptr;
    if (below < pinnedHeight())
        return rows->pinnedRowAt(below);
    return rows->rowAt(below - pinnedHeight() + scrollY);
}

std::vector<const TimelineRow *> TimelineView::visibleRows() const {
    std::vector<const TimelineRow *> visible;
    const double pinned = pinnedHeight();
    for (const TimelineRow &row : rows->pinnedRows())
        if (row.y < pinned)
            visible.push_back(&row);
    const double height = area.height() - axisHeight - pinned;
    const std::vector<TimelineRow> &all = rows->rows();
    auto row = std::partition_point(all.begin(), all.end(), [this](const TimelineRow &r) { return r.y + r.height <= scrollY; });
    for (; row != all.end() && row->y < scrollY + height; ++row)
        visible.push_back(&*row);
    return visible;
}

std::optional<double> TimelineView::laneCentre(LocationIndex location, std::uint32_t depth) const {
    if (location >= trace->locations.size())
        return {};
    const Rank rank = trace->locations[location].rank;
    const TimelineRow *row = rank == none ? nullptr : rows->pinnedRowOf(rank);
    if (row == nullptr || row->location != location)
        row = row != nullptr ? row : rows->rowOfLocation(location);
    if (row == nullptr)
        return {};
    const bool nested = !row->lanes.empty() && row->lanes.front() != innermostLane;
    if (!nested)
        return topOf(*row) + row->height / 2;
    const double lane = std::min<double>(depth, static_cast<double>(row->lanes.size() - 1));
    return topOf(*row) + (lane + 0.5) * laneHeight(*row);
}

CallFilter callFilter(const Filter &filter, const Trace &trace) {
    CallFilter result;
    result.minimumDuration = filter.minimumDuration;
    result.time = filter.time;
    if (!filter.hiddenRegions.empty() || !filter.onlyRegions.empty()) {
        result.shown.resize(trace.regions.size());
        for (RegionId region = 0; region < trace.regions.size(); ++region)
            result.shown[region] = filter.showsRegion(region);
    }
    return result;
}

} // namespace laggard
