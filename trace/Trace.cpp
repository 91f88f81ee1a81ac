// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace/Trace.h"

#include <algorithm>
#include <cmath>

namespace laggard {

double Trace::seconds(Tick time) const {
    const double ticks = time >= range.begin ? static_cast<double>(time - range.begin) : -static_cast<double>(range.begin - time);
    return ticks / static_cast<double>(clock.ticksPerSecond);
}

Tick Trace::tickAt(double seconds) const {
    if (!(seconds > 0))
        return range.begin;
    const double ticks = std::round(seconds * static_cast<double>(clock.ticksPerSecond));
    return ticks >= static_cast<double>(range.length()) ? range.end : range.begin + static_cast<Tick>(ticks);
}

bool Trace::isRead(Rank rank) const { return !part.ranks || std::binary_search(part.ranks->begin(), part.ranks->end(), rank); }

bool Trace::isDamaged(Rank rank) const {
    const Process &process = processes[rank];
    const bool isMissing = process.mainLocation == none && !isSummary && isRead(rank);
    return isMissing || std::any_of(process.locations.begin(), process.locations.end(),
                                    [this](LocationIndex l) { return locations[l].damaged; });
}

bool Trace::hasDataLoss() const {
    return std::any_of(warnings.begin(), warnings.end(),
                       [](const Warning &w) { return w.severity == Warning::Severity::DataLoss; });
}

const LocationEvents *Trace::mainEvents(Rank rank) const {
    const LocationIndex location = processes[rank].mainLocation;
    return location == none ? nullptr : &locations[location].events;
}

std::string Trace::hostOf(Rank rank) const {
    for (SystemNodeId node = processes[rank].node; node != none; node = systemNodes[node].parent)
        if (systemNodes[node].className == "node")
            return systemNodes[node].name;
    return {};
}

namespace {

struct MessageEnd {
    LocationIndex location;
    std::uint32_t index;
};

/// Where the end with this process-wide position (MessageEnds::match) lies.
MessageEnd locate(const Trace &trace, Rank rank, std::uint32_t position, MessageEnds LocationEvents::*ends) {
    for (const LocationIndex location : trace.processes[rank].locations) {
        const auto size = static_cast<std::uint32_t>((trace.locations[location].events.*ends).size());
        if (position < size)
            return {location, position};
        position -= size;
    }
    return {none, none};
}

Message makeMessage(const Trace &trace, MessageEnd send, MessageEnd receive) {
    const LocationEvents &from = trace.locations[send.location].events;
    return {send.location,
            receive.location,
            send.index,
            receive.index,
            from.sends.time[send.index],
            trace.locations[receive.location].events.receives.time[receive.index],
            from.envelopes[from.sends.envelope[send.index]]};
}

} // namespace

Message Trace::messageOfSend(LocationIndex sender, std::uint32_t sendIndex) const {
    const LocationEvents &from = locations[sender].events;
    const Rank peer = from.envelopes[from.sends.envelope[sendIndex]].peer;
    return makeMessage(*this, {sender, sendIndex}, locate(*this, peer, from.sends.match[sendIndex], &LocationEvents::receives));
}

Message Trace::messageOfReceive(LocationIndex receiver, std::uint32_t receiveIndex) const {
    const LocationEvents &to = locations[receiver].events;
    const Rank peer = to.envelopes[to.receives.envelope[receiveIndex]].peer;
    return makeMessage(*this, locate(*this, peer, to.receives.match[receiveIndex], &LocationEvents::sends),
                       {receiver, receiveIndex});
}

std::size_t Trace::memberCount(CommunicatorId communicator) const {
    if (communicator == none || communicators[communicator].members.empty())
        return processes.size();
    return communicators[communicator].members.size();
}

bool Trace::isSameCall(CallPathId a, CallPathId b) const {
    if (a == b || a == none || b == none)
        return a == b;
    if (callPaths[a].region != callPaths[b].region)
        return false;
    const CallSite *const one = siteOf(a);
    const CallSite *const other = siteOf(b);
    return one != nullptr && other != nullptr && one->line == other->line && one->file == other->file;
}

std::size_t Trace::bytes() const {
    std::size_t total = 0;
    for (const Location &location : locations) {
        const LocationEvents &events = location.events;
        total += events.track.bytes() + events.sends.bytes() + events.receives.bytes() + events.postings.bytes() +
                 events.epochs.capacity() * sizeof(EpochCall) + events.envelopes.capacity() * sizeof(Envelope) +
                 events.collectives.end.bytes() + events.collectives.kind.bytes() + events.collectives.row.bytes() +
                 events.collectives.instance.bytes() + events.collectiveKinds.capacity() * sizeof(CollectiveKind) +
                 events.queue.capacity() * sizeof(QueuedOperation) + events.costs.bytes();
    }
    return total;
}

} // namespace laggard
