// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/waitfor/UnreceivedMessages.h"

#include "trace/Parallel.h"

#include <algorithm>
#include <tuple>

namespace laggard {

bool isReceived(const Trace &trace, LocationIndex sender, std::uint32_t send, Tick at) {
    if (trace.locations[sender].events.sends.match[send] == none)
        return false;
    return at >= trace.range.end || trace.messageOfSend(sender, send).received <= at;
}

std::vector<std::vector<MessageCount>> unreceivedMessages(const Trace &trace, Tick at, const Work &work) {
    const auto key = [](const MessageCount &c) { return std::tuple(c.peer, c.communicator, c.tag); };
    std::vector<std::vector<MessageCount>> bySender(trace.processes.size());
    forEachParallel(bySender.size(), work, [&](std::size_t rank, unsigned) {
        std::vector<MessageCount> &channels = bySender[rank];
        for (const LocationIndex location : trace.processes[rank].locations) {
            const LocationEvents &events = trace.locations[location].events;
            for (std::uint32_t i = 0; i < events.sends.size() && events.sends.time[i] <= at; ++i)
                if (!isReceived(trace, location, i, at)) {
                    const Envelope &envelope = events.envelopes[events.sends.envelope[i]];
                    channels.push_back({envelope.peer, envelope.communicator, envelope.tag, 1, envelope.bytes});
                }
        }
        std::sort(channels.begin(), channels.end(),
                  [&](const MessageCount &a, const MessageCount &b) { return key(a) < key(b); });
        std::size_t kept = 0;
        for (std::size_t i = 0; i < channels.size(); ++i) {
            if (kept != 0 && key(channels[kept - 1]) == key(channels[i])) {
                channels[kept - 1].messages += 1;
                channels[kept - 1].bytes += channels[i].bytes;
            } else {
                channels[kept++] = channels[i];
            }
        }
        channels.resize(kept);
    });
    return bySender;
}

} // namespace laggard
