// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/waitfor/MisfitMessages.h"

#include "analysis/waitfor/UnreceivedMessages.h"

#include <algorithm>

namespace laggard {
namespace {

bool fits(const ExpectedReceive &receive, Rank from, const MessageCount &message) {
    return (receive.from == from || receive.from == none) && receive.communicator == message.communicator &&
           (receive.anyTag || receive.tag == message.tag);
}

/// Fills in when, and by which call, the message was sent: of several alike the last one, as messages do not overtake each other.
void describeSend(const JobView &job, LostMessage &lost) {
    const LocationEvents *events = job.trace.mainEvents(lost.from);
    if (events == nullptr)
        return;
    const LocationIndex location = job.trace.processes[lost.from].mainLocation;
    for (auto i = static_cast<std::uint32_t>(events->sends.size()); i-- > 0;) {
        const Envelope &envelope = events->envelopes[events->sends.envelope[i]];
        if (events->sends.time[i] > job.state.at || envelope.peer != lost.to || envelope.communicator != lost.communicator ||
            envelope.tag != lost.tag || isReceived(job.trace, location, i, job.state.at))
            continue;
        lost.sent = events->sends.time[i];
        if (const std::uint32_t row = events->track.innermostAt(lost.sent); row != none)
            lost.callPath = events->track.callPath[row];
        return;
    }
}

} // namespace

std::vector<LostMessage> lostMessages(const JobView &job, Rank rank) {
    std::vector<LostMessage> lost;
    const Activity &activity = job.activity(rank);
    if (activity.kind != Activity::Kind::PointToPoint || activity.site != none)
        return lost;
    const std::vector<ExpectedReceive> &receives = job.open(rank).receives;
    for (Rank from = 0; from < job.state.unreceived.size(); ++from)
        for (const MessageCount &message : job.state.unreceived[from])
            if (message.peer == rank && message.messages > message.held &&
                std::any_of(receives.begin(), receives.end(), [&](const ExpectedReceive &r) { return fits(r, from, message); })) {
                lost.push_back({from, rank, message.communicator, message.tag, openEnd, none});
                describeSend(job, lost.back());
            }
    return lost;
}

std::optional<MisfitMessage> findMisfitMessage(const JobView &job, const RankSet &members) {
    std::optional<MisfitMessage> found;
    for (const Rank to : members) {
        const OpenCall &open = job.open(to);
        if (job.activity(to).kind != Activity::Kind::PointToPoint || open.source != OpenCall::Source::Recorded)
            continue;
        for (const ExpectedReceive &receive : open.receives) {
            if (receive.from == none || receive.anyTag || !std::binary_search(members.begin(), members.end(), receive.from))
                continue;
            for (const MessageCount &message : job.state.unreceived[receive.from]) {
                if (message.peer != to || message.messages <= message.held ||
                    std::any_of(open.receives.begin(), open.receives.end(),
                                [&](const ExpectedReceive &r) { return fits(r, receive.from, message); }))
                    continue;
                if (found)
                    return std::nullopt;
                found = MisfitMessage{receive.from, to, message.tag, receive.tag, receive.communicator != message.communicator};
            }
        }
    }
    return found;
}

} // namespace laggard
