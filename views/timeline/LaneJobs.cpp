// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/LaneJobs.h"

#include <algorithm>

namespace laggard {

std::vector<LocationIndex> groupMembersShown(const Trace &trace, const RankSet &ranks) {
    std::vector<LocationIndex> known;
    for (const Rank rank : ranks)
        if (trace.processes[rank].mainLocation != none && trace.isRead(rank))
            known.push_back(trace.processes[rank].mainLocation);
    std::vector<LocationIndex> shown;
    const std::size_t count = std::min(known.size(), groupSample);
    for (std::size_t i = 0; i < count; ++i)
        shown.push_back(known[i * known.size() / count]);
    return shown;
}

std::vector<LaneJob> laneJobs(const TimelineView &view, const std::vector<const TimelineRow *> &rows) {
    std::vector<LaneJob> jobs;
    const QRectF plot = view.plotRect();
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const TimelineRow &row = *rows[i];
        const QRectF clip = row.pinned ? view.pinnedRect() : view.scrollRect();
        const double top = view.topOf(row);
        // Bands alternate by what the row is, not by where it is on the screen.
        const bool odd = row.kind == TimelineRow::Kind::Group ? row.group % 2 == 1 : row.ranks.front() % 2 == 1;
        const QColor background = odd ? view.theme.band : view.theme.background;
        if (row.kind == TimelineRow::Kind::Group) {
            if (!row.expanded)
                jobs.push_back({&row,
                                innermostLane,
                                QRectF(plot.left(), top, plot.width(), row.height).intersected(clip),
                                background.rgb(),
                                {},
                                {},
                                {}});
            continue;
        }
        const double height = TimelineView::laneHeight(row);
        for (std::size_t lane = 0; lane < row.lanes.size(); ++lane) {
            const QRectF place =
                QRectF(plot.left(), top + static_cast<double>(lane) * height, plot.width(), height).intersected(clip);
            if (!place.isEmpty())
                jobs.push_back({&row, row.lanes[lane], place, background.rgb(), {}, {}, {}});
        }
    }
    return jobs;
}

void sampleJob(LaneJob &job, const TimelineView &view, const CallFilter &filter, std::uint32_t pixels) {
    if (job.row->kind == TimelineRow::Kind::Group) {
        const std::vector<LocationIndex> members = groupMembersShown(*view.trace, job.row->ranks);
        job.group = averageCells(*view.trace, *view.pyramid, members, view.window, pixels, filter);
    } else if (job.row->location != none) {
        job.sample = sampleLane(*view.trace, job.row->location, view.pyramid->tracks[job.row->location], job.lane, view.window,
                                pixels, filter);
    }
}

std::vector<RegionId> functionsOf(const std::vector<LaneJob> &jobs, const TimelineView &view) {
    const double pixelsPerTick = view.axis().pixelsPerTick();
    std::vector<double> seen(view.trace->regions.size());
    for (const LaneJob &job : jobs) {
        for (const VisibleCall &call : job.sample.calls) {
            const CallPathId path = view.trace->locations[job.row->location].events.track.callPath[call.row];
            const Tick from = std::max(call.start, view.window.begin);
            const Tick to = std::min(call.end, view.window.end);
            seen[view.trace->callPaths[path].region] += 1e-3 + (to > from ? static_cast<double>(to - from) * pixelsPerTick : 0);
        }
        for (const std::vector<PixelCell> *cells : {&job.group, &job.sample.cells})
            for (const PixelCell &cell : *cells)
                for (const PixelCell::Share &share : cell.functions)
                    if (share.region != none)
                        seen[share.region] += 1e-3 + share.part;
    }
    std::vector<RegionId> shown;
    for (RegionId region = 0; region < seen.size(); ++region)
        if (seen[region] > 0)
            shown.push_back(region);
    std::stable_sort(shown.begin(), shown.end(), [&seen](RegionId a, RegionId b) { return seen[a] > seen[b]; });
    return shown;
}

} // namespace laggard
