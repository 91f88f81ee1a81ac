// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/waitfor/InterceptedMessages.h"

#include "analysis/waitfor/UnreceivedMessages.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace laggard {
namespace {

/// The call that a posted receive is waited for in, or was posted by: by it, earlier rounds are known.
CallPathId pathOf(const JobView &job, Rank rank, const PostedReceive &receive) {
    return receive.postedBy != none ? receive.postedBy : job.state.tasks[rank].mpiPath;
}

CallPathId pathOfRow(const JobView &job, Rank rank, std::uint32_t thread, std::uint32_t row) {
    if (row == none)
        return none;
    const Process &process = job.trace.processes[rank];
    const LocationIndex location =
        thread == none || thread >= process.locations.size() ? process.mainLocation : process.locations[thread];
    const Track &track = job.trace.locations[location].events.track;
    return row < track.size() ? track.callPath[row] : CallPathId{none};
}

/// Row of the call that ended at `time`, when it completed a receive.
std::uint32_t rowBefore(const Track &track, Tick time) { return time == 0 ? none : track.innermostAt(time - 1); }

/// A message left over that the receive might have taken in place of the one it took. `mayBeTaken`: also one that another posted
/// receive may have taken.
const MessageMatching::Channel *leftFor(const JobView &job, Rank receiver, const Envelope &taken, bool anySource, bool anyTag,
                                        bool mayBeTaken) {
    for (const MessageMatching::Channel &left : job.matching.leftOver(receiver)) {
        const bool isSame = left.from == taken.peer && left.tag == taken.tag;
        const bool isForOther = !mayBeTaken && left.claimed >= left.messages();
        if (!isSame && !isForOther && left.communicator == taken.communicator && (anySource || left.from == taken.peer) &&
            (anyTag || left.tag == taken.tag))
            return &left;
    }
    return nullptr;
}

/// A message that a matched probe took for itself.
std::optional<InterceptedMessage> probedOf(const JobView &job, Rank receiver, const PostedReceive &waiting) {
    const LocationEvents &events = *job.trace.mainEvents(receiver);
    for (const TakenMessage &each : events.taken) {
        const Envelope &taken = events.envelopes[each.envelope];
        if (asksFor(waiting, taken.peer, taken.communicator, taken.tag) && each.row != none)
            return InterceptedMessage{.receiver = receiver,
                                      .taken = taken.peer,
                                      .takenTag = taken.tag,
                                      .received = events.track.end[each.row],
                                      .postedBy = events.track.callPath[each.row],
                                      .anySource = each.anySource,
                                      .isProbe = true};
    }
    return std::nullopt;
}

/// A message that a matched probe took, and whose sender still waits in its call for somebody to receive it.
std::optional<InterceptedMessage> probedOfSender(const JobView &job, Rank receiver) {
    const LocationEvents *events = job.trace.mainEvents(receiver);
    if (events == nullptr)
        return std::nullopt;
    for (const TakenMessage &each : events->taken) {
        const Envelope &taken = events->envelopes[each.envelope];
        if (each.row == none || taken.peer >= job.size() || events->track.end[each.row] > job.state.at)
            continue;
        const bool isAwaited = std::ranges::any_of(job.open(taken.peer).sends, [&](const AwaitedSend &send) {
            return send.to == receiver && !send.isReceived && isProbeOf(job, taken.peer, send, *events, each);
        });
        if (isAwaited)
            return InterceptedMessage{.receiver = receiver,
                                      .taken = taken.peer,
                                      .takenTag = taken.tag,
                                      .received = events->track.end[each.row],
                                      .postedBy = events->track.callPath[each.row],
                                      .anySource = each.anySource,
                                      .isProbe = true,
                                      .left = taken.peer};
    }
    return std::nullopt;
}

/// Several receives wait, and there is one message less than they need: an earlier one that asks for any has taken that of this
/// one.
std::optional<InterceptedMessage> contestedOf(const JobView &job, Rank receiver, std::size_t waiting) {
    const std::vector<PostedReceive> &posted = job.matching.posted(receiver);
    for (const MessageCount &own : job.messagesTo(receiver)) {
        if (!asksFor(posted[waiting], own.peer, own.communicator, own.tag))
            continue;
        for (std::size_t i = 0; i < waiting; ++i) {
            const bool isWildcard = posted[i].from == none || posted[i].anyTag;
            if (!isWildcard || !asksFor(posted[i], own.peer, own.communicator, own.tag))
                continue;
            const Envelope taken{own.peer, own.communicator, own.tag, 0};
            if (const auto *left = leftFor(job, receiver, taken, posted[i].from == none, posted[i].anyTag, true))
                return InterceptedMessage{.receiver = receiver,
                                          .taken = own.peer,
                                          .takenTag = own.tag,
                                          .received = job.activity(receiver).since,
                                          .postedBy = posted[i].postedBy,
                                          .anySource = posted[i].from == none,
                                          .left = left->from,
                                          .leftTag = left->tag};
        }
    }
    return std::nullopt;
}

/// Visits the latest receives of a rank's main thread that had ended by now, from the last one back, with the call that posted
/// each, until `visit` returns false.
template <typename Visit> void forEachLatest(const JobView &job, Rank rank, std::uint32_t most, Visit visit) {
    const LocationEvents *events = job.trace.mainEvents(rank);
    if (events == nullptr)
        return;
    const ReceivePostings &postings = events->postings;
    std::size_t entry = postings.size();
    for (auto i = static_cast<std::uint32_t>(events->receives.size()), seen = 0U; i-- > 0 && seen < most; ++seen) {
        if (events->receives.time[i] > job.state.at)
            continue;
        while (entry != 0 && postings.receive[entry - 1] > i)
            --entry;
        const bool hasEntry = entry != 0 && postings.receive[entry - 1] == i;
        const std::uint32_t row = hasEntry ? postings.row[entry - 1] : rowBefore(events->track, events->receives.time[i]);
        const CallPathId postedBy = pathOfRow(job, rank, hasEntry ? postings.threadOf(entry - 1) : std::uint32_t{none}, row);
        if (!visit(i, hasEntry ? std::optional(entry - 1) : std::nullopt, postedBy))
            return;
    }
}

/// How often receives of the call, on this rank and some others, took messages of the tag and communicator of the one that lies
/// there; nothing if they took another one like receive `odd` of `receiver`, too.
std::optional<std::uint32_t> timesTaken(const JobView &job, CallPathId path, const MessageMatching::Channel &left, Rank receiver,
                                        std::uint32_t odd) {
    constexpr std::uint32_t mostReceives = 4096; // of each rank; assumed: its latest rounds tell
    constexpr Rank mostRanks = 16; // assumed: as many as show the habit of the program, and no more than the time is worth
    const LocationEvents &own = *job.trace.mainEvents(receiver);
    const Envelope &taken = own.envelopes[own.receives.envelope[odd]];
    std::uint32_t times = 0;
    bool isOnlyOne = true;
    const auto count = [&](Rank rank) {
        forEachLatest(job, rank, mostReceives, [&](std::uint32_t i, const auto &, CallPathId postedBy) {
            if ((rank == receiver && i == odd) || postedBy == none || !job.trace.isSameCall(postedBy, path))
                return true;
            const LocationEvents &events = *job.trace.mainEvents(rank);
            const Envelope &envelope = events.envelopes[events.receives.envelope[i]];
            isOnlyOne = envelope.tag != taken.tag || envelope.communicator != taken.communicator;
            times += envelope.tag == left.tag && envelope.communicator == left.communicator ? 1 : 0;
            return isOnlyOne;
        });
    };
    count(receiver);
    for (Rank rank = 0; rank < std::min<Rank>(static_cast<Rank>(job.size()), mostRanks) && isOnlyOne; ++rank)
        if (rank != receiver)
            count(rank);
    return isOnlyOne ? std::optional(times) : std::nullopt;
}

/// Whether the message that lies there was sent before the receiver sent anything, or took part in a collective, after `since`:
/// it would have come without that.
bool cameAnyway(const JobView &job, Rank receiver, const MessageMatching::Channel &left, Tick since) {
    const LocationEvents &own = *job.trace.mainEvents(receiver);
    const LocationEvents *sender = job.trace.mainEvents(left.from);
    if (sender == nullptr)
        return false;
    const auto sent = std::ranges::upper_bound(own.sends.time, since);
    Tick next = sent == own.sends.time.end() ? openEnd : *sent;
    for (const std::uint32_t row : own.collectives.row)
        if (row != none && own.track.start[row] > since)
            next = std::min(next, own.track.start[row]);
    for (std::uint32_t i = 0; i < sender->sends.size() && sender->sends.time[i] < next; ++i) {
        const Envelope &envelope = sender->envelopes[sender->sends.envelope[i]];
        if (envelope.peer == receiver && envelope.communicator == left.communicator && envelope.tag == left.tag &&
            !isReceived(job.trace, job.trace.processes[left.from].mainLocation, i, job.state.at))
            return true;
    }
    return false;
}

std::optional<InterceptedMessage> interceptedOf(const JobView &job, Rank receiver, const PostedReceive &waiting) {
    const LocationEvents &events = *job.trace.mainEvents(receiver);
    const CallPathId path = pathOf(job, receiver, waiting);
    constexpr std::uint32_t latest = 65536;        // what was taken so long ago did not hold up the present round
    constexpr std::uint32_t mostSinceServed = 256; // receives; assumed: nor did what is so far back behind one that was served
    constexpr std::uint32_t fewestTaken = 3;       // times, as for habits (Judge)
    std::optional<InterceptedMessage> found;
    bool wasServed = false;
    std::uint32_t sinceServed = 0;
    forEachLatest(job, receiver, latest, [&](std::uint32_t i, const std::optional<std::size_t> &entry, CallPathId postedBy) {
        const Envelope &taken = events.envelopes[events.receives.envelope[i]];
        wasServed |= postedBy == path && (waiting.from == none || waiting.from == taken.peer);
        if (wasServed && ++sinceServed > mostSinceServed)
            return false;
        if (!entry || postedBy == path || !asksFor(waiting, taken.peer, taken.communicator, taken.tag))
            return true;
        const bool anySource = events.postings.is(*entry, ReceivePostings::AnySource);
        const bool anyTag = events.postings.is(*entry, ReceivePostings::AnyTag);
        const MessageMatching::Channel *left =
            anySource || anyTag ? leftFor(job, receiver, taken, anySource, anyTag, false) : nullptr;
        if (left == nullptr)
            return true;
        // What came before such a wait was served is another round's, or this call has once taken what is not its own.
        const auto times = wasServed ? timesTaken(job, postedBy, *left, receiver, i) : std::nullopt;
        const bool isHabit = times && *times >= fewestTaken;
        if (wasServed && !isHabit && !(times && cameAnyway(job, receiver, *left, events.receives.time[i])))
            return false;
        found = InterceptedMessage{.receiver = receiver,
                                   .taken = taken.peer,
                                   .takenTag = taken.tag,
                                   .received = events.receives.time[i],
                                   .postedBy = postedBy,
                                   .anySource = anySource,
                                   .left = left->from,
                                   .leftTag = left->tag,
                                   .isInDoubt = wasServed && !isHabit};
        return false;
    });
    return found;
}

/// How many receives like this one, or of its sender and communicator with whatever tag, were completed in the order in which
/// they were posted; nothing if some were not.
std::optional<std::uint32_t> timesInOrder(const LocationEvents &events, const PostedReceive &kind, bool anyTag) {
    constexpr std::size_t latest = 65536; // receives: what was so long ago was another part of the program
    std::uint32_t before = none;          // row of the call that posted the one that was completed next
    std::uint32_t times = 0;
    std::size_t entry = events.postings.size();
    PostedReceive like = kind;
    like.anyTag = anyTag;
    for (auto i = events.receives.size(), seen = std::size_t{0}; i-- > 0 && seen < latest; ++seen) {
        while (entry != 0 && events.postings.receive[entry - 1] > i)
            --entry;
        const Envelope &envelope = events.envelopes[events.receives.envelope[i]];
        const bool isPosted =
            entry != 0 && events.postings.receive[entry - 1] == i && events.postings.threadOf(entry - 1) == none;
        if (!isPosted || !asksFor(like, envelope.peer, envelope.communicator, envelope.tag))
            continue;
        const std::uint32_t row = events.postings.row[entry - 1];
        if (row != none && before != none && row > before)
            return std::nullopt;
        before = row;
        ++times;
    }
    return times;
}

/// An earlier receive that has a message and is not waited for, of the same kind as one that waits, or else of the same sender.
std::optional<InterceptedMessage> abandonedOf(const JobView &job, Rank receiver, bool anyTag) {
    using Fate = MessageMatching::Fate;
    constexpr std::uint32_t fewest = 10; // with other tags, as for habits that name one of two (Judge)
    const std::vector<PostedReceive> &posted = job.matching.posted(receiver);
    const std::vector<Fate> &fates = job.matching.fates(receiver);
    std::map<std::tuple<Rank, CommunicatorId, std::uint32_t>, const PostedReceive *> abandoned;
    for (std::size_t i = 0; i < posted.size(); ++i) {
        const PostedReceive &each = posted[i];
        if (each.from == none || each.anyTag)
            continue;
        const std::tuple kind(each.from, each.communicator, anyTag ? 0 : each.tag);
        if (!each.isAwaited && fates[i] == Fate::There)
            abandoned.emplace(kind, &each);
        const auto earlier = abandoned.find(kind);
        if (!each.isAwaited || fates[i] != Fate::Missing || earlier == abandoned.end())
            continue;
        const std::optional<std::uint32_t> times = timesInOrder(job.events(receiver), each, anyTag);
        if (times && (!anyTag || *times >= fewest))
            return InterceptedMessage{.receiver = receiver,
                                      .taken = each.from,
                                      .takenTag = each.tag,
                                      .received = job.activity(receiver).since,
                                      .postedBy = earlier->second->postedBy,
                                      .isAbandoned = true,
                                      .leftTag = earlier->second->tag};
    }
    return std::nullopt;
}

} // namespace

namespace {

/// Why the awaited receive at this position got nothing, if another one took its message.
std::optional<InterceptedMessage> whyUnserved(const JobView &job, Rank receiver, std::size_t i) {
    const PostedReceive &waiting = job.matching.posted(receiver)[i];
    if (!waiting.isAwaited)
        return std::nullopt;
    switch (job.matching.fates(receiver)[i]) {
    case MessageMatching::Fate::Contested:
        return contestedOf(job, receiver, i);
    case MessageMatching::Fate::Missing:
        if (auto probed = probedOf(job, receiver, waiting))
            return probed;
        if (job.matching.leftOver(receiver).empty()) // it left none
            return std::nullopt;
        return interceptedOf(job, receiver, waiting);
    default:
        return std::nullopt;
    }
}

} // namespace

std::optional<InterceptedMessage> findIntercepted(const JobView &job, const RankSet &receivers) {
    for (const Rank receiver : receivers)
        if (auto found = probedOfSender(job, receiver))
            return found;
    for (const Rank receiver : receivers) {
        if (job.trace.mainEvents(receiver) == nullptr || job.open(receiver).source != OpenCall::Source::Recorded)
            continue;
        const std::vector<PostedReceive> &posted = job.matching.posted(receiver);
        for (std::size_t i = 0; i < posted.size(); ++i)
            if (auto found = whyUnserved(job, receiver, i))
                return found;
    }
    return std::nullopt;
}

bool isProbeOf(const JobView &job, Rank from, const AwaitedSend &send, const LocationEvents &events, const TakenMessage &taken) {
    const Envelope &envelope = events.envelopes[taken.envelope];
    if (taken.row == none || events.track.end[taken.row] > job.state.at || envelope.peer != from || envelope.tag != send.tag ||
        envelope.communicator != send.communicator)
        return false;
    // An earlier message of the kind may have been left in its probe for good.
    const LocationEvents *senders = job.trace.mainEvents(from);
    for (std::size_t i = senders == nullptr ? 0 : senders->sends.size(); i-- > 0;) {
        const Envelope &sent = senders->envelopes[senders->sends.envelope[i]];
        if (sent.peer == send.to && sent.tag == send.tag && sent.communicator == send.communicator &&
            senders->sends.time[i] <= job.state.at)
            return job.trace.reversedMessages != 0 || senders->sends.time[i] <= events.track.end[taken.row];
    }
    return true;
}

std::optional<InterceptedMessage> findAbandoned(const JobView &job, const RankSet &receivers) {
    std::optional<InterceptedMessage> only;
    for (const Rank receiver : receivers) {
        std::optional<InterceptedMessage> found = abandonedOf(job, receiver, false);
        if (!found)
            found = abandonedOf(job, receiver, true);
        if (found && only)
            return std::nullopt;
        only = found ? std::move(found) : std::move(only);
    }
    return only;
}

} // namespace laggard
