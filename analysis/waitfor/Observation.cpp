// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/waitfor/Observation.h"

#include "analysis/waitfor/CommunicatorGuess.h"
#include "analysis/waitfor/OpenCall.h"
#include "analysis/waitfor/UnreceivedMessages.h"
#include "trace/Parallel.h"

#include <algorithm>
#include <map>

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

/// Collectives that were posted by calls that have returned, and completed later or never: by communicator.
void addPosted(const LocationEvents &events, Tick at, std::map<CommunicatorId, std::uint32_t> &posted) {
    for (const PendingRequest &request : events.pending)
        if (request.kind == PendingRequest::Kind::Collective && request.collectiveKind != none && request.posted <= at)
            ++posted[events.collectiveKinds[request.collectiveKind].communicator];
    for (std::size_t i = events.collectives.size(); i-- > 0 && events.collectives.end[i] > at;)
        if (const std::uint32_t row = events.collectives.row[i]; row != none && events.track.end[row] <= at)
            ++posted[events.collectiveKinds[events.collectives.kind[i]].communicator];
}

/// Collectives that a rank has completed on each communicator, over all its threads, and those that it has posted.
std::vector<CollectiveCount> countCollectives(const Trace &trace, Rank rank, Tick at) {
    std::map<CommunicatorId, std::uint32_t> counts;
    std::map<CommunicatorId, std::uint32_t> posted; // and not completed
    for (const LocationIndex location : trace.processes[rank].locations) {
        const LocationEvents &events = trace.locations[location].events;
        for (const EarlierCollectives &earlier : events.earlierCollectives)
            counts[earlier.communicator] += earlier.count;
        std::vector<std::uint32_t> ofKind(events.collectiveKinds.size(), 0);
        for (std::size_t i = 0; i < events.collectives.size() && events.collectives.end[i] <= at; ++i)
            ++ofKind[events.collectives.kind[i]];
        for (std::size_t kind = 0; kind < ofKind.size(); ++kind)
            if (events.collectiveKinds[kind].communicator != none)
                counts[events.collectiveKinds[kind].communicator] += ofKind[kind];
        addPosted(events, at, posted);
    }
    std::vector<CollectiveCount> result;
    for (const auto &[communicator, count] : posted)
        counts.try_emplace(communicator, 0);
    for (const auto &[communicator, completed] : counts) {
        const auto more = posted.find(communicator);
        result.push_back({communicator, completed + (more == posted.end() ? 0 : more->second), completed});
    }
    return result;
}

/// Counts the collective that the rank is in as begun, and gives it its number: it comes after those that were posted before,
/// unless the call waits for one of these.
void beginOpenCollective(const Snapshot &snapshot, TaskState &task) {
    if (!task.open.isCollective)
        return;
    const MpiCall &call = snapshot.calls[task.mpiPath];
    const CommunicatorId communicator = task.open.collective.communicator;
    auto entry = std::lower_bound(task.collectives.begin(), task.collectives.end(), communicator,
                                  [](const CollectiveCount &c, CommunicatorId id) { return c.communicator < id; });
    if (entry == task.collectives.end() || entry->communicator != communicator)
        entry = task.collectives.insert(entry, {communicator, 0, 0});
    const bool isPosted = (call.isWait() || call.isPoll()) && entry->begun > entry->completed;
    if (task.open.collectiveNumber == none)
        task.open.collectiveNumber = isPosted ? entry->completed : entry->begun;
    if (!isPosted)
        ++entry->begun;
}

void guessCommunicators(const Snapshot &snapshot, JobState &state) {
    CommunicatorGuess guess(snapshot);
    for (Rank rank = 0; rank < state.tasks.size(); ++rank) {
        TaskState &task = state.tasks[rank];
        if (task.activity.kind == Activity::Kind::Collective && !task.open.isCollective &&
            snapshot.openCall(rank).kind != MpiCall::Kind::Init)
            guess.complete(rank, task.open);
    }
}

} // namespace

JobState observe(const Snapshot &snapshot, const Work &work) {
    const Trace &trace = snapshot.trace;
    JobState state;
    state.at = snapshot.at;
    state.lastEvent = lastEventBefore(trace, snapshot.at);
    state.tasks.resize(trace.processes.size());
    forEachParallel(state.tasks.size(), work, [&](std::size_t i, unsigned) {
        const auto rank = static_cast<Rank>(i);
        TaskState &task = state.tasks[rank];
        task.activity = snapshot.activities[rank];
        if (snapshot.openCalls[rank] != none)
            task.mpiPath = trace.mainEvents(rank)->track.callPath[snapshot.openCalls[rank]];
        if (mayWait(task.activity) && task.mpiPath != none)
            task.open = describeOpenCall(snapshot, rank);
        task.collectives = countCollectives(trace, rank, snapshot.at);
    });
    guessCommunicators(snapshot, state);
    for (TaskState &task : state.tasks)
        beginOpenCollective(snapshot, task);
    state.unreceived = unreceivedMessages(snapshot, work);
    return state;
}

} // namespace laggard
