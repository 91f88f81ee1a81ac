// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/waitfor/MisfitMessages.h"

#include "analysis/waitfor/ReceivedMessages.h"
#include "analysis/waitfor/UnreceivedMessages.h"

#include <algorithm>

namespace laggard {
namespace {

bool fits(const ExpectedReceive &receive, Rank from, const MessageCount &message) {
    return (receive.from == from || receive.from == none) && receive.communicator == message.communicator &&
           (receive.anyTag || receive.tag == message.tag);
}

/// Fills in when, and by which call, the message was sent: of several alike the last one, as messages do not overtake each other.
template <typename Sent> void describeSend(const JobView &job, CommunicatorId communicator, std::uint32_t tag, Sent &lost) {
    const LocationEvents *events = job.trace.mainEvents(lost.from);
    if (events == nullptr)
        return;
    const LocationIndex location = job.trace.processes[lost.from].mainLocation;
    for (auto i = static_cast<std::uint32_t>(events->sends.size()); i-- > 0;) {
        const Envelope &envelope = events->envelopes[events->sends.envelope[i]];
        if (events->sends.time[i] > job.state.at || envelope.peer != lost.to || envelope.communicator != communicator ||
            envelope.tag != tag || isReceived(job.trace, location, i, job.state.at))
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
                describeSend(job, message.communicator, message.tag, lost.back());
            }
    return lost;
}

std::optional<Misfits> findMisfits(const JobView &job, const RankSet &senders, const RankSet &receivers) {
    std::vector<MisfitMessage> found;
    std::vector<MisfitMessage> held;
    const auto look = [&](Rank to, const ExpectedReceive &receive, const OpenCall &open, bool wantHeld) {
        for (const MessageCount &message : job.state.unreceived[receive.from]) {
            if (message.peer != to || (message.messages <= message.held) != wantHeld ||
                std::any_of(open.receives.begin(), open.receives.end(),
                            [&](const ExpectedReceive &r) { return fits(r, receive.from, message); }))
                continue;
            MisfitMessage misfit{receive.from, to, message.tag, receive.tag, receive.communicator != message.communicator};
            describeSend(job, message.communicator, message.tag, misfit);
            (wantHeld ? held : found).push_back(misfit);
        }
    };
    for (const Rank to : receivers) {
        const OpenCall &open = job.open(to);
        if (job.activity(to).kind != Activity::Kind::PointToPoint || open.source != OpenCall::Source::Recorded)
            continue;
        for (const ExpectedReceive &receive : open.receives) {
            if (receive.from == none || receive.anyTag || receive.from >= job.state.unreceived.size() ||
                !std::binary_search(senders.begin(), senders.end(), receive.from))
                continue;
            look(to, receive, open, false);
            look(to, receive, open, true);
        }
    }
    const std::vector<MisfitMessage> &some = found.empty() ? held : found;
    const auto isOfOnePair = [&](const MisfitMessage &m) { return m.from == some.front().from && m.to == some.front().to; };
    if (some.empty() || !std::all_of(some.begin(), some.end(), isOfOnePair))
        return std::nullopt;
    auto first = std::min_element(some.begin(), some.end(),
                                  [](const MisfitMessage &a, const MisfitMessage &b) { return a.sent < b.sent; });
    if (first->sent == openEnd) // a model dump does not tell which is the first: rather one of a kind that the receiver knows
        if (const auto known = std::ranges::find_if(some, [&](const MisfitMessage &m) { return isNewToReceiver(job, m); });
            known != some.end())
            first = known;
    return Misfits{*first, some.size() == 1};
}

bool isNewToReceiver(const JobView &job, const MisfitMessage &misfit) {
    bool asAwaited = false;
    bool asSent = false;
    forEachReceived(job, misfit.to, [&](Rank from, CommunicatorId, std::uint32_t tag, std::uint64_t) {
        asAwaited |= from == misfit.from && tag == misfit.awaitedTag && !misfit.otherCommunicator;
        asSent |= from == misfit.from && tag == misfit.sentTag;
    });
    return asSent && !asAwaited;
}

} // namespace laggard
