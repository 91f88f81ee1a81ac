// SPDX-License-Identifier: GPL-3.0-or-later
#include "ingest/assembly/Linking.h"

#include "trace/Parallel.h"

#include <algorithm>
#include <mutex>
#include <numeric>
#include <unordered_map>

namespace laggard {
namespace {

/// All messages between two ranks that cannot overtake each other; the rank at this end is implied.
struct Channel {
    Rank peer = none;
    CommunicatorId communicator = none;
    std::uint32_t tag = 0;
    auto operator<=>(const Channel &) const = default;
};

/// The sends or receives of one rank, grouped by channel, each group in order of record.
struct ChannelIndex {
    std::vector<Channel> channels;        ///< sorted
    std::vector<std::uint32_t> begin;     ///< first entry of each channel in `positions`, and the end
    std::vector<std::uint32_t> positions; ///< process-wide positions (MessageEnds::match)

    /// Position of the channel in `channels`; `none` if it is not there.
    [[nodiscard]] std::uint32_t find(const Channel &channel) const {
        const auto place = std::lower_bound(channels.begin(), channels.end(), channel);
        return place != channels.end() && *place == channel ? static_cast<std::uint32_t>(place - channels.begin()) : none;
    }
};

using Ends = MessageEnds LocationEvents::*;

/// Process-wide positions of all ends of a rank in order of time; empty if a single location has them in order already.
std::vector<std::uint32_t> orderOfThreads(const Trace &trace, const Process &process, Ends ends) {
    const auto hasEnds = [&](LocationIndex l) { return (trace.locations[l].events.*ends).size() != 0; };
    if (std::count_if(process.locations.begin(), process.locations.end(), hasEnds) < 2)
        return {};
    std::vector<Tick> times;
    for (const LocationIndex location : process.locations) {
        const Column<Tick> &column = (trace.locations[location].events.*ends).time;
        times.insert(times.end(), column.begin(), column.end());
    }
    std::vector<std::uint32_t> order(times.size());
    std::iota(order.begin(), order.end(), 0U);
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return times[a] < times[b]; });
    return order;
}

Channel channelOf(const Envelope &envelope) { return {envelope.peer, envelope.communicator, envelope.tag}; }

std::vector<Channel> channelsOf(const Trace &trace, const Process &process) {
    std::vector<Channel> channels;
    for (const LocationIndex location : process.locations)
        for (const Envelope &envelope : trace.locations[location].events.envelopes)
            channels.push_back(channelOf(envelope));
    std::sort(channels.begin(), channels.end());
    channels.erase(std::unique(channels.begin(), channels.end()), channels.end());
    channels.shrink_to_fit();
    return channels;
}

ChannelIndex indexChannels(const Trace &trace, Rank rank, Ends ends) {
    const Process &process = trace.processes[rank];
    ChannelIndex index;
    index.channels = channelsOf(trace, process);
    std::vector<std::uint32_t> channelOfEnd; // by process-wide position
    for (const LocationIndex location : process.locations) {
        const LocationEvents &events = trace.locations[location].events;
        std::vector<std::uint32_t> channelOfEnvelope;
        for (const Envelope &envelope : events.envelopes)
            channelOfEnvelope.push_back(index.find(channelOf(envelope)));
        for (const std::uint32_t envelope : (events.*ends).envelope)
            channelOfEnd.push_back(channelOfEnvelope[envelope]);
    }
    index.begin.assign(index.channels.size() + 1, 0);
    for (const std::uint32_t channel : channelOfEnd)
        ++index.begin[channel + 1];
    std::partial_sum(index.begin.begin(), index.begin.end(), index.begin.begin());
    index.positions.resize(channelOfEnd.size());
    std::vector<std::uint32_t> next(index.begin.begin(), index.begin.end() - 1);
    const std::vector<std::uint32_t> order = orderOfThreads(trace, process, ends);
    for (std::uint32_t i = 0; i < channelOfEnd.size(); ++i) {
        const std::uint32_t position = order.empty() ? i : order[i];
        index.positions[next[channelOfEnd[position]]++] = position;
    }
    return index;
}

/// Finds ends of a process by their process-wide position.
class EndsOfProcess {
  public:
    EndsOfProcess(Trace &trace, Rank rank, Ends ends) {
        for (const LocationIndex location : trace.processes[rank].locations)
            if (MessageEnds &here = trace.locations[location].events.*ends; here.size() != 0)
                m_ends.push_back(&here);
    }
    [[nodiscard]] Tick time(std::uint32_t position) const {
        const MessageEnds &ends = locate(position);
        return ends.time[position];
    }
    void setMatch(std::uint32_t position, std::uint32_t match) const {
        MessageEnds &ends = locate(position);
        ends.match[position] = match;
    }

  private:
    MessageEnds &locate(std::uint32_t &position) const {
        std::size_t i = 0;
        while (position >= m_ends[i]->size())
            position -= static_cast<std::uint32_t>(m_ends[i++]->size());
        return *m_ends[i];
    }
    std::vector<MessageEnds *> m_ends;
};

struct LinkCounts {
    std::uint64_t matched = 0;
    std::uint64_t reversed = 0;
    Tick largestViolation = 0;
};

LinkCounts linkReceives(Trace &trace, Rank receiver, const std::vector<ChannelIndex> &sendsByRank) {
    LinkCounts counts;
    const ChannelIndex receives = indexChannels(trace, receiver, &LocationEvents::receives);
    const EndsOfProcess receiveEnds(trace, receiver, &LocationEvents::receives);
    for (std::size_t c = 0; c < receives.channels.size(); ++c) {
        const Channel &channel = receives.channels[c];
        if (channel.peer >= sendsByRank.size() || receives.begin[c] == receives.begin[c + 1])
            continue;
        const ChannelIndex &sends = sendsByRank[channel.peer];
        const std::uint32_t counterpart = sends.find({receiver, channel.communicator, channel.tag});
        if (counterpart == none)
            continue;
        const EndsOfProcess sendEnds(trace, channel.peer, &LocationEvents::sends);
        const std::uint32_t firstSend = sends.begin[counterpart];
        const std::uint32_t firstReceive = receives.begin[c];
        const std::uint32_t pairs = std::min(sends.begin[counterpart + 1] - firstSend, receives.begin[c + 1] - firstReceive);
        for (std::uint32_t i = 0; i < pairs; ++i) {
            const std::uint32_t send = sends.positions[firstSend + i];
            const std::uint32_t receive = receives.positions[firstReceive + i];
            sendEnds.setMatch(send, receive);
            receiveEnds.setMatch(receive, send);
            const Tick sent = sendEnds.time(send);
            const Tick received = receiveEnds.time(receive);
            if (received < sent) {
                ++counts.reversed;
                counts.largestViolation = std::max(counts.largestViolation, sent - received);
            }
        }
        counts.matched += pairs;
    }
    return counts;
}

/// The collective calls of one rank in order of completion, over all its threads.
struct RankCall {
    LocationIndex location;
    std::uint32_t index;
};

std::vector<RankCall> collectiveCallsOf(const Trace &trace, Rank rank) {
    std::vector<RankCall> calls;
    std::size_t contributing = 0;
    for (const LocationIndex location : trace.processes[rank].locations) {
        const auto count = static_cast<std::uint32_t>(trace.locations[location].events.collectives.size());
        contributing += count != 0 ? 1 : 0;
        for (std::uint32_t i = 0; i < count; ++i)
            calls.push_back({location, i});
    }
    if (contributing > 1)
        std::stable_sort(calls.begin(), calls.end(), [&](const RankCall &a, const RankCall &b) {
            return trace.locations[a.location].events.collectives.end[a.index] <
                   trace.locations[b.location].events.collectives.end[b.index];
        });
    return calls;
}

bool isNumbered(const Trace &trace, CommunicatorId communicator) {
    return communicator != none && !trace.communicators[communicator].isSelf;
}

void addMember(CollectiveInstance &instance, const CollectiveKind &kind, Tick enter, Tick end) {
    if (instance.completed++ == 0) {
        instance.operation = kind.operation;
        instance.root = kind.root;
    } else {
        if (instance.root == none) // in inter-communicators most members do not know the root
            instance.root = kind.root;
        instance.mismatch |= instance.operation != kind.operation || (kind.root != none && instance.root != kind.root);
    }
    instance.firstEnter = std::min(instance.firstEnter, enter);
    instance.lastEnter = std::max(instance.lastEnter, enter);
    instance.lastEnd = std::max(instance.lastEnd, end);
}

} // namespace

void linkCallPaths(Trace &trace, const std::vector<CallPathTable> &tables, const std::vector<std::uint32_t> &tableOf,
                   const Work &work) {
    CallPathTable merged;
    std::vector<std::vector<CallPathId>> numberIn(tables.size());
    for (std::size_t t = 0; t < tables.size(); ++t)
        for (CallPathId id = 0; id < tables[t].size(); ++id) {
            const CallPath &path = tables[t][id];
            numberIn[t].push_back(merged.intern(path.parent == none ? none : numberIn[t][path.parent], path.region, path.site));
        }
    std::vector<CallPathId> renumbering;
    trace.callPaths = merged.canonical(renumbering);
    for (auto &numbers : numberIn)
        for (CallPathId &id : numbers)
            id = renumbering[id];
    forEachParallel(trace.locations.size(), work, [&](std::size_t location, unsigned) {
        for (CallPathId &path : trace.locations[location].events.track.callPath)
            path = numberIn[tableOf[location]][path];
    });
}

void linkMessages(Trace &trace, const Work &work) {
    std::vector<ChannelIndex> sends(trace.processes.size());
    std::uint64_t sendCount = 0;
    std::uint64_t receiveCount = 0;
    for (Location &location : trace.locations) {
        MessageEnds &from = location.events.sends;
        MessageEnds &to = location.events.receives;
        from.match.resize(from.size(), none);
        to.match.resize(to.size(), none);
        sendCount += from.size();
        receiveCount += to.size();
    }
    forEachParallel(trace.processes.size(), work, [&](std::size_t rank, unsigned) {
        sends[rank] = indexChannels(trace, static_cast<Rank>(rank), &LocationEvents::sends);
    });
    LinkCounts total;
    std::mutex totalMutex;
    forEachParallel(trace.processes.size(), work, [&](std::size_t rank, unsigned) {
        const LinkCounts counts = linkReceives(trace, static_cast<Rank>(rank), sends);
        const std::lock_guard lock(totalMutex);
        total.matched += counts.matched;
        total.reversed += counts.reversed;
        total.largestViolation = std::max(total.largestViolation, counts.largestViolation);
    });
    trace.messageCount = total.matched;
    trace.unmatchedSends = sendCount - total.matched;
    trace.unmatchedReceives = receiveCount - total.matched;
    trace.reversedMessages = total.reversed;
    trace.clock.resolution = std::max(trace.clock.resolution, total.largestViolation);
}

void linkCollectives(Trace &trace, const Work &work, std::span<const Column<Tick>> starts) {
    std::vector<std::vector<std::uint32_t>> instancesOf(trace.communicators.size()); // positions in trace.collectives, by number
    for (Rank rank = 0; rank < trace.processes.size(); ++rank) {
        throwIfCancelled(work);
        for (const LocationIndex location : trace.processes[rank].locations) {
            CollectiveCalls &calls = trace.locations[location].events.collectives;
            calls.instance.resize(calls.size(), none);
        }
        std::unordered_map<CommunicatorId, std::uint32_t> done;
        for (const RankCall &call : collectiveCallsOf(trace, rank)) {
            LocationEvents &events = trace.locations[call.location].events;
            const CollectiveKind &kind = events.collectiveKinds[events.collectives.kind[call.index]];
            if (!isNumbered(trace, kind.communicator))
                continue;
            const std::uint32_t number = done[kind.communicator]++;
            auto &instances = instancesOf[kind.communicator];
            if (number == instances.size()) {
                instances.push_back(static_cast<std::uint32_t>(trace.collectives.size()));
                trace.collectives.push_back({.communicator = kind.communicator, .number = number});
            }
            const Tick end = events.collectives.end[call.index];
            const std::uint32_t row = events.collectives.row[call.index];
            const Tick enter = !starts.empty() ? starts[call.location][call.index] : row == none ? end : events.track.start[row];
            addMember(trace.collectives[instances[number]], kind, enter, end);
            events.collectives.instance[call.index] = instances[number];
        }
    }
}

} // namespace laggard
