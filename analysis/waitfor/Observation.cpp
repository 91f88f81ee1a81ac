// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/waitfor/Observation.h"

#include "analysis/waitfor/CommunicatorGuess.h"
#include "analysis/waitfor/OpenCall.h"
#include "analysis/waitfor/PollHabits.h"
#include "analysis/waitfor/UnreceivedMessages.h"
#include "analysis/waitfor/WaitIndex.h"
#include "trace/Parallel.h"

#include <algorithm>
#include <map>
#include <span>
#include <tuple>

namespace laggard {

bool isNumbered(const CollectiveKind &kind) {
    return kind.communicator != none && kind.operation != CollectiveOperation::DestroyHandle;
}

bool mayWait(const Activity &activity) {
    return activity.kind == Activity::Kind::Collective || activity.kind == Activity::Kind::PointToPoint;
}

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
        // The last of the calls that have returned is the latest call entered, or the outermost of its callers that have.
        const auto entered = std::upper_bound(track.start.begin(), track.start.end(), at);
        auto row = entered == track.start.begin() ? none : static_cast<std::uint32_t>(entered - track.start.begin() - 1);
        for (; row != none && track.end[row] <= at; row = track.parent[row])
            last = std::max(last, track.end[row]);
    }
    return last;
}

namespace {

/// Whether the call that posted this collective had returned, and the collective was not completed.
bool wasPosted(const LocationEvents &events, std::uint32_t i, Tick at) {
    const std::uint32_t row = events.collectives.row[i];
    return row != none && events.track.end[row] <= at && events.collectives.end[i] > at;
}

/// Collectives that were posted by calls that have returned, and completed later or never: by communicator.
void addPosted(const LocationEvents &events, Tick at, const std::span<const std::uint32_t> *known,
               std::map<CommunicatorId, std::uint32_t> &posted) {
    for (const PendingRequest &request : events.pending)
        if (request.kind == PendingRequest::Kind::Collective && request.collectiveKind != none && request.posted <= at &&
            isNumbered(events.collectiveKinds[request.collectiveKind]))
            ++posted[events.collectiveKinds[request.collectiveKind].communicator];
    const std::size_t count = known != nullptr ? known->size() : events.collectives.size();
    for (std::size_t n = count; n-- > 0;) {
        const std::uint32_t i = known != nullptr ? (*known)[n] : static_cast<std::uint32_t>(n);
        if (events.collectives.end[i] <= at)
            break;
        if (wasPosted(events, i, at) && isNumbered(events.collectiveKinds[events.collectives.kind[i]]))
            ++posted[events.collectiveKinds[events.collectives.kind[i]].communicator];
    }
}

/// Collectives that a rank has completed on each communicator, over all its threads, and those that it has posted.
std::vector<CollectiveCount> countCollectives(const Snapshot &snapshot, Rank rank) {
    const Trace &trace = snapshot.trace;
    const Tick at = snapshot.at;
    std::map<CommunicatorId, std::uint32_t> counts;
    std::map<CommunicatorId, std::uint32_t> posted; // and not completed
    for (const LocationIndex location : trace.processes[rank].locations) {
        const LocationEvents &events = trace.locations[location].events;
        for (const EarlierCollectives &earlier : events.earlierCollectives)
            counts[earlier.communicator] += earlier.count;
        for (const QueuedOperation &queued : events.queue)
            if (queued.kind == QueuedOperation::Kind::Collective && queued.enqueued <= at)
                ++posted[queued.communicator()];
        if (snapshot.index != nullptr) {
            for (const auto &[communicator, count] : snapshot.index->completedCollectives(location, at))
                counts[communicator] += count;
            const std::span<const std::uint32_t> known = snapshot.index->postedCollectives(location);
            addPosted(events, at, &known, posted);
            continue;
        }
        std::vector<std::uint32_t> ofKind(events.collectiveKinds.size(), 0);
        for (std::size_t i = 0; i < events.collectives.size() && events.collectives.end[i] <= at; ++i)
            ++ofKind[events.collectives.kind[i]];
        for (std::size_t kind = 0; kind < ofKind.size(); ++kind)
            if (isNumbered(events.collectiveKinds[kind]))
                counts[events.collectiveKinds[kind].communicator] += ofKind[kind];
        addPosted(events, at, nullptr, posted);
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

} // namespace

void beginOpenCollective(const Snapshot &snapshot, TaskState &task) {
    if (task.open.isCollective && !isNumbered(task.open.collective))
        task.open.isCollective = false; // which instance it is cannot be told
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

namespace {

/// Receives in which other threads stand take messages as well.
void addOfOtherThreads(const Snapshot &snapshot, Rank rank, std::vector<PostedReceive> &posted) {
    const Process &process = snapshot.trace.processes[rank];
    if (snapshot.activities[rank].thread != none) // the one that counts is one of them
        return;
    for (const LocationIndex location : process.locations) {
        const LocationEvents &events = snapshot.trace.locations[location].events;
        if (location == process.mainLocation || !events.openParts)
            continue;
        for (const OpenParts::Receive &each : events.openParts->receives)
            if (!each.isPosted)
                posted.push_back({each.from, each.communicator, each.tag, each.anyTag, 1, false, each.startedBy});
    }
}

/// What a recording tells of the receives that a rank has posted: those pending, then those that the open call made itself.
std::vector<PostedReceive> postedReceives(const Snapshot &snapshot, Rank rank) {
    std::vector<PostedReceive> posted;
    const LocationEvents *events = snapshot.trace.mainEvents(rank);
    if (!snapshot.trace.tellsOpenCalls || events == nullptr || snapshot.at < snapshot.trace.readRange().end)
        return posted; // at an earlier moment, the requests that were completed later are missing
    static const std::vector<OpenParts::Receive> nothing;
    const std::vector<OpenParts::Receive> &awaited = events->openParts ? events->openParts->receives : nothing;
    using Key = std::tuple<Tick, Rank, CommunicatorId, std::uint32_t, bool>;
    std::multimap<Key, std::size_t> earlier; // those of `awaited` that another call posted
    for (std::size_t i = 0; i < awaited.size(); ++i)
        if (const OpenParts::Receive &each = awaited[i]; each.isPosted)
            earlier.emplace(Key(each.posted, each.from, each.communicator, each.tag, each.anyTag), i);
    std::vector<bool> isPending(awaited.size(), false);
    std::vector<PostedReceive> pending;
    for (const PendingRequest &request : events->pending) {
        if (request.kind != PendingRequest::Kind::Receive || request.envelope == none)
            continue;
        const Envelope &envelope = events->envelopes[request.envelope];
        const auto same = earlier.find({request.posted, envelope.peer, envelope.communicator, envelope.tag, request.anyTag});
        const bool isAwaited = same != earlier.end();
        if (isAwaited) {
            isPending[same->second] = true;
            earlier.erase(same);
        }
        (request.matchedProbe ? posted : pending)
            .push_back({request.anySource ? Rank{none} : envelope.peer, envelope.communicator, envelope.tag, request.anyTag, 1,
                        isAwaited, request.row == none ? request.startedBy : events->track.callPath[request.row]});
    }
    posted.insert(posted.end(), pending.begin(), pending.end());
    for (std::size_t i = 0; i < awaited.size(); ++i)
        if (const OpenParts::Receive &each = awaited[i]; !isPending[i])
            posted.push_back({each.from, each.communicator, each.tag, each.anyTag, 1, true, each.startedBy});
    addOfOtherThreads(snapshot, rank, posted);
    return posted;
}

/// Messages that a matched probe has taken are no receive's any more.
void takeOutProbed(const Trace &trace, JobState &state) {
    for (Rank rank = 0; rank < state.tasks.size(); ++rank)
        for (const LocationIndex location : trace.processes[rank].locations) {
            const LocationEvents &events = trace.locations[location].events;
            for (const TakenMessage &each : events.taken) {
                const Envelope &taken = events.envelopes[each.envelope];
                if (each.row == none || events.track.end[each.row] > state.at || taken.peer >= state.unreceived.size())
                    continue;
                for (MessageCount &count : state.unreceived[taken.peer])
                    if (count.peer == rank && count.communicator == taken.communicator && count.tag == taken.tag &&
                        count.messages != 0) {
                        --count.messages;
                        count.held = std::min(count.held, count.messages);
                    }
            }
        }
}

void guessCommunicators(const Snapshot &snapshot, JobState &state) {
    CommunicatorGuess guess(snapshot);
    for (Rank rank = 0; rank < state.tasks.size(); ++rank) {
        TaskState &task = state.tasks[rank];
        if (lacksCommunicator(snapshot.calls, task))
            guess.complete(rank, task.open);
    }
}

} // namespace

bool lacksCommunicator(const MpiCallTable &calls, const TaskState &task) {
    return task.activity.kind == Activity::Kind::Collective && !task.open.isCollective &&
           calls[task.mpiPath].kind != MpiCall::Kind::Init;
}

void addUnseenSenders(const MpiCallTable &calls, JobState &state) {
    std::vector<Rank> open; // ranks in such a receive
    for (Rank rank = 0; rank < state.tasks.size(); ++rank) {
        const OpenCall &call = state.tasks[rank].open;
        if (call.source != OpenCall::Source::Predicted || !call.anyReceive || call.receives.empty())
            continue;
        const MpiCall::Kind kind = calls[state.tasks[rank].mpiPath].kind;
        if (kind == MpiCall::Kind::Receive || kind == MpiCall::Kind::Probe)
            open.push_back(rank);
    }
    if (open.empty())
        return;
    for (Rank from = 0; from < state.unreceived.size(); ++from)
        for (const MessageCount &count : state.unreceived[from]) {
            if (!std::ranges::binary_search(open, count.peer))
                continue;
            std::vector<ExpectedReceive> &receives = state.tasks[count.peer].open.receives;
            const bool isOnSame = std::ranges::any_of(
                receives, [&](const ExpectedReceive &each) { return each.communicator == count.communicator; });
            const bool isSeen = std::ranges::any_of(receives, [&](const ExpectedReceive &each) {
                return each.communicator == count.communicator && each.from == from;
            });
            if (isOnSame && !isSeen)
                receives.push_back({from, count.communicator, count.tag, true, 1});
        }
}

TaskState observeRank(const Snapshot &snapshot, Rank rank) {
    TaskState task;
    task.activity = snapshot.activities[rank];
    if (snapshot.openCalls[rank] != none)
        task.mpiPath = snapshot.events(rank).track.callPath[snapshot.openCalls[rank]];
    if (mayWait(task.activity) && task.mpiPath != none) {
        const OpenCall *known = snapshot.index == nullptr ? nullptr : snapshot.index->finalCall(rank, snapshot.at);
        task.open = known != nullptr ? *known : describeOpenCall(snapshot, rank);
        task.open.confidence *= task.activity.certainty;
        task.open.sendConfidence *= task.activity.certainty;
    }
    task.collectives = countCollectives(snapshot, rank);
    task.posted = postedReceives(snapshot, rank);
    if (task.activity.kind == Activity::Kind::PointToPoint && task.mpiPath != none)
        describePolls(snapshot, rank, task.posted, task.open);
    return task;
}

JobState observe(const Snapshot &snapshot, const Work &work) {
    const Trace &trace = snapshot.trace;
    JobState state;
    state.at = snapshot.at;
    state.lastEvent = lastEventBefore(trace, snapshot.at);
    state.tasks.resize(trace.processes.size());
    forEachParallel(state.tasks.size(), work,
                    [&](std::size_t i, unsigned) { state.tasks[i] = observeRank(snapshot, static_cast<Rank>(i)); });
    guessCommunicators(snapshot, state);
    for (TaskState &task : state.tasks)
        beginOpenCollective(snapshot, task);
    state.unreceived = unreceivedMessages(snapshot, work);
    takeOutProbed(trace, state);
    addUnseenSenders(snapshot.calls, state);
    return state;
}

} // namespace laggard
