// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/waitfor/MisfitMessages.h"

#include "analysis/waitfor/ReceivedMessages.h"
#include "analysis/waitfor/UnreceivedMessages.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace laggard {
namespace {

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

/// Its sender has a partitioned request for it that is not complete.
bool isInPartitions(const JobView &job, const LostMessage &lost) {
    const LocationEvents *events = job.trace.mainEvents(lost.from);
    return events != nullptr && std::ranges::any_of(events->pending, [&](const PendingRequest &request) {
               if (request.kind != PendingRequest::Kind::Send || request.envelope == none || request.madeBy == none ||
                   job.calls[request.madeBy].function != MpiFunction::PsendInit)
                   return false;
               const Envelope &envelope = events->envelopes[request.envelope];
               return envelope.peer == lost.to && envelope.communicator == lost.communicator && envelope.tag == lost.tag;
           });
}

} // namespace

std::vector<LostMessage> lostMessages(const JobView &job, Rank rank) {
    std::vector<LostMessage> lost;
    const Activity &activity = job.activity(rank);
    if (activity.kind != Activity::Kind::PointToPoint || activity.site != none)
        return lost;
    const std::vector<PostedReceive> &posted = job.matching.posted(rank);
    const auto isAwaited = [&](Rank from, const MessageCount &message) {
        return std::any_of(posted.begin(), posted.end(), [&](const PostedReceive &receive) {
            return receive.isAwaited && asksFor(receive, from, message.communicator, message.tag);
        });
    };
    for (Rank from = 0; from < job.state.unreceived.size(); ++from)
        for (const MessageCount &message : job.state.unreceived[from])
            if (message.peer == rank && message.messages > message.held && isAwaited(from, message)) {
                lost.push_back({from, rank, message.communicator, message.tag, openEnd, none});
                describeSend(job, message.communicator, message.tag, lost.back());
                lost.back().inPartitions = isInPartitions(job, lost.back());
            }
    return lost;
}

namespace {

/// In how much a message differs from what a receive asks for; of another sender only if nothing else differs. 0: not to be
/// compared.
int differences(const PostedReceive &receive, const MessageMatching::Channel &message) {
    const bool otherSource = receive.from != none && receive.from != message.from;
    const bool otherTag = !receive.anyTag && receive.tag != message.tag;
    const bool otherCommunicator = receive.communicator != message.communicator;
    if (otherSource)
        return otherTag || otherCommunicator ? 0 : 3;
    return (otherTag ? 1 : 0) + (otherCommunicator ? 1 : 0);
}

struct Candidate {
    MisfitMessage misfit;
    int differences = 0;
};

/// Those among which the least differ, and which are on their way rather than held.
std::vector<MisfitMessage> closest(const std::vector<Candidate> &candidates) {
    const auto key = [](const Candidate &c) { return std::pair(c.differences, c.misfit.isHeld); };
    const auto best = std::min_element(candidates.begin(), candidates.end(),
                                       [&](const Candidate &a, const Candidate &b) { return key(a) < key(b); });
    std::vector<MisfitMessage> some;
    for (const Candidate &candidate : candidates)
        if (key(candidate) == key(*best))
            some.push_back(candidate.misfit);
    return some;
}

} // namespace

namespace {

std::vector<Candidate> misfitsBetween(const JobView &job, const RankSet &senders, const RankSet &receivers) {
    std::vector<Candidate> candidates;
    for (const Rank to : receivers) {
        if (job.activity(to).kind != Activity::Kind::PointToPoint || job.open(to).source != OpenCall::Source::Recorded)
            continue;
        const std::vector<PostedReceive> &posted = job.matching.posted(to);
        for (std::size_t i = 0; i < posted.size(); ++i) {
            const PostedReceive &receive = posted[i];
            if (!receive.isAwaited || job.matching.fates(to)[i] != MessageMatching::Fate::Missing)
                continue;
            for (const MessageMatching::Channel &message : job.matching.leftOver(to)) {
                const int count = differences(receive, message);
                const Rank owing = receive.from == none ? message.from : receive.from;
                const bool isForOther = message.claimed >= message.messages();
                if (count == 0 || isForOther || !std::binary_search(senders.begin(), senders.end(), owing))
                    continue;
                MisfitMessage misfit{.from = message.from,
                                     .to = to,
                                     .sentTag = message.tag,
                                     .awaitedTag = receive.anyTag ? none : receive.tag,
                                     .awaitedFrom = receive.from,
                                     .otherCommunicator = receive.communicator != message.communicator,
                                     .isHeld = message.certain == 0};
                describeSend(job, message.communicator, message.tag, misfit);
                candidates.push_back({misfit, count});
            }
        }
    }
    return candidates;
}

} // namespace

std::optional<MisfitMessage> commonMisfit(const JobView &job, const RankSet &members) {
    const std::vector<Candidate> candidates = misfitsBetween(job, members, members);
    std::map<Rank, std::set<Rank>> partners; // by rank: those from which a message lies there that fits but for its tag
    std::map<std::pair<Rank, Rank>, MisfitMessage> messages;
    for (const Candidate &each : candidates)
        if (each.differences == 1 && !each.misfit.otherCommunicator) {
            partners[each.misfit.to].insert(each.misfit.from);
            messages.try_emplace({each.misfit.from, each.misfit.to}, each.misfit);
        }
    std::optional<Rank> common;
    for (const auto &[rank, others] : partners)
        if (others.size() > 1) {
            if (common)
                return std::nullopt;
            common = rank;
        }
    const auto isOfCommon = [&](const Candidate &each) { return each.misfit.from == *common || each.misfit.to == *common; };
    if (!common || !std::ranges::all_of(candidates, isOfCommon))
        return std::nullopt;
    // What is for a later receive does not disagree with this one.
    const bool areOfExchanges = std::ranges::all_of(messages, [&](const auto &message) {
        const auto &[from, to] = message.first;
        return messages.contains({to, from}) && (message.second.isHeld || isOfOneExchange(job, message.second));
    });
    return areOfExchanges ? std::optional(messages.lower_bound({*common, 0})->second) : std::nullopt;
}

std::optional<Misfits> findMisfits(const JobView &job, const RankSet &senders, const RankSet &receivers) {
    const std::vector<Candidate> candidates = misfitsBetween(job, senders, receivers);
    if (candidates.empty())
        return std::nullopt;
    const std::vector<MisfitMessage> some = closest(candidates);
    const auto isOfOnePair = [&](const MisfitMessage &m) { return m.from == some.front().from && m.to == some.front().to; };
    if (!std::all_of(some.begin(), some.end(), isOfOnePair))
        return std::nullopt;
    auto first = std::min_element(some.begin(), some.end(),
                                  [](const MisfitMessage &a, const MisfitMessage &b) { return a.sent < b.sent; });
    if (first->sent == openEnd) // a model dump does not tell which is the first: rather one of a kind that the receiver knows
        if (const auto known =
                std::ranges::find_if(some, [&](const MisfitMessage &m) { return takenBefore(job, m).isNewRequest(); });
            known != some.end())
            first = known;
    return Misfits{*first, some.size() == 1};
}

std::optional<MisfitMessage> findMisdirected(const JobView &job, const RankSet &senders, const RankSet &receivers) {
    std::optional<MisfitMessage> found;
    for (const Rank to : receivers) {
        if (job.open(to).source != OpenCall::Source::Recorded)
            continue;
        const std::vector<PostedReceive> &posted = job.matching.posted(to);
        for (std::size_t i = 0; i < posted.size(); ++i) {
            const PostedReceive &receive = posted[i];
            if (!receive.isAwaited || job.matching.fates(to)[i] != MessageMatching::Fate::Missing || receive.from == none ||
                !std::binary_search(senders.begin(), senders.end(), receive.from))
                continue;
            for (const MessageCount &sent : job.state.unreceived[receive.from]) {
                if (sent.peer == to || sent.peer >= job.size() || sent.messages == 0 ||
                    !asksFor(receive, receive.from, sent.communicator, sent.tag) ||
                    job.matching.isAllTaken(receive.from, sent.peer, sent.communicator, sent.tag))
                    continue;
                if (found)
                    return std::nullopt;
                found = MisfitMessage{.from = receive.from,
                                      .to = sent.peer,
                                      .sentTag = sent.tag,
                                      .awaitedTag = receive.anyTag ? none : receive.tag,
                                      .awaitedFrom = receive.from,
                                      .isHeld = sent.messages == sent.held,
                                      .awaitedBy = to};
                describeSend(job, sent.communicator, sent.tag, *found);
            }
        }
    }
    return found;
}

namespace {

bool isWhole(const Trace &trace, Rank rank) { return trace.processes[rank].eventsFrom == 0 && !trace.isDamaged(rank); }

/// True if the rank has sent the other one anything, or received or asked for anything that may be of it.
bool hasToDoWith(const JobView &job, Rank rank, Rank other) {
    const auto isOfOther = [other](const Envelope &envelope) { return envelope.peer == other; };
    return std::ranges::any_of(job.trace.processes[rank].locations,
                               [&](LocationIndex location) {
                                   return std::ranges::any_of(job.trace.locations[location].events.envelopes, isOfOther);
                               }) ||
           std::ranges::any_of(job.matching.posted(rank),
                               [other](const PostedReceive &receive) { return receive.from == none || receive.from == other; });
}

} // namespace

std::optional<MisfitMessage> findStranger(const JobView &job, const std::vector<Wait> &waits, const RankSet &members) {
    std::map<std::pair<Rank, Rank>, MisfitMessage> found; // by who waits for whom
    if (!job.trace.tellsOpenCalls || job.trace.isSummary)
        return std::nullopt;
    for (const Wait &wait : waits) {
        const Rank waiter = wait.waiters.front();
        if (wait.kind != Wait::Kind::PointToPoint || wait.on.size() != 1 || !contains(members, waiter) ||
            !contains(members, wait.on.front()) || wait.on.front() == waiter)
            continue;
        const Rank on = wait.on.front();
        if (!isWhole(job.trace, waiter) || !isWhole(job.trace, on) || hasToDoWith(job, on, waiter))
            continue;
        const auto sent = std::ranges::find_if(job.state.unreceived[waiter],
                                               [on](const MessageCount &each) { return each.peer == on && each.messages != 0; });
        if (sent == job.state.unreceived[waiter].end())
            return std::nullopt;
        MisfitMessage message{.from = waiter,
                              .to = on,
                              .sentTag = sent->tag,
                              .awaitedTag = wait.tag,
                              .awaitedFrom = on,
                              .isHeld = sent->messages == sent->held,
                              .isStranger = true};
        describeSend(job, sent->communicator, sent->tag, message);
        found.insert_or_assign({waiter, on}, message);
    }
    // That nobody knows anybody is the state before the first exchange. Who is in the same call has to do with somebody else
    // there, and may be the one that is right.
    if (found.size() > 1)
        std::erase_if(found, [&](const auto &each) {
            const auto &[waiter, on] = each.first;
            return !job.isInMpi(on) || job.trace.isSameCall(job.state.tasks[waiter].mpiPath, job.state.tasks[on].mpiPath);
        });
    return found.size() == 1 ? std::optional(found.begin()->second) : std::nullopt;
}

namespace {

/// In an open call that waits for all of the messages that were begun before it.
bool isInExchange(const JobView &job, Rank rank) {
    return job.open(rank).source == OpenCall::Source::Recorded && job.activity(rank).kind == Activity::Kind::PointToPoint &&
           job.mpiCall(rank).kind == MpiCall::Kind::WaitAll && isWhole(job.trace, rank);
}

/// To whom a rank has sent in the exchange that it is in, and in those before; the latest first. An exchange ends with the call
/// that waits for it.
std::vector<std::set<Rank>> latestExchanges(const JobView &job, Rank rank, std::size_t number) {
    std::vector<std::set<Rank>> exchanges(1);
    const LocationEvents *events = job.trace.mainEvents(rank);
    if (events == nullptr)
        return exchanges;
    const Track &track = events->track;
    auto send = static_cast<std::uint32_t>(events->sends.size());
    const auto addSince = [&](Tick begin) {
        for (; send > 0 && events->sends.time[send - 1] >= begin; --send)
            if (events->sends.time[send - 1] <= job.state.at)
                exchanges.back().insert(events->envelopes[events->sends.envelope[send - 1]].peer);
    };
    bool isOpen = true; // the first such call from the end
    for (auto row = static_cast<std::uint32_t>(track.size()); row-- > 0 && exchanges.size() <= number;) {
        const CallPathId path = track.callPath[row];
        if (track.start[row] > job.state.at || job.calls[path].kind != MpiCall::Kind::WaitAll ||
            !job.trace.isSameCall(path, job.state.tasks[rank].mpiPath) || std::exchange(isOpen, false))
            continue;
        addSince(track.end[row]);
        exchanges.emplace_back();
    }
    if (exchanges.size() <= number)
        addSince(0);
    return exchanges;
}

/// What ranks exchange, found once for each.
class Exchanges {
  public:
    static constexpr std::size_t habit = 3; // as for others (LeftOutActs)

    explicit Exchanges(const JobView &job) : m_job(job) {}

    /// The rank receives from the other one in the exchange that it is in, or has sent it a message in it.
    bool isWith(Rank rank, Rank other) {
        const auto isOf = [other](const PostedReceive &receive) { return receive.from == none || receive.from == other; };
        return std::ranges::any_of(m_job.matching.posted(rank), isOf) || of(rank).front().contains(other);
    }
    /// It has sent the other one messages in this exchange, and in those before.
    bool isHabit(Rank rank, Rank other) {
        const std::vector<std::set<Rank>> &all = of(rank);
        return all.size() > habit &&
               std::all_of(all.begin(), all.begin() + habit + 1, [other](const auto &each) { return each.contains(other); });
    }

  private:
    const std::vector<std::set<Rank>> &of(Rank rank) {
        const auto [entry, isNew] = m_byRank.try_emplace(rank);
        if (isNew)
            entry->second = latestExchanges(m_job, rank, habit + 1);
        return entry->second;
    }

    const JobView &m_job;
    std::map<Rank, std::vector<std::set<Rank>>> m_byRank;
};

} // namespace

bool hasSentInExchange(const JobView &job, Rank rank) {
    return isInExchange(job, rank) && !latestExchanges(job, rank, 1).front().empty();
}

bool isTakenForNeighbour(const JobView &job, const std::vector<Wait> &waits, Rank rank, Rank except, bool neverMet) {
    if (!isInExchange(job, rank))
        return false;
    Exchanges exchanges(job);
    return std::ranges::any_of(waits, [&](const Wait &wait) {
        const Rank waiter = wait.waiters.front();
        return wait.kind == Wait::Kind::PointToPoint && !wait.isSend && !wait.anyOf && contains(wait.on, rank) &&
               waiter != rank && waiter != except && isInExchange(job, waiter) &&
               job.trace.isSameCall(job.state.tasks[waiter].mpiPath, job.state.tasks[rank].mpiPath) &&
               !exchanges.isWith(rank, waiter) && !(neverMet && hasToDoWith(job, rank, waiter));
    });
}

std::optional<OneSided> findOneSided(const JobView &job, const std::vector<Wait> &waits, const RankSet &members) {
    if (!job.trace.tellsOpenCalls || job.trace.isSummary || members.empty())
        return std::nullopt;
    const CallPathId path = job.state.tasks[members.front()].mpiPath;
    const auto isAlike = [&](Rank rank) {
        return isInExchange(job, rank) && job.trace.isSameCall(job.state.tasks[rank].mpiPath, path);
    };
    if (!std::ranges::all_of(members, isAlike))
        return std::nullopt;
    Exchanges exchanges(job);
    using Pair = std::pair<Rank, Rank>; // who waits, for whom
    std::optional<Pair> closing;
    const auto forEachPair = [&](const auto &visit) {
        for (const Wait &wait : waits)
            if (wait.kind == Wait::Kind::PointToPoint && !wait.isSend && !wait.anyOf)
                for (const Rank on : wait.on)
                    if (on != wait.waiters.front() && !visit(Pair(wait.waiters.front(), on)))
                        return false;
        return true;
    };
    const bool isOnly = forEachPair([&](const Pair &pair) {
        if (!contains(members, pair.first) || !contains(members, pair.second) || exchanges.isWith(pair.second, pair.first))
            return true;
        return !std::exchange(closing, pair) || closing->first == pair.first;
    });
    // A rank that exchanges with the other one as it always did: its neighbours are the old ones.
    if (!isOnly || !closing || !exchanges.isHabit(closing->first, closing->second))
        return std::nullopt;
    OneSided found;
    found.ranks = {std::min(closing->first, closing->second), std::max(closing->first, closing->second)};
    if (isTakenForNeighbour(job, waits, closing->first, closing->second, false))
        found.ranks = {closing->first};
    const auto sent = std::ranges::find_if(job.state.unreceived[closing->first], [&](const MessageCount &each) {
        return each.peer == closing->second && each.messages != 0;
    });
    if (sent == job.state.unreceived[closing->first].end())
        return std::nullopt;
    found.message = MisfitMessage{.from = closing->first,
                                  .to = closing->second,
                                  .sentTag = sent->tag,
                                  .awaitedTag = none,
                                  .awaitedFrom = closing->second,
                                  .isHeld = sent->messages == sent->held,
                                  .isOneSided = true};
    describeSend(job, sent->communicator, sent->tag, found.message);
    return found;
}

bool isFirstTo(const JobView &job, const MisfitMessage &message) {
    if (!isWhole(job.trace, message.from))
        return false;
    return std::ranges::none_of(job.trace.processes[message.from].locations, [&](LocationIndex location) {
        const LocationEvents &events = job.trace.locations[location].events;
        for (std::size_t i = 0; i < events.sends.size() && events.sends.time[i] < message.sent; ++i)
            if (events.envelopes[events.sends.envelope[i]].peer == message.to)
                return true;
        return false;
    });
}

TakenBefore takenBefore(const JobView &job, const MisfitMessage &misfit) {
    TakenBefore taken;
    const Rank awaitedFrom = misfit.awaitedFrom == none ? misfit.from : misfit.awaitedFrom;
    forEachReceived(job, misfit.to, [&](Rank from, CommunicatorId, std::uint32_t tag, std::uint64_t) {
        taken.asAwaited |= from == awaitedFrom && tag == misfit.awaitedTag && !misfit.otherCommunicator;
        taken.asSent |= from == misfit.from && tag == misfit.sentTag;
        taken.ofSender |= from == misfit.from;
    });
    return taken;
}

std::vector<MisfitMessage> unaskedMessages(const JobView &job, Rank rank, const RankSet &senders) {
    if (!isWhole(job.trace, rank) || job.trace.processes[rank].locations.size() > 1) // others may have taken such, or it may have
        return {};
    std::set<std::pair<CommunicatorId, std::uint32_t>> taken;
    forEachReceived(job, rank, [&](Rank, CommunicatorId communicator, std::uint32_t tag, std::uint64_t) {
        taken.emplace(communicator, tag);
    });
    const std::vector<PostedReceive> &posted = job.matching.posted(rank);
    std::map<Rank, MisfitMessage> bySender;
    for (const MessageMatching::Channel &message : job.matching.leftOver(rank)) {
        const bool isAskedFor = std::ranges::any_of(posted, [&](const PostedReceive &receive) {
            return asksFor(receive, message.from, message.communicator, message.tag);
        });
        if (isAskedFor || message.messages() == 0 || !contains(senders, message.from) ||
            taken.contains({message.communicator, message.tag}))
            continue;
        if (bySender.contains(message.from))
            continue;
        MisfitMessage unasked{
            .from = message.from, .to = rank, .sentTag = message.tag, .awaitedTag = none, .isHeld = message.certain == 0};
        unasked.otherCommunicator = std::ranges::none_of(posted, [&](const PostedReceive &receive) {
            return receive.isAwaited && receive.communicator == message.communicator;
        });
        describeSend(job, message.communicator, message.tag, unasked);
        bySender.emplace(message.from, unasked);
    }
    std::vector<MisfitMessage> all;
    for (const auto &[from, message] : bySender)
        all.push_back(message);
    return all;
}

namespace {

/// Where the receive that waits for another message than the misfit was posted.
CallPathId awaitedBy(const JobView &job, const MisfitMessage &misfit) {
    for (const PostedReceive &receive : job.matching.posted(misfit.to))
        if (receive.isAwaited && receive.from == misfit.awaitedFrom &&
            (receive.anyTag ? std::uint32_t{none} : receive.tag) == misfit.awaitedTag)
            return receive.postedBy != none ? receive.postedBy : job.state.tasks[misfit.to].mpiPath;
    return none;
}

} // namespace

bool isOfOneExchange(const JobView &job, const MisfitMessage &misfit) {
    const CallPathId awaited = awaitedBy(job, misfit);
    if (awaited == none || misfit.callPath == none)
        return false;
    constexpr std::uint32_t mostAsked = 256; // receives of a rank: its latest rounds tell
    for (const Process &process : job.trace.processes) {
        const LocationIndex location = process.mainLocation;
        if (location == none)
            continue;
        const LocationEvents &events = job.trace.locations[location].events;
        const auto size = static_cast<std::uint32_t>(events.receives.size());
        for (std::uint32_t i = size; i-- > 0 && size - i <= mostAsked;) {
            if (events.receives.match[i] == none || events.receives.time[i] > job.state.at)
                continue;
            const CallPathId posted = postedBy(events, i);
            if (posted == none || !job.trace.isSameCall(posted, awaited))
                continue;
            const Message message = job.trace.messageOfReceive(location, i);
            const Track &track = job.trace.locations[message.sender].events.track;
            const std::uint32_t row = track.innermostAt(message.sent);
            if (row != none && job.trace.isSameCall(track.callPath[row], misfit.callPath))
                return true;
        }
    }
    return false;
}

} // namespace laggard
