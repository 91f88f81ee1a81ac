// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/waitfor/WaitForGraph.h"

#include "analysis/waitfor/Judgement.h"
#include "analysis/waitfor/Waits.h"
#include "trace/Parallel.h"

#include <algorithm>

namespace laggard {
namespace {

bool mayWait(const Activity &activity) {
    return activity.kind == Activity::Kind::Collective || activity.kind == Activity::Kind::PointToPoint;
}

/// The latest time stamp at or before `at`, over all locations.
Tick lastEventBefore(const Trace &trace, Tick at) {
    Tick last = trace.range.begin;
    const auto consider = [&](const Column<Tick> &sorted) {
        const auto after = std::upper_bound(sorted.begin(), sorted.end(), at);
        if (after != sorted.begin())
            last = std::max(last, *(after - 1));
    };
    for (const Location &location : trace.locations) {
        if (location.eventCount != 0 && location.lastEvent <= at) {
            last = std::max(last, location.lastEvent);
            continue;
        }
        const Track &track = location.events.track;
        consider(track.start);
        consider(location.events.sends.time);
        consider(location.events.receives.time);
        for (std::uint32_t row = track.innermostAt(at) == none ? 0 : track.innermostAt(at);
             row < track.size() && track.start[row] <= at; ++row)
            if (track.end[row] <= at)
                last = std::max(last, track.end[row]);
    }
    return last;
}

} // namespace

WaitForGraph buildWaitForGraph(const Trace &trace, Tick at, const Work &work) {
    Snapshot snapshot(trace, at, work);
    std::vector<OpenCall> openCalls(trace.processes.size());
    forEachParallel(trace.processes.size(), work, [&](std::size_t rank, unsigned) {
        if (mayWait(snapshot.activities[rank]) && snapshot.openCalls[rank] != none)
            openCalls[rank] = describeOpenCall(snapshot, static_cast<Rank>(rank));
    });
    WaitForGraph graph;
    graph.at = snapshot.at;
    graph.lastEvent = lastEventBefore(trace, snapshot.at);
    findCollectiveWaits(snapshot, openCalls, graph.waits, work);
    findPointToPointWaits(snapshot, openCalls, UnreceivedMessages(trace, snapshot.at, work), graph.waits);
    throwIfCancelled(work);
    graph.verdict = judgeWaits(snapshot, graph.waits, work);
    graph.activities = std::move(snapshot.activities);
    return graph;
}

} // namespace laggard
