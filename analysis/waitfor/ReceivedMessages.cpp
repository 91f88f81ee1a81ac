// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/waitfor/ReceivedMessages.h"

#include <algorithm>
#include <utility>

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

bool hasGotAnotherKindLast(const JobView &job, Rank rank, Rank from) {
    const LocationEvents *events = job.trace.mainEvents(rank);
    std::optional<std::uint32_t> last; // its tag
    std::size_t before = 0;
    for (std::size_t i = events == nullptr ? 0 : events->receives.size(); i-- > 0;) {
        const Envelope &envelope = events->envelopes[events->receives.envelope[i]];
        if (envelope.peer != from || events->receives.time[i] > job.state.at)
            continue;
        if (last && envelope.tag == *last)
            return false;
        before += last ? 1 : 0;
        last = last ? last : std::optional(envelope.tag);
    }
    return before != 0;
}

namespace {

/// True if the rank has got fewer messages of `receiver` than each of the others: what it did not send may be the answers.
bool isLessAsked(const JobView &job, Rank receiver, Rank rank, const RankSet &others) {
    std::map<Rank, std::uint32_t> asked;
    for (const LocationIndex location : job.trace.processes[receiver].locations) {
        const LocationEvents &events = job.trace.locations[location].events;
        for (std::size_t i = 0; i < events.sends.size() && events.sends.time[i] <= job.state.at; ++i)
            ++asked[events.envelopes[events.sends.envelope[i]].peer];
    }
    return std::ranges::all_of(others, [&](Rank other) { return asked[other] > asked[rank]; });
}

/// True if each of `senders` sent its next message only when all had sent one.
bool areInRounds(const std::vector<std::pair<Tick, Rank>> &inOrder, std::size_t senders) {
    std::map<Rank, std::size_t> sent;
    for (std::size_t i = 0; i < inOrder.size(); ++i)
        if (++sent[inOrder[i].second] != i / senders + 1)
            return false;
    return true;
}

} // namespace

bool areWhole(const JobView &job, Rank rank, MessageEnds LocationEvents::*messages) {
    const LocationEvents *events = job.trace.mainEvents(rank);
    return events != nullptr && job.location(rank) == job.trace.processes[rank].mainLocation && !job.trace.isSummary &&
           job.trace.processes[rank].eventsFrom == 0 && !job.trace.isDamaged(rank) &&
           std::ranges::all_of(job.trace.processes[rank].locations, [&](LocationIndex each) {
               const LocationEvents &other = job.trace.locations[each].events;
               return &other == events || (other.*messages).size() == 0;
           });
}

std::optional<UsualSender> usualSenderOf(const JobView &job, Rank receiver, const ExpectedReceive &receive) {
    if (receive.from != none || job.trace.isSummary || job.trace.processes[receiver].eventsFrom != 0 ||
        job.trace.isDamaged(receiver))
        return std::nullopt;
    std::vector<std::pair<Tick, Rank>> inOrder; // what such receives took
    for (const LocationIndex location : job.trace.processes[receiver].locations) {
        const LocationEvents &events = job.trace.locations[location].events;
        for (std::uint32_t i = 0; i < events.receives.size() && events.receives.time[i] <= job.state.at; ++i) {
            const Envelope &envelope = events.envelopes[events.receives.envelope[i]];
            if (envelope.communicator != receive.communicator || (!receive.anyTag && envelope.tag != receive.tag))
                continue;
            inOrder.emplace_back(events.receives.time[i], envelope.peer);
        }
    }
    std::ranges::stable_sort(inOrder, {}, &std::pair<Tick, Rank>::first);
    std::map<Rank, std::uint32_t> taken;
    for (const auto &[time, from] : inOrder)
        ++taken[from];
    const auto least = std::ranges::min_element(taken, {}, [](const auto &each) { return each.second; });
    if (least == taken.end() || !std::ranges::all_of(taken, [&](const auto &other) {
            return other.first == least->first || other.second == least->second + 1;
        }))
        return std::nullopt;
    UsualSender usual{.rank = least->first, .messages = least->second, .senders = taken.size()};
    usual.isInRounds = areInRounds(inOrder, taken.size());
    RankSet others;
    for (const auto &[from, messages] : taken)
        if (from != usual.rank)
            others.push_back(from);
    if (!others.empty() && isLessAsked(job, receiver, usual.rank, others))
        return std::nullopt;
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

namespace {

using MessageKind = std::pair<CommunicatorId, std::uint32_t>; // its tag

/// The call of `rank` that sent such a message last; `none`: not known.
CallPathId lastSendOf(const JobView &job, Rank rank, Rank receiver, MessageKind kind) {
    CallPathId sentBy = none;
    Tick last = 0; // of any thread
    for (const LocationIndex location : job.trace.processes[rank].locations) {
        const LocationEvents &events = job.trace.locations[location].events;
        for (std::size_t i = 0; i < events.sends.size() && events.sends.time[i] <= job.state.at; ++i) {
            const Envelope &envelope = events.envelopes[events.sends.envelope[i]];
            if (envelope.peer != receiver || envelope.communicator != kind.first || envelope.tag != kind.second ||
                events.sends.time[i] < last)
                continue;
            const std::uint32_t row = events.track.innermostAt(events.sends.time[i]);
            last = events.sends.time[i];
            sentBy = row == none ? CallPathId{none} : events.track.callPath[row];
        }
    }
    return sentBy;
}

/// Of one kind: by how many messages each has sent.
std::optional<ShortSender> shortOf(const std::map<Rank, std::uint32_t> &sent, const RankSet &candidates) {
    // Most kinds, of unique tags say, are one rank's: two who have sent none are more than one that is short.
    const auto isSilent = [&sent](Rank rank) { return !sent.contains(rank); };
    if (candidates.size() > sent.size() + 1 || std::ranges::count_if(candidates, isSilent) > 1)
        return std::nullopt;
    std::map<Rank, std::uint32_t> all = sent;
    for (const Rank rank : candidates)
        all.try_emplace(rank, 0);
    const auto least = std::ranges::min_element(all, {}, [](const auto &each) { return each.second; });
    if (all.size() < 2 || !std::ranges::binary_search(candidates, least->first))
        return std::nullopt;
    ShortSender found{.rank = least->first, .times = least->second + 1, .others = {}};
    for (const auto &[rank, times] : all) {
        if (rank == found.rank)
            continue;
        if (times != found.times)
            return std::nullopt;
        found.others.push_back(rank);
    }
    return found;
}

} // namespace

std::optional<ShortSender> onlyShortSender(const JobView &job, Rank receiver, const std::vector<ExpectedReceive> &receives,
                                           const RankSet &candidates) {
    if (job.trace.isSummary || job.trace.processes[receiver].eventsFrom != 0 || job.trace.isDamaged(receiver))
        return std::nullopt;
    std::map<MessageKind, std::map<Rank, std::uint32_t>> sent;
    std::map<Rank, std::pair<Tick, MessageKind>> last; // of each, of any kind
    for (const LocationIndex location : job.trace.processes[receiver].locations) {
        const LocationEvents &events = job.trace.locations[location].events;
        for (std::size_t i = 0; i < events.receives.size() && events.receives.time[i] <= job.state.at; ++i) {
            const Envelope &envelope = events.envelopes[events.receives.envelope[i]];
            const MessageKind kind{envelope.communicator, envelope.tag};
            ++sent[kind][envelope.peer];
            if (auto &latest = last[envelope.peer]; events.receives.time[i] >= latest.first)
                latest = {events.receives.time[i], kind};
        }
    }
    std::optional<ShortSender> only;
    for (const auto &[sentKind, byRank] : sent) {
        const MessageKind &kind = sentKind; // Clang 14 has no structured bindings in lambdas
        const bool isAwaited = std::ranges::any_of(receives, [&](const ExpectedReceive &receive) {
            return receive.communicator == kind.first && (receive.anyTag || receive.tag == kind.second);
        });
        std::optional<ShortSender> found = isAwaited ? shortOf(byRank, candidates) : std::nullopt;
        // Who has never sent the receiver anything may have nothing to do with it.
        if (!found || !last.contains(found->rank))
            continue;
        found->isLastWord = std::ranges::all_of(found->others, [&](Rank other) { return last[other].second == kind; });
        if (only && only->rank != found->rank)
            return std::nullopt;
        found->communicator = kind.first;
        found->tag = kind.second;
        if (!only || found->isLastWord)
            only = found;
    }
    if (!only || isLessAsked(job, receiver, only->rank, only->others))
        return std::nullopt;
    only->sentBy = lastSendOf(job, only->others.front(), receiver, {only->communicator, only->tag});
    return only;
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
