// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/waitfor/ReceivedMessages.h"

#include <algorithm>
#include <map>

namespace laggard {

bool isOneShort(const JobView &job, const MissingSend &send) {
    const OpenCall &open = job.open(send.to);
    const auto isForAnybody = [&](const ExpectedReceive &receive) {
        return receive.from == none && receive.communicator == send.communicator && (receive.anyTag || receive.tag == send.tag);
    };
    if (open.source != OpenCall::Source::Recorded || std::ranges::none_of(open.receives, isForAnybody) ||
        job.trace.processes[send.to].eventsFrom != 0 || job.trace.isDamaged(send.to))
        return false;
    std::map<Rank, std::uint64_t> received;
    forEachReceived(job, send.to, [&](Rank from, CommunicatorId communicator, std::uint32_t tag, std::uint64_t messages) {
        if (communicator == send.communicator && tag == send.tag)
            received[from] += messages;
    });
    const std::uint64_t ofSender = received[send.from];
    received.erase(send.from);
    return !received.empty() && ofSender > 0 &&
           std::ranges::all_of(received, [&](const auto &other) { return other.second == ofSender + 1; });
}

} // namespace laggard
