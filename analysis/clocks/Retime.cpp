// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/clocks/Retime.h"

#include "trace/Parallel.h"

#include <algorithm>

namespace laggard {
namespace {

Column<Tick> mapped(const Column<Tick> &times, const TimeMap &map) {
    Column<Tick> result = times.clone();
    for (Tick &time : result)
        time = map(time);
    return result;
}

MessageEnds mapped(const MessageEnds &ends, const TimeMap &map) {
    const auto &[time, envelope, match, fingerprint] = ends; // whoever adds a column is told here
    return {mapped(time, map), envelope.clone(), match.clone(), fingerprint.clone()};
}

/// Times of what is beside the columns.
void mapRest(LocationEvents &events, const TimeMap &map) {
    for (PendingRequest &request : events.pending)
        request.posted = map(request.posted);
    for (PhaseMark &phase : events.phases)
        phase.time = map(phase.time);
    if (events.openParts)
        for (OpenParts::Receive &receive : events.openParts->receives)
            receive.posted = map(receive.posted);
}

LocationEvents mapped(const LocationEvents &events, const TimeMap &map) {
    const auto &[track, envelopes, sends, receives, postings, taken, probed, choices, costs, collectiveKinds, collectives,
                 earlierCollectives, pending, polls, failed, phases, epochs, descriptorCalls, descriptorDetails, groups, queue,
                 queuedMessages, tellsFunctions, openParts, stoppedAt] = events; // whoever adds one is told here
    LocationEvents result{
        {mapped(track.start, map), mapped(track.end, map), track.callPath.clone(), track.parent.clone()},
        envelopes,
        mapped(sends, map),
        mapped(receives, map),
        {postings.receive.clone(), postings.row.clone(), postings.how.clone(), postings.thread.clone()},
        taken,
        probed,
        choices,
        {costs.row.clone(), costs.entry.clone(), costs.exit.clone(), costs.clockCost},
        collectiveKinds,
        {mapped(collectives.end, map), collectives.kind.clone(), collectives.row.clone(), collectives.instance.clone()},
        earlierCollectives,
        pending,
        polls,
        failed,
        phases,
        epochs,
        descriptorCalls,
        descriptorDetails,
        groups,
        queue,
        queuedMessages,
        tellsFunctions,
        openParts,
        stoppedAt};
    mapRest(result, map);
    return result;
}

/// Everything but the locations.
Trace withoutLocations(const Trace &trace) {
    Trace copy;
    copy.path = trace.path;
    copy.format = trace.format;
    copy.creator = trace.creator;
    copy.clock = trace.clock;
    copy.range = trace.range;
    copy.part = trace.part;
    copy.regions = trace.regions;
    copy.callPaths = trace.callPaths;
    copy.callSites = trace.callSites;
    copy.binaries = trace.binaries;
    copy.systemNodes = trace.systemNodes;
    copy.processes = trace.processes;
    copy.communicators = trace.communicators;
    copy.world = trace.world;
    copy.collectives = trace.collectives;
    copy.windows = trace.windows;
    copy.names = trace.names;
    copy.tellsOpenCalls = trace.tellsOpenCalls;
    copy.enqueues = trace.enqueues;
    copy.isSummary = trace.isSummary;
    copy.phaseModels = trace.phaseModels;
    copy.eventCount = trace.eventCount;
    copy.unshown = trace.unshown;
    copy.messageCount = trace.messageCount;
    copy.unmatchedSends = trace.unmatchedSends;
    copy.unmatchedReceives = trace.unmatchedReceives;
    copy.reversedMessages = 0;
    copy.warnings = trace.warnings;
    return copy;
}

void mapProcess(Process &process, const TimeMap &map) {
    process.end.time = map(process.end.time);
    if (!process.end.mpiError.empty())
        process.end.mpiErrorTime = map(process.end.mpiErrorTime);
    if (process.eventsFrom != 0) // 0 is no time
        process.eventsFrom = map(process.eventsFrom);
    process.hangNoticed = map(process.hangNoticed);
    process.fileLockSeen = map(process.fileLockSeen);
}

/// When members came and left.
void retimeCollectives(Trace &trace) {
    for (CollectiveInstance &instance : trace.collectives) {
        instance.firstEnter = openEnd;
        instance.lastEnter = instance.lastEnd = 0;
    }
    for (const Location &location : trace.locations) {
        const CollectiveCalls &calls = location.events.collectives;
        for (std::size_t i = 0; i < calls.size(); ++i) {
            if (calls.instance[i] == none)
                continue;
            CollectiveInstance &instance = trace.collectives[calls.instance[i]];
            const Tick enter = calls.row[i] == none ? calls.end[i] : location.events.track.start[calls.row[i]];
            instance.firstEnter = std::min(instance.firstEnter, enter);
            instance.lastEnter = std::max(instance.lastEnter, enter);
            instance.lastEnd = std::max(instance.lastEnd, calls.end[i]);
        }
    }
}

void recountReversed(Trace &trace) {
    trace.clock.resolution = 0;
    for (LocationIndex l = 0; l < trace.locations.size(); ++l) {
        const MessageEnds &receives = trace.locations[l].events.receives;
        for (std::uint32_t i = 0; i < receives.size(); ++i) {
            if (receives.match[i] == none)
                continue;
            const Message message = trace.messageOfReceive(l, i);
            if (message.received >= message.sent)
                continue;
            ++trace.reversedMessages;
            trace.clock.resolution = std::max(trace.clock.resolution, message.sent - message.received);
        }
    }
}

/// What lies before the first event and behind the last one stays as long as it is.
TimeRange rangeOf(const Trace &trace, std::span<const TimeMap> maps) {
    TimeRange range{openEnd, 0};
    for (LocationIndex l = 0; l < trace.locations.size(); ++l) {
        if (trace.locations[l].eventCount == 0 && trace.locations[l].events.track.empty())
            continue;
        range.begin = std::min(range.begin, maps[l](trace.range.begin));
        range.end = std::max(range.end, maps[l](trace.range.end));
    }
    return range.begin <= range.end ? range : trace.range;
}

} // namespace

std::shared_ptr<Trace> retimed(const Trace &trace, std::span<const TimeMap> maps, const Work &work) {
    auto result = std::make_shared<Trace>(withoutLocations(trace));
    result->locations.resize(trace.locations.size());
    forEachParallel(trace.locations.size(), work, [&](std::size_t l, unsigned) {
        const Location &from = trace.locations[l];
        Location &to = result->locations[l];
        to.id = from.id;
        to.name = from.name;
        to.kind = from.kind;
        to.rank = from.rank;
        to.eventCount = from.eventCount;
        to.firstEvent = maps[l](from.firstEvent);
        to.lastEvent = maps[l](from.lastEvent);
        to.damaged = from.damaged;
        to.events = mapped(from.events, maps[l]);
    });
    for (Process &process : result->processes)
        if (process.mainLocation != none)
            mapProcess(process, maps[process.mainLocation]);
    retimeCollectives(*result);
    recountReversed(*result);
    result->range = rangeOf(trace, maps);
    throwIfCancelled(work);
    return result;
}

} // namespace laggard
