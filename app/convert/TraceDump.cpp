// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/convert/TraceDump.h"

#include "analysis/answer/Analyse.h"
#include "analysis/answer/KeptAnswer.h"
#include "analysis/automaded/PhaseSummary.h"
#include "analysis/progress/TraceModels.h"
#include "analysis/waitfor/WaitForGraph.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace laggard {

std::vector<DumpedRequest> pendingOf(const Trace &trace, Rank rank) {
    std::vector<DumpedRequest> requests;
    const LocationEvents *events = trace.mainEvents(rank);
    if (events == nullptr)
        return requests;
    for (const PendingRequest &pending : events->pending) {
        DumpedRequest request;
        request.kind = pending.kind;
        request.anySource = pending.anySource;
        request.anyTag = pending.anyTag;
        if (pending.row != none)
            request.callPath = events->track.callPath[pending.row];
        if (pending.envelope != none) {
            const Envelope &envelope = events->envelopes[pending.envelope];
            request.peer = envelope.peer;
            request.communicator = envelope.communicator;
            request.tag = envelope.tag;
            request.bytes = envelope.bytes;
        } else if (pending.collectiveKind != none) {
            const CollectiveKind &kind = events->collectiveKinds[pending.collectiveKind];
            request.peer = kind.root;
            request.communicator = kind.communicator;
            request.bytes = kind.bytesSent;
        }
        requests.push_back(request);
    }
    return requests;
}

namespace {

/// Messages at one end by peer, communicator and tag.
std::vector<MessageCount> countEnds(const Trace &trace, const Process &process, MessageEnds LocationEvents::*ends) {
    std::map<std::tuple<Rank, CommunicatorId, std::uint32_t>, MessageCount> counts;
    for (const LocationIndex location : process.locations) {
        const LocationEvents &events = trace.locations[location].events;
        std::vector<std::uint64_t> ofEnvelope(events.envelopes.size(), 0);
        for (const std::uint32_t envelope : (events.*ends).envelope)
            ++ofEnvelope[envelope];
        for (std::size_t i = 0; i < ofEnvelope.size(); ++i) {
            if (ofEnvelope[i] == 0)
                continue;
            const Envelope &envelope = events.envelopes[i];
            MessageCount &count = counts[{envelope.peer, envelope.communicator, envelope.tag}];
            count.messages += ofEnvelope[i];
            count.bytes += ofEnvelope[i] * envelope.bytes;
        }
    }
    std::vector<MessageCount> result;
    for (const auto &[key, count] : counts) {
        const auto [peer, communicator, tag] = key;
        result.push_back({peer, communicator, tag, count.messages, count.bytes, 0});
    }
    return result;
}

} // namespace

std::vector<MessageCount> receivedMessages(const Trace &trace, Rank rank) {
    return countEnds(trace, trace.processes[rank], &LocationEvents::receives);
}

namespace {

using CountKey = std::tuple<Rank, CommunicatorId, std::uint32_t>;

/// Makes the messages sent agree with those that are on their way. They differ where a recording has not all events: those
/// that it still has and the recorder's own counts say then what was received, and what is on its way.
void settleSent(std::vector<MessageCount> &sent, const std::vector<MessageCount> &unreceived,
                const std::map<CountKey, std::uint64_t> &received) {
    std::map<CountKey, MessageCount> counts;
    for (const MessageCount &count : sent)
        counts[{count.peer, count.communicator, count.tag}] = count;
    std::map<CountKey, MessageCount> open;
    for (const MessageCount &count : unreceived) {
        counts.try_emplace({count.peer, count.communicator, count.tag}, count);
        open[{count.peer, count.communicator, count.tag}] = count;
    }
    sent.clear();
    for (auto &[key, count] : counts) {
        const auto taken = received.find(key);
        const std::uint64_t there = taken == received.end() ? 0 : taken->second;
        const auto onTheWay = open.find(key);
        const std::uint64_t missing = onTheWay == open.end() ? 0 : onTheWay->second.messages;
        if (count.messages - std::min(count.messages, there) != missing)
            count.messages = there + missing;
        count.held = onTheWay == open.end() ? 0 : onTheWay->second.held;
        sent.push_back(count);
    }
}

} // namespace

ModelDump summarise(const TracePtr &trace, const std::string &phase, const Work &work) {
    ModelDump dump;
    dump.job = trace;
    AnalysisOptions options;
    options.semiMarkov.phase = phase;
    const ReportPtr report = analyse(trace, options, work);
    const Tick at = report->waits.at;
    dump.models = buildTraceModels(*trace, at, work).set;
    dump.datatypeOfState.resize(dump.models.states.size());
    dump.places.resize(trace->regions.size());
    dump.phaseModels = std::make_shared<PhaseModels>(summarisePhases(*trace, phase, work));
    dump.hasWaits = true;
    dump.state = observeJob(*trace, at, work);
    // What was left out, or done otherwise than before, shows only in the history: what was found is kept.
    dump.missingSends = report->waits.verdict.missingSends;
    dump.answer = std::make_shared<const DumpedAnswer>(keptAnswer(*report));
    for (Rank rank = 0; rank < trace->processes.size(); ++rank) {
        const Process &process = trace->processes[rank];
        dump.pending.push_back(pendingOf(*trace, rank));
        dump.sent.push_back(countEnds(*trace, process, &LocationEvents::sends));
        dump.received.push_back(receivedMessages(*trace, rank));
    }
    std::vector<std::map<CountKey, std::uint64_t>> receivedFrom(dump.sent.size()); // by sender
    for (Rank rank = 0; rank < dump.received.size(); ++rank)
        for (const MessageCount &count : dump.received[rank])
            if (count.peer < receivedFrom.size())
                receivedFrom[count.peer][{rank, count.communicator, count.tag}] += count.messages;
    for (Rank rank = 0; rank < dump.sent.size(); ++rank)
        settleSent(dump.sent[rank], dump.state.unreceived[rank], receivedFrom[rank]);
    return dump;
}

} // namespace laggard
