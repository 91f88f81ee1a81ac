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

CallPathId postedBy(const LocationEvents &events, std::uint32_t receive) {
    const std::size_t posting = events.postings.find(receive);
    if (posting != none && events.postings.threadOf(posting) != none)
        return none;
    const Tick time = events.receives.time[receive]; // for another receive the end of the call that posted it
    const std::uint32_t row =
        posting != none ? events.postings.row[posting] : events.track.innermostAt(time - std::min<Tick>(time, 1));
    return row == none ? CallPathId{none} : events.track.callPath[row];
}

CallPathId receivingCall(const LocationEvents &events, std::uint32_t receive) {
    if (const CallPathId posted = postedBy(events, receive); posted != none)
        return posted;
    const std::uint32_t row = events.track.innermostAt(std::max<Tick>(events.receives.time[receive], 1) - 1);
    return row == none ? CallPathId{none} : events.track.callPath[row];
}

std::optional<UsualSender> usualSenderOf(const JobView &job, Rank receiver, const ExpectedReceive &receive) {
    if (receive.from != none || job.trace.isSummary || job.trace.processes[receiver].eventsFrom != 0 ||
        job.trace.isDamaged(receiver))
        return std::nullopt;
    std::map<Rank, std::uint32_t> taken;
    for (const LocationIndex location : job.trace.processes[receiver].locations) {
        const LocationEvents &events = job.trace.locations[location].events;
        for (std::uint32_t i = 0; i < events.receives.size() && events.receives.time[i] <= job.state.at; ++i) {
            const Envelope &envelope = events.envelopes[events.receives.envelope[i]];
            if (envelope.communicator != receive.communicator || (!receive.anyTag && envelope.tag != receive.tag))
                continue;
            ++taken[envelope.peer];
        }
    }
    const auto least = std::ranges::min_element(taken, {}, [](const auto &each) { return each.second; });
    if (least == taken.end() || !std::ranges::all_of(taken, [&](const auto &other) {
            return other.first == least->first || other.second == least->second + 1;
        }))
        return std::nullopt;
    UsualSender usual{.rank = least->first, .messages = least->second};
    Tick last = 0;
    for (const LocationIndex location : job.trace.processes[usual.rank].locations) {
        const LocationEvents &events = job.trace.locations[location].events;
        for (std::uint32_t i = 0; i < events.sends.size() && events.sends.time[i] <= job.state.at; ++i) {
            const Envelope &envelope = events.envelopes[events.sends.envelope[i]];
            if (envelope.peer != receiver || envelope.communicator != receive.communicator ||
                (!receive.anyTag && envelope.tag != receive.tag) || events.sends.time[i] < last)
                continue;
            const std::uint32_t row = events.track.innermostAt(events.sends.time[i]);
            last = events.sends.time[i];
            usual.sentBy = row == none ? CallPathId{none} : events.track.callPath[row];
        }
    }
    return usual;
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
