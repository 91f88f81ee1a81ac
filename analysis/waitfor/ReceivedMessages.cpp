// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/waitfor/ReceivedMessages.h"

#include <algorithm>

namespace laggard {

const ReceivedMessages::BySender &ReceivedMessages::receivedLike(const MissingSend &send) {
    const auto [place, isNew] = m_received.try_emplace({send.to, send.communicator, send.tag});
    BySender &received = place->second;
    if (isNew)
        forEachReceived(m_job, send.to, [&](Rank from, CommunicatorId communicator, std::uint32_t tag, std::uint64_t messages) {
            if (communicator == send.communicator && tag == send.tag)
                received[from] += messages;
        });
    return received;
}

bool ReceivedMessages::isOneShort(const MissingSend &send) {
    const OpenCall &open = m_job.open(send.to);
    const auto isForAnybody = [&](const ExpectedReceive &receive) {
        return receive.from == none && receive.communicator == send.communicator && (receive.anyTag || receive.tag == send.tag);
    };
    if (open.source != OpenCall::Source::Recorded || std::ranges::none_of(open.receives, isForAnybody) ||
        m_job.trace.processes[send.to].eventsFrom != 0 || m_job.trace.isDamaged(send.to))
        return false;
    const BySender &received = receivedLike(send);
    const auto own = received.find(send.from);
    return own != received.end() && received.size() > 1 && std::ranges::all_of(received, [&](const auto &other) {
               return other.first == send.from || other.second == own->second + 1;
           });
}

} // namespace laggard
