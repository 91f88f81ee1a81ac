// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/waitfor/Snapshot.h"

#include "analysis/waitfor/ActiveThread.h"
#include "analysis/waitfor/IdleLoop.h"
#include "analysis/waitfor/WaitIndex.h"
#include "trace/Parallel.h"

#include <algorithm>
#include <numeric>

namespace laggard {
namespace {

using Kind = Activity::Kind;

/// The latest row entered at or before `at`, with those it was called from, outermost last.
std::uint32_t outermostBefore(const Track &track, Tick at) {
    const auto after = std::upper_bound(track.start.begin(), track.start.end(), at);
    auto row = static_cast<std::uint32_t>(after - track.start.begin() - 1);
    while (track.parent[row] != none)
        row = track.parent[row];
    return row;
}

/// When the rank completed MPI_Finalize, at or before `at`; openEnd if it did not.
Tick finalizedAt(const Snapshot &snapshot, Rank rank, const Track &track, Tick at) {
    if (snapshot.index != nullptr)
        return snapshot.index->finalizedAt(rank, at);
    for (auto row = static_cast<std::uint32_t>(track.size()); row-- > 0;)
        if (track.end[row] <= at && snapshot.calls[track.callPath[row]].kind == MpiCall::Kind::Finalize)
            return track.end[row];
    return openEnd;
}

/// True if a closed outermost call was the program itself: a function outside MPI in which all MPI calls were made.
bool isProgram(const Snapshot &snapshot, Rank rank, const Track &track, std::uint32_t outermost) {
    const Trace &trace = snapshot.trace;
    if (trace.region(track.callPath[outermost]).isMpi())
        return false;
    if (snapshot.index != nullptr)
        return !snapshot.index->callsMpiOutermost(rank);
    for (std::uint32_t row = 0; row < track.size(); ++row)
        if (track.parent[row] == none && trace.region(track.callPath[row]).isMpi())
            return false;
    return true;
}

Kind kindOfCall(const MpiCall &call) {
    if (call.kind == MpiCall::Kind::Finalize)
        return Kind::Finalizing;
    if (call.isCollective() || call.kind == MpiCall::Kind::Init)
        return Kind::Collective;
    return call.isPointToPoint() ? Kind::PointToPoint : Kind::OtherMpi;
}

/// A rank outside of all calls.
Activity betweenCalls(const Snapshot &snapshot, Rank rank, const Track &track, Tick at) {
    const std::uint32_t outermost = outermostBefore(track, at);
    const bool isLast = track.start.back() <= at;
    const bool finished = isLast && isProgram(snapshot, rank, track, outermost);
    return {.kind = finished ? Kind::Finished : Kind::Computing, .since = track.end[outermost]};
}

/// Since when a thread that polls at this row has done nothing else in MPI, and exchanged nothing with others: each poll begins
/// anew, and what it waits for is the same.
Tick pollingSince(const Snapshot &snapshot, const Location &location, std::uint32_t row) {
    constexpr std::uint32_t mostRows = 65536; // looked at: each moment asks anew
    constexpr double longest = 0.5;           // seconds between two polls; who takes longer does something else (HangState)
    const Track &track = location.events.track;
    const Tick exchanged = lastCommunication(snapshot.trace, location, snapshot.at);
    Tick since = track.start[row];
    for (std::uint32_t seen = 0; row > 0 && seen < mostRows && track.start[row - 1] >= exchanged; ++seen) {
        const MpiCall &call = snapshot.calls[track.callPath[--row]];
        if (call.isMpi() && (!call.isPoll() || snapshot.trace.seconds(since) - snapshot.trace.seconds(track.end[row]) > longest))
            break;
        since = call.isMpi() ? track.start[row] : since;
    }
    return since;
}

/// A thread in the call of `row`, its innermost one. `openCall` becomes the outermost MPI call, if there is one.
Activity insideCall(const Snapshot &snapshot, const Location &location, std::uint32_t row, std::uint32_t &openCall) {
    const Trace &trace = snapshot.trace;
    const LocationEvents &events = location.events;
    const Track &track = events.track;
    Activity activity{.kind = Kind::Computing, .row = row, .callPath = track.callPath[row], .since = track.start[row]};
    if (track.isOpen(row) && row == track.innermostOpen())
        activity.site = events.stoppedAt;
    if (!trace.region(activity.callPath).isMpi())
        return activity;
    for (openCall = row; track.parent[openCall] != none && trace.region(track.callPath[track.parent[openCall]]).isMpi();)
        openCall = track.parent[openCall];
    const MpiCall &call = snapshot.calls[track.callPath[openCall]];
    activity.kind = kindOfCall(call);
    if (call.isPoll() && trace.tellsOpenCalls)
        activity.since = pollingSince(snapshot, location, openCall);
    return activity;
}

Activity activityOf(const Snapshot &snapshot, Rank rank, std::uint32_t &openCall) {
    const Trace &trace = snapshot.trace;
    const LocationEvents *events = trace.mainEvents(rank);
    if (events == nullptr)
        return {};
    if (events->track.empty()) // a ring without entries: whatever it has enqueued is complete
        return trace.enqueues ? Activity{.kind = Kind::Computing, .since = trace.range.begin} : Activity();
    const Track &track = events->track;
    if (track.start[0] > snapshot.at)
        return {.kind = Kind::NotStarted};
    if (const Tick finalized = finalizedAt(snapshot, rank, track, snapshot.at); finalized != openEnd)
        return {.kind = Kind::Finished, .since = finalized};
    // MPI_Abort, and errors that are fatal, end the process inside a call.
    const std::uint32_t row = track.innermostAt(snapshot.at);
    const bool isInside = row != none && track.isOpen(row);
    if (const ProcessEnd &end = trace.processes[rank].end;
        end.kind == ProcessEnd::Kind::Exited && !end.isEndedByLibrary() && end.time <= snapshot.at && !isInside)
        return {.kind = Kind::Finished, .since = end.time};
    const Location &location = trace.locations[trace.processes[rank].mainLocation];
    // What a recording tells of the open call it tells only where that is the last that was recorded.
    if (location.damaged && !events->openParts && snapshot.at >= location.lastEvent)
        return {.since = location.lastEvent};
    const ActiveThread active = activeThread(trace, rank, snapshot.at);
    Activity activity =
        row == none ? betweenCalls(snapshot, rank, track, snapshot.at) : insideCall(snapshot, location, row, openCall);
    if (activity.kind != Kind::Computing)
        return activity;
    if (active.location != trace.processes[rank].mainLocation) {
        const Tick mainSince = activity.since;
        activity = insideCall(snapshot, trace.locations[active.location], active.row, openCall);
        activity.since = std::max(activity.since, mainSince);
        activity.thread = active.location;
    }
    activity.certainty = active.certainty;
    return activity;
}

bool hasEnded(const Snapshot &snapshot, Rank rank) {
    const Activity &activity = snapshot.activities[rank];
    if (activity.kind == Kind::Finished || activity.kind == Kind::Unknown)
        return true;
    if (activity.kind != Kind::Computing || activity.row != none)
        return false;
    const Track &track = snapshot.trace.mainEvents(rank)->track;
    return track.empty() || track.start.back() <= snapshot.at;
}

bool hasNothing(const Trace &trace, Rank rank) {
    return std::ranges::all_of(trace.processes[rank].locations, [&](LocationIndex location) {
        return trace.locations[location].eventCount == 0 && !trace.locations[location].damaged;
    });
}

RankSet allRanks(const Trace &trace) {
    RankSet ranks(trace.processes.size());
    std::iota(ranks.begin(), ranks.end(), Rank{0});
    return ranks;
}

} // namespace

Snapshot::Snapshot(const Trace &trace, Tick at, const Work &work, const WaitIndex *index)
    : trace(trace),
      at(std::clamp(at, trace.readRange().begin, trace.readRange().end)),
      index(index),
      calls(index != nullptr ? index->calls() : MpiCallTable(trace)),
      activities(trace.processes.size()),
      openCalls(trace.processes.size(), none) {
    forEachParallel(trace.processes.size(), work, [&](std::size_t rank, unsigned) {
        activities[rank] = activityOf(*this, static_cast<Rank>(rank), openCalls[rank]);
    });
    const RankSet ranks = allRanks(trace);
    settle(ranks, boundsOf(ranks));
}

Snapshot::Snapshot(const Trace &trace, const RankSet &ranks, const Work &work)
    : trace(trace),
      at(trace.readRange().end),
      index(nullptr),
      calls(trace),
      activities(trace.processes.size()),
      openCalls(trace.processes.size(), none) {
    forEachParallel(ranks.size(), work,
                    [&](std::size_t i, unsigned) { activities[ranks[i]] = activityOf(*this, ranks[i], openCalls[ranks[i]]); });
}

JobBounds Snapshot::boundsOf(const RankSet &ranks) const {
    JobBounds bounds;
    for (const Rank rank : ranks) {
        bounds.allEnded = bounds.allEnded && hasEnded(*this, rank);
        if (hasNothing(trace, rank))
            continue;
        bounds.anyPresent = true;
        bounds.allInInit = bounds.allInInit && openCalls[rank] != none && openCall(rank).kind == MpiCall::Kind::Init;
    }
    return bounds;
}

void Snapshot::settle(const RankSet &ranks, const JobBounds &bounds) {
    // Recordings are begun in MPI_Init. Of other traces, what became of a rank without events is not known.
    const bool tellsStart = trace.format == "recording" && !trace.part.ranks && bounds.allInInit && bounds.anyPresent;
    for (const Rank rank : ranks) {
        if (bounds.allEnded && activities[rank].kind == Kind::Computing)
            activities[rank].kind = Kind::Finished;
        if (tellsStart && hasNothing(trace, rank))
            activities[rank] = {.kind = Kind::NotStarted};
    }
}

const MpiCall &Snapshot::openCall(Rank rank) const { return calls[events(rank).track.callPath[openCalls[rank]]]; }

bool Snapshot::returnsLater(Rank rank) const { return !events(rank).track.isOpen(openCalls[rank]); }

LocationIndex Snapshot::location(Rank rank) const {
    return activities[rank].thread != none ? activities[rank].thread : trace.processes[rank].mainLocation;
}

} // namespace laggard
