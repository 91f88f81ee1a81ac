// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/waitfor/UnreceivedMessages.h"

#include "analysis/waitfor/WaitIndex.h"
#include "trace/Parallel.h"

#include <algorithm>
#include <set>
#include <tuple>

namespace laggard {

bool isReceived(const Trace &trace, LocationIndex sender, std::uint32_t send, Tick at) {
    if (trace.locations[sender].events.sends.match[send] == none)
        return false;
    return at >= trace.range.end || trace.messageOfSend(sender, send).received <= at;
}

namespace {

/// Sends of the thread that counts that may be held back (MessageCount::held).
class HeldSends {
  public:
    HeldSends(const Snapshot &snapshot, Rank rank) {
        const std::uint32_t row = snapshot.openCalls[rank];
        // A call that only starts a send waits for nobody: what has not come back from it may not have come further than its
        // entry.
        const bool isInStart = row != none && snapshot.openCall(rank).kind == MpiCall::Kind::Post;
        if ((!snapshot.trace.tellsOpenCalls && !isInStart) || snapshot.trace.mainEvents(rank) == nullptr)
            return;
        const LocationEvents *events = &snapshot.events(rank);
        if (row != none)
            m_from = events->track.start[row];
        else if (snapshot.activities[rank].kind == Activity::Kind::Computing)
            for (const PendingRequest &request : events->pending)
                if (request.sendIndex != none)
                    m_pending.insert(request.sendIndex);
    }
    [[nodiscard]] bool contains(std::uint32_t send, Tick sent) const { return sent >= m_from || m_pending.contains(send); }

  private:
    Tick m_from = openEnd; ///< when the open call began
    std::set<std::uint32_t> m_pending;
};

/// Sorts counts of channels, and joins those of one.
void joinChannels(std::vector<MessageCount> &channels) {
    const auto key = [](const MessageCount &c) { return std::tuple(c.peer, c.communicator, c.tag); };
    std::sort(channels.begin(), channels.end(), [&](const MessageCount &a, const MessageCount &b) { return key(a) < key(b); });
    std::size_t kept = 0;
    for (std::size_t i = 0; i < channels.size(); ++i) {
        if (kept != 0 && key(channels[kept - 1]) == key(channels[i])) {
            channels[kept - 1].messages += channels[i].messages;
            channels[kept - 1].bytes += channels[i].bytes;
            channels[kept - 1].held += channels[i].held;
        } else {
            channels[kept++] = channels[i];
        }
    }
    channels.resize(kept);
}

} // namespace

std::vector<MessageCount> sentMessages(const Snapshot &snapshot, Rank rank) {
    const Trace &trace = snapshot.trace;
    const HeldSends held(snapshot, rank);
    std::vector<MessageCount> channels;
    for (const LocationIndex location : trace.processes[rank].locations) {
        const LocationEvents &events = trace.locations[location].events;
        const bool counts = location == snapshot.location(rank);
        std::vector<MessageCount> ofEnvelope;
        for (const Envelope &envelope : events.envelopes)
            ofEnvelope.push_back({envelope.peer, envelope.communicator, envelope.tag, 0, 0, 0});
        for (std::uint32_t i = 0; i < events.sends.size(); ++i) {
            MessageCount &count = ofEnvelope[events.sends.envelope[i]];
            ++count.messages;
            count.bytes += events.envelopes[events.sends.envelope[i]].bytes;
            count.held += counts && held.contains(i, events.sends.time[i]) ? 1 : 0;
        }
        std::erase_if(ofEnvelope, [](const MessageCount &count) { return count.messages == 0; });
        channels.insert(channels.end(), ofEnvelope.begin(), ofEnvelope.end());
    }
    joinChannels(channels);
    return channels;
}

std::vector<std::vector<MessageCount>> unreceivedMessages(const Snapshot &snapshot, const Work &work) {
    const Trace &trace = snapshot.trace;
    const Tick at = snapshot.at;
    std::vector<std::vector<MessageCount>> bySender(trace.processes.size());
    forEachParallel(bySender.size(), work, [&](std::size_t rank, unsigned) {
        std::vector<MessageCount> &channels = bySender[rank];
        const HeldSends held(snapshot, static_cast<Rank>(rank));
        for (const LocationIndex location : trace.processes[rank].locations) {
            const LocationEvents &events = trace.locations[location].events;
            const auto add = [&](std::uint32_t i) {
                const Envelope &envelope = events.envelopes[events.sends.envelope[i]];
                const bool isHeld =
                    location == snapshot.location(static_cast<Rank>(rank)) && held.contains(i, events.sends.time[i]);
                channels.push_back({envelope.peer, envelope.communicator, envelope.tag, 1, envelope.bytes, isHeld ? 1U : 0U});
            };
            if (snapshot.index != nullptr) {
                snapshot.index->forEachUnreceived(location, at, add);
                continue;
            }
            for (std::uint32_t i = 0; i < events.sends.size() && events.sends.time[i] <= at; ++i)
                if (!isReceived(trace, location, i, at))
                    add(i);
        }
        if (at >= trace.range.end) {
            const std::vector<MessageCount> &unrecorded = trace.processes[rank].unrecordedSends;
            channels.insert(channels.end(), unrecorded.begin(), unrecorded.end());
        }
        joinChannels(channels);
    });
    return bySender;
}

} // namespace laggard
