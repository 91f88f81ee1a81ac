// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/waitfor/UnreceivedMessages.h"

#include "trace/Parallel.h"

#include <algorithm>
#include <tuple>

namespace laggard {

bool UnreceivedMessages::isReceived(const Trace &trace, LocationIndex sender, std::uint32_t send, Tick at) {
    if (trace.locations[sender].events.sends.match[send] == none)
        return false;
    return at >= trace.range.end || trace.messageOfSend(sender, send).received <= at;
}

UnreceivedMessages::UnreceivedMessages(const Trace &trace, Tick at, const Work &work) : m_channels(trace.processes.size()) {
    const auto key = [](const Channel &c) { return std::tuple(c.to, c.communicator, c.tag); };
    forEachParallel(trace.processes.size(), work, [&](std::size_t rank, unsigned) {
        std::vector<Channel> &channels = m_channels[rank];
        for (const LocationIndex location : trace.processes[rank].locations) {
            const LocationEvents &events = trace.locations[location].events;
            for (std::uint32_t i = 0; i < events.sends.size() && events.sends.time[i] <= at; ++i)
                if (!isReceived(trace, location, i, at)) {
                    const Envelope &envelope = events.envelopes[events.sends.envelope[i]];
                    channels.push_back({envelope.peer, envelope.communicator, envelope.tag, 1});
                }
        }
        std::sort(channels.begin(), channels.end(), [&](const Channel &a, const Channel &b) { return key(a) < key(b); });
        std::size_t kept = 0;
        for (std::size_t i = 0; i < channels.size(); ++i) {
            if (kept != 0 && key(channels[kept - 1]) == key(channels[i]))
                ++channels[kept - 1].messages;
            else
                channels[kept++] = channels[i];
        }
        channels.resize(kept);
    });
}

std::uint32_t UnreceivedMessages::count(Rank from, Rank to, CommunicatorId communicator, std::uint32_t tag, bool anyTag) const {
    if (from >= m_channels.size())
        return 0;
    const std::vector<Channel> &channels = m_channels[from];
    std::uint32_t messages = 0;
    for (auto c = std::partition_point(channels.begin(), channels.end(), [&](const Channel &x) { return x.to < to; });
         c != channels.end() && c->to == to; ++c)
        if (c->communicator == communicator && (anyTag || c->tag == tag))
            messages += c->messages;
    return messages;
}

} // namespace laggard
