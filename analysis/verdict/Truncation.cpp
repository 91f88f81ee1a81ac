// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/verdict/Truncation.h"

#include <algorithm>

namespace laggard {
namespace {

struct Unreceived {
    Tick sent = 0;
    std::uint64_t bytes = 0;
    CallPathId callPath = none;
};

bool isComplete(const Trace &trace, Rank rank) {
    return rank < trace.processes.size() && trace.processes[rank].eventsFrom == 0 && trace.isRead(rank) && !trace.isDamaged(rank);
}

/// Messages of the channel that no receive has taken, in order of time.
std::vector<Unreceived> unreceivedOf(const Trace &trace, Rank to, const OpenParts::Receive &receive) {
    std::vector<Unreceived> messages;
    for (const LocationIndex location : trace.processes[receive.from].locations) {
        const LocationEvents &events = trace.locations[location].events;
        for (std::uint32_t i = 0; i < events.sends.size(); ++i) {
            const Envelope &envelope = events.envelopes[events.sends.envelope[i]];
            if (events.sends.match[i] != none || envelope.peer != to || envelope.communicator != receive.communicator ||
                envelope.tag != receive.tag)
                continue;
            const std::uint32_t row = events.track.innermostAt(events.sends.time[i]);
            messages.push_back({events.sends.time[i], envelope.bytes, row == none ? none : events.track.callPath[row]});
        }
    }
    std::stable_sort(messages.begin(), messages.end(), [](const auto &a, const auto &b) { return a.sent < b.sent; });
    return messages;
}

/// Bytes of the buffers that wait for messages of the channel, in order of posting; empty if a wildcard may take them.
std::vector<std::uint64_t> roomsOf(const LocationEvents &events, const OpenParts::Receive &receive) {
    std::vector<std::uint64_t> rooms;
    for (const PendingRequest &request : events.pending) {
        if (request.kind != PendingRequest::Kind::Receive)
            continue;
        if (request.envelope == none || request.anySource || request.anyTag)
            return {};
        const Envelope &envelope = events.envelopes[request.envelope];
        if (envelope.peer == receive.from && envelope.communicator == receive.communicator && envelope.tag == receive.tag)
            rooms.push_back(envelope.bytes);
    }
    if (!receive.isPosted)
        rooms.push_back(receive.room);
    return rooms;
}

std::optional<Truncation> truncationOf(const Trace &trace, Rank to) {
    const LocationEvents *events = trace.mainEvents(to);
    if (events == nullptr || !events->openParts || !isComplete(trace, to))
        return std::nullopt;
    for (const OpenParts::Receive &receive : events->openParts->receives) {
        if (receive.anyTag || !isComplete(trace, receive.from))
            continue;
        const std::vector<Unreceived> messages = unreceivedOf(trace, to, receive);
        const std::vector<std::uint64_t> rooms = roomsOf(*events, receive);
        for (std::size_t i = 0; i < std::min(messages.size(), rooms.size()); ++i)
            if (messages[i].bytes > rooms[i]) {
                const std::uint32_t row = events->track.innermostOpen();
                return Truncation{receive.from,
                                  to,
                                  receive.tag,
                                  messages[i].bytes,
                                  rooms[i],
                                  messages[i].sent,
                                  messages[i].callPath,
                                  row == none ? none : events->track.callPath[row]};
            }
    }
    return std::nullopt;
}

} // namespace

std::optional<Truncation> findTruncation(const Trace &trace) {
    if (!trace.tellsOpenCalls)
        return std::nullopt;
    std::optional<Truncation> first;
    for (Rank rank = 0; rank < trace.processes.size(); ++rank)
        if (const auto found = truncationOf(trace, rank); found && (!first || found->sent < first->sent))
            first = found;
    return first;
}

} // namespace laggard
