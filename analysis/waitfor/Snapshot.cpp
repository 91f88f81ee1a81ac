// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/waitfor/Snapshot.h"

#include "analysis/waitfor/ActiveThread.h"
#include "analysis/waitfor/WaitIndex.h"
#include "trace/Parallel.h"

#include <algorithm>

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

/// A thread in the call of `row`, its innermost one. `openCall` becomes the outermost MPI call, if there is one.
Activity insideCall(const Snapshot &snapshot, const LocationEvents &events, std::uint32_t row, std::uint32_t &openCall) {
    const Trace &trace = snapshot.trace;
    const Track &track = events.track;
    Activity activity{.kind = Kind::Computing, .row = row, .callPath = track.callPath[row], .since = track.start[row]};
    if (track.isOpen(row) && row == track.innermostOpen())
        activity.site = events.stoppedAt;
    if (!trace.region(activity.callPath).isMpi())
        return activity;
    for (openCall = row; track.parent[openCall] != none && trace.region(track.callPath[track.parent[openCall]]).isMpi();)
        openCall = track.parent[openCall];
    activity.kind = kindOfCall(snapshot.calls[track.callPath[openCall]]);
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
        row == none ? betweenCalls(snapshot, rank, track, snapshot.at) : insideCall(snapshot, *events, row, openCall);
    if (activity.kind != Kind::Computing)
        return activity;
    if (active.location != trace.processes[rank].mainLocation) {
        const Tick mainSince = activity.since;
        activity = insideCall(snapshot, trace.locations[active.location].events, active.row, openCall);
        activity.since = std::max(activity.since, mainSince);
        activity.thread = active.location;
    }
    activity.certainty = active.certainty;
    return activity;
}

/// Ranks of which the recording ends between MPI calls may compute or be gone. If all ends there, the job is over.
void settleEnds(Snapshot &snapshot) {
    const auto hasEnded = [&](Rank rank) {
        const Activity &activity = snapshot.activities[rank];
        if (activity.kind == Kind::Finished || activity.kind == Kind::Unknown)
            return true;
        if (activity.kind != Kind::Computing || activity.row != none)
            return false;
        const Track &track = snapshot.trace.mainEvents(rank)->track;
        return track.empty() || track.start.back() <= snapshot.at;
    };
    for (Rank rank = 0; rank < snapshot.activities.size(); ++rank)
        if (!hasEnded(rank))
            return;
    for (Activity &activity : snapshot.activities)
        if (activity.kind == Kind::Computing)
            activity.kind = Kind::Finished;
}

/// Recordings are begun in MPI_Init: where all that there are stand in it, a rank without one has not come to it. Otherwise what
/// became of such a rank is not known.
void settleStart(Snapshot &snapshot) {
    const Trace &trace = snapshot.trace;
    if (trace.format != "recording" || trace.part.ranks)
        return;
    RankSet absent;
    for (Rank rank = 0; rank < snapshot.activities.size(); ++rank) {
        const bool hasNothing = std::ranges::all_of(trace.processes[rank].locations, [&](LocationIndex location) {
            return trace.locations[location].eventCount == 0 && !trace.locations[location].damaged;
        });
        if (hasNothing)
            absent.push_back(rank);
        else if (snapshot.openCalls[rank] == none || snapshot.openCall(rank).kind != MpiCall::Kind::Init)
            return;
    }
    if (absent.size() < snapshot.activities.size())
        for (const Rank rank : absent)
            snapshot.activities[rank] = {.kind = Kind::NotStarted};
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
    settleEnds(*this);
    settleStart(*this);
}

const MpiCall &Snapshot::openCall(Rank rank) const { return calls[events(rank).track.callPath[openCalls[rank]]]; }

bool Snapshot::returnsLater(Rank rank) const { return !events(rank).track.isOpen(openCalls[rank]); }

LocationIndex Snapshot::location(Rank rank) const {
    return activities[rank].thread != none ? activities[rank].thread : trace.processes[rank].mainLocation;
}

} // namespace laggard
