// SPDX-License-Identifier: GPL-3.0-or-later
#include "ingest/assembly/Linking.h"

#include "ingest/assembly/PartialTrace.h"

#include "trace/Parallel.h"
#include "trace/TakenAgain.h"

#include <algorithm>
#include <atomic>
#include <map>
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
    [[nodiscard]] std::uint32_t fingerprint(std::uint32_t position) const {
        const MessageEnds &ends = locate(position);
        return ends.fingerprintOf(position);
    }
    /// The fingerprints of all these.
    [[nodiscard]] std::vector<std::uint32_t> fingerprints(std::span<const std::uint32_t> positions) const {
        std::vector<std::uint32_t> all;
        for (const std::uint32_t position : positions)
            all.push_back(fingerprint(position));
        return all;
    }
    [[nodiscard]] bool haveFingerprints() const {
        return std::ranges::any_of(m_ends, [](const MessageEnds *ends) { return ends->fingerprint.size() != 0; });
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

/// How many messages of a channel lie before the records of a rank, and which were lost among them.
class EarlierCounts {
  public:
    explicit EarlierCounts(std::span<const EarlierMessages> earlier) {
        for (const EarlierMessages &e : earlier)
            if (e.after)
                m_losses[{e.rank, e.isSend, {e.peer, e.communicator, e.tag}}] = {*e.after, e.count};
            else
                m_counts[{e.rank, e.isSend, {e.peer, e.communicator, e.tag}}] += e.count;
    }
    struct Loss {
        std::uint64_t after = 0;
        std::uint64_t count = 0; ///< 0: nothing was lost
    };
    [[nodiscard]] Loss lossOf(Rank rank, bool isSend, const Channel &channel) const {
        const auto entry = m_losses.find({rank, isSend, channel});
        return entry == m_losses.end() ? Loss() : entry->second;
    }
    [[nodiscard]] std::uint64_t of(Rank rank, bool isSend, const Channel &channel) const {
        const auto entry = m_counts.find({rank, isSend, channel});
        return entry == m_counts.end() ? 0 : entry->second;
    }
    [[nodiscard]] bool empty() const { return m_counts.empty(); }

  private:
    std::map<std::tuple<Rank, bool, Channel>, std::uint64_t> m_counts;
    std::map<std::tuple<Rank, bool, Channel>, Loss> m_losses;
};

/// Takes from the ends of one rank those whose other ends were lost. Where both ranks have lost some, nobody knows which belong
/// together from there on.
void leaveOutLost(std::vector<std::uint32_t> &sent, const EarlierCounts::Loss &ofSender, std::vector<std::uint32_t> &received,
                  const EarlierCounts::Loss &ofReceiver) {
    const auto cut = [](std::vector<std::uint32_t> &ends, const EarlierCounts::Loss &loss) {
        const std::uint64_t from = std::min<std::uint64_t>(loss.after, ends.size());
        const std::uint64_t until = from + std::min<std::uint64_t>(loss.count, ends.size() - from);
        ends.erase(ends.begin() + static_cast<std::ptrdiff_t>(from), ends.begin() + static_cast<std::ptrdiff_t>(until));
    };
    if (ofSender.count != 0 && ofReceiver.count != 0) {
        const EarlierCounts::Loss all{std::min(ofSender.after, ofReceiver.after), ~std::uint64_t{0}};
        cut(sent, all);
        cut(received, all);
    } else if (ofReceiver.count != 0) {
        cut(sent, ofReceiver);
    } else if (ofSender.count != 0) {
        cut(received, ofSender);
    }
}

/// The receive of a channel that took a message which came twice, and so belongs to no send; `none` if there is none. The k-th
/// receive would be that of the k-th send.
std::size_t copyAmong(const EndsOfProcess &sendEnds, std::span<const std::uint32_t> sends, const EndsOfProcess &receiveEnds,
                      std::span<const std::uint32_t> receives, const Process &receiver, const Channel &channel) {
    const auto isAsSent = [&](std::size_t i) {
        return i < sends.size() && sendEnds.fingerprint(sends[i]) == receiveEnds.fingerprint(receives[i]);
    };
    std::size_t first = 0;
    while (first < receives.size() && isAsSent(first))
        ++first;
    if (first == receives.size() ||
        !canHaveTakenAgain(receiver, channel.peer, channel.communicator, sends.size(), receives.size()))
        return none;
    return firstTakenAgain(sendEnds.fingerprints(sends), receiveEnds.fingerprints(receives)).value_or(none);
}

struct LinkCounts {
    std::uint64_t matched = 0;
    std::uint64_t reversed = 0;
    Tick largestViolation = 0;
};

LinkCounts linkReceives(Trace &trace, Rank receiver, const std::vector<ChannelIndex> &sendsByRank, const EarlierCounts &earlier) {
    LinkCounts counts;
    const ChannelIndex receives = indexChannels(trace, receiver, &LocationEvents::receives);
    const EndsOfProcess receiveEnds(trace, receiver, &LocationEvents::receives);
    const bool haveFingerprints = receiveEnds.haveFingerprints();
    for (std::size_t c = 0; c < receives.channels.size(); ++c) {
        const Channel &channel = receives.channels[c];
        if (channel.peer >= sendsByRank.size() || receives.begin[c] == receives.begin[c + 1])
            continue;
        const ChannelIndex &sends = sendsByRank[channel.peer];
        const std::uint32_t counterpart = sends.find({receiver, channel.communicator, channel.tag});
        if (counterpart == none)
            continue;
        const EndsOfProcess sendEnds(trace, channel.peer, &LocationEvents::sends);
        std::uint32_t firstSend = sends.begin[counterpart];
        std::uint32_t firstReceive = receives.begin[c];
        if (!earlier.empty()) {
            const std::uint64_t sent = earlier.of(channel.peer, true, {receiver, channel.communicator, channel.tag});
            const std::uint64_t received = earlier.of(receiver, false, channel);
            const auto skip = [](std::uint32_t &first, std::uint32_t end, std::uint64_t count) {
                first += static_cast<std::uint32_t>(std::min<std::uint64_t>(count, end - first));
            };
            skip(firstSend, sends.begin[counterpart + 1], received - std::min(sent, received));
            skip(firstReceive, receives.begin[c + 1], sent - std::min(sent, received));
        }
        std::span<const std::uint32_t> sent(sends.positions.begin() + firstSend,
                                            sends.positions.begin() + sends.begin[counterpart + 1]);
        std::span<const std::uint32_t> received(receives.positions.begin() + firstReceive,
                                                receives.positions.begin() + receives.begin[c + 1]);
        const auto lostSends = earlier.lossOf(channel.peer, true, {receiver, channel.communicator, channel.tag});
        const auto lostReceives = earlier.lossOf(receiver, false, channel);
        const bool isWhole = lostSends.count == 0 && lostReceives.count == 0;
        std::vector<std::uint32_t> sentThatCount;
        std::vector<std::uint32_t> receivedThatCount;
        if (!isWhole) {
            sentThatCount.assign(sent.begin(), sent.end());
            receivedThatCount.assign(received.begin(), received.end());
            leaveOutLost(sentThatCount, lostSends, receivedThatCount, lostReceives);
            sent = sentThatCount;
            received = receivedThatCount;
        }
        const std::size_t copy = isWhole && haveFingerprints && sendEnds.haveFingerprints()
                                     ? copyAmong(sendEnds, sent, receiveEnds, received, trace.processes[receiver], channel)
                                     : none;
        const std::size_t pairs = std::min(sent.size(), received.size() - (copy == none ? 0 : 1));
        for (std::size_t i = 0; i < pairs; ++i) {
            const std::uint32_t send = sent[i];
            const std::uint32_t receive = received[i < copy ? i : i + 1];
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

/// A collective of one rank: one that it has completed or, without `index`, one that it has begun only.
struct RankCall {
    LocationIndex location;
    std::uint32_t index;
    Tick begun;
    const CollectiveKind *kind;
};

/// Those of all threads, in the order in which they were begun: non-blocking ones may be completed in any order, and the
/// order that must be the same on all members is that in which they are called (MPI 3.1 §5.12).
std::vector<RankCall> collectiveCallsOf(const Trace &trace, Rank rank, std::span<const Column<Tick>> starts) {
    std::vector<RankCall> calls;
    bool isInOrder = true;
    const auto add = [&](const RankCall &call) {
        isInOrder &= calls.empty() || calls.back().begun <= call.begun;
        calls.push_back(call);
    };
    for (const LocationIndex location : trace.processes[rank].locations) {
        const LocationEvents &events = trace.locations[location].events;
        const CollectiveCalls &collectives = events.collectives;
        for (std::uint32_t i = 0; i < collectives.size(); ++i) {
            const std::uint32_t row = collectives.row[i];
            const Tick begun = !starts.empty() ? starts[location][i] : row == none ? collectives.end[i] : events.track.start[row];
            add({location, i, begun, &events.collectiveKinds[collectives.kind[i]]});
        }
        for (const PendingRequest &request : events.pending)
            if (request.kind == PendingRequest::Kind::Collective && request.collectiveKind != none)
                add({location, none, request.posted, &events.collectiveKinds[request.collectiveKind]});
    }
    if (!isInOrder)
        std::stable_sort(calls.begin(), calls.end(), [](const RankCall &a, const RankCall &b) { return a.begun < b.begun; });
    return calls;
}

/// Positions in `Trace::collectives` by communicator and number. Numbers follow each other, but may begin anywhere.
class InstanceIndex {
  public:
    explicit InstanceIndex(std::size_t communicators) : m_dense(communicators) {}

    std::uint32_t of(CommunicatorId communicator, std::uint32_t number, Trace &trace) {
        std::vector<std::uint32_t> &dense = m_dense[communicator];
        if (number < dense.size())
            return dense[number];
        const std::uint64_t key = std::uint64_t{communicator} << 32U | number;
        const auto known = m_beyond.empty() ? m_beyond.end() : m_beyond.find(key);
        const std::uint32_t instance =
            known != m_beyond.end() ? known->second : static_cast<std::uint32_t>(trace.collectives.size());
        if (known == m_beyond.end())
            trace.collectives.push_back({.communicator = communicator, .number = number});
        if (number == dense.size())
            dense.push_back(instance);
        else
            m_beyond.emplace(key, instance);
        return instance;
    }

  private:
    std::vector<std::vector<std::uint32_t>> m_dense;
    std::unordered_map<std::uint64_t, std::uint32_t> m_beyond;
};

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

/// Messages that were sent before the sender's records begin, and have not been received.
void addUnrecorded(Trace &trace, std::span<const EarlierMessages> messages, const EarlierCounts &earlier, const Work &work) {
    std::vector<std::vector<const EarlierMessages *>> bySender(trace.processes.size());
    for (const EarlierMessages &message : messages)
        if (message.isSend && message.peer < trace.processes.size() && trace.isRead(message.peer))
            bySender[message.rank].push_back(&message);
    std::vector<std::vector<std::pair<Channel, std::uint64_t>>> received(trace.processes.size()); // records, by receiver
    forEachParallel(received.size(), work, [&](std::size_t rank, unsigned) {
        const ChannelIndex index = indexChannels(trace, static_cast<Rank>(rank), &LocationEvents::receives);
        for (std::size_t c = 0; c < index.channels.size(); ++c)
            received[rank].emplace_back(index.channels[c], index.begin[c + 1] - index.begin[c]);
    });
    forEachParallel(bySender.size(), work, [&](std::size_t rank, unsigned) {
        for (const EarlierMessages *message : bySender[rank]) {
            const Channel channel{static_cast<Rank>(rank), message->communicator, message->tag}; // as the receiver names it
            const auto &records = received[message->peer];
            const auto record = std::lower_bound(records.begin(), records.end(), channel,
                                                 [](const auto &entry, const Channel &c) { return entry.first < c; });
            std::uint64_t taken = earlier.of(message->peer, false, channel);
            if (record != records.end() && record->first == channel)
                taken += record->second;
            const std::uint64_t unreceived = message->count - std::min(message->count, taken);
            if (unreceived != 0)
                trace.processes[rank].unrecordedSends.push_back(
                    {message->peer, message->communicator, message->tag, unreceived, 0, 0});
        }
    });
}

/// Drops the ends whose other ends lie before the records of the other rank.
void dropHalves(Trace &trace, const std::vector<ChannelIndex> &sends, const EarlierCounts &earlier, const Work &work) {
    EndPositions keptSends(trace.processes.size());
    EndPositions keptReceives(trace.processes.size());
    std::atomic<std::uint64_t> droppedSends = 0;
    std::atomic<std::uint64_t> droppedReceives = 0;
    forEachParallel(trace.processes.size(), work, [&](std::size_t r, unsigned) {
        const auto rank = static_cast<Rank>(r);
        const ChannelIndex receives = indexChannels(trace, rank, &LocationEvents::receives);
        const auto mark = [&](const ChannelIndex &index, bool isSend, std::vector<std::uint32_t> &kept,
                              std::atomic<std::uint64_t> &dropped) {
            kept.assign(index.positions.size(), 0);
            for (std::size_t c = 0; c < index.channels.size(); ++c) {
                const Channel &channel = index.channels[c];
                const std::uint64_t own = earlier.of(rank, isSend, channel);
                const std::uint64_t others = earlier.of(channel.peer, !isSend, {rank, channel.communicator, channel.tag});
                const std::uint64_t halves =
                    std::min<std::uint64_t>(others - std::min(own, others), index.begin[c + 1] - index.begin[c]);
                for (std::uint64_t i = 0; i < halves; ++i)
                    kept[index.positions[index.begin[c] + i]] = none;
                dropped += halves;
            }
        };
        mark(sends[rank], true, keptSends[rank], droppedSends);
        mark(receives, false, keptReceives[rank], droppedReceives);
        std::size_t first = 0;
        for (const LocationIndex location : trace.processes[rank].locations) { // what is pending has not been received
            for (const PendingRequest &request : trace.locations[location].events.pending)
                if (request.sendIndex != none && std::exchange(keptSends[rank][first + request.sendIndex], 0) == none)
                    --droppedSends;
            if (const auto &parts = trace.locations[location].events.openParts)
                for (const std::uint32_t send : parts->sends)
                    if (std::exchange(keptSends[rank][first + send], 0) == none)
                        --droppedSends;
            first += trace.locations[location].events.sends.size();
        }
    });
    keepMessageEnds(trace, keptSends, keptReceives, work);
    trace.unmatchedSends -= droppedSends;
    trace.unmatchedReceives -= droppedReceives;
    if (droppedSends + droppedReceives != 0)
        trace.unshown["messages whose other end was overwritten"] += droppedSends + droppedReceives;
}

/// Call paths beside the track.
void renumberPaths(LocationEvents &events, const std::vector<CallPathId> &numbers) {
    for (QueuedOperation &queued : events.queue)
        queued.callPath = numbers[queued.callPath];
    const auto renumber = [&](CallPathId &path) { path = path == none ? none : numbers[path]; };
    for (PendingRequest &request : events.pending) {
        renumber(request.startedBy);
        renumber(request.madeBy);
    }
    for (EpochCall &call : events.epochs)
        renumber(call.startedBy);
    if (!events.openParts)
        return;
    for (OpenParts::Receive &receive : events.openParts->receives) {
        renumber(receive.startedBy);
        renumber(receive.madeBy);
    }
    renumber(events.openParts->collectiveStartedBy);
    renumber(events.openParts->collectiveMadeBy);
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
        renumberPaths(trace.locations[location].events, numberIn[tableOf[location]]);
    });
    for (Process &process : trace.processes) {
        const auto renumber = [&](std::uint64_t &state) {
            if (state != CountedTransition::start)
                state = std::uint64_t{numberIn[tableOf[process.mainLocation]][state / 2]} * 2 + state % 2;
        };
        for (CountedTransition &transition : process.model) {
            renumber(transition.from);
            renumber(transition.to);
        }
        std::sort(process.model.begin(), process.model.end(), [](const CountedTransition &a, const CountedTransition &b) {
            return std::pair(a.from, a.to) < std::pair(b.from, b.to);
        });
    }
}

void linkMessages(Trace &trace, const Work &work, std::span<const EarlierMessages> earlierMessages) {
    const EarlierCounts earlier(earlierMessages);
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
        const LinkCounts counts = linkReceives(trace, static_cast<Rank>(rank), sends, earlier);
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
    if (earlier.empty())
        return;
    addUnrecorded(trace, earlierMessages, earlier, work);
    dropHalves(trace, sends, earlier, work);
}

void linkCollectives(Trace &trace, const Work &work, std::span<const Column<Tick>> starts) {
    InstanceIndex instances(trace.communicators.size());
    for (Rank rank = 0; rank < trace.processes.size(); ++rank) {
        throwIfCancelled(work);
        for (const LocationIndex location : trace.processes[rank].locations) {
            CollectiveCalls &calls = trace.locations[location].events.collectives;
            calls.instance.resize(calls.size(), none);
        }
        std::unordered_map<CommunicatorId, std::uint32_t> done;
        for (const LocationIndex location : trace.processes[rank].locations)
            for (const EarlierCollectives &earlier : trace.locations[location].events.earlierCollectives)
                done[earlier.communicator] += earlier.count;
        // MPI_Comm_free and its like come where each member has done with the handle: counted apart, they shift no others.
        constexpr std::uint32_t firstOfFrees = 1U << 31U;
        std::unordered_map<CommunicatorId, std::uint32_t> freed;
        for (const RankCall &call : collectiveCallsOf(trace, rank, starts)) {
            const CommunicatorId communicator = call.kind->communicator;
            if (!isNumbered(trace, communicator))
                continue;
            const bool isFree = call.kind->operation == CollectiveOperation::DestroyHandle;
            const std::uint32_t number = isFree ? firstOfFrees + freed[communicator]++ : done[communicator]++;
            if (call.index == none)
                continue;
            LocationEvents &events = trace.locations[call.location].events;
            const std::uint32_t instance = instances.of(communicator, number, trace);
            const Tick end = events.collectives.end[call.index];
            const Tick enter = call.begun;
            addMember(trace.collectives[instance], *call.kind, enter, end);
            events.collectives.instance[call.index] = instance;
        }
    }
}

} // namespace laggard
