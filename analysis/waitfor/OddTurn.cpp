// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/waitfor/OddTurn.h"

#include "analysis/waitfor/Confidence.h"
#include "analysis/waitfor/ReceivedMessages.h"

#include <algorithm>

namespace laggard {
namespace {

constexpr std::size_t fewestExchanges = 3; ///< as for other habits (Judge)
constexpr std::size_t mostExchanges = 64;  ///< looked at, the latest; older ones may be of another part of the program
constexpr std::size_t mostMembers = 1024;  ///< each costs its messages

/// What messages of one exchange have in common. Other tags are of other exchanges, in which it may be the other's turn.
struct Exchange {
    Rank peer = none;
    CommunicatorId communicator = none;
    std::uint32_t tag = none; ///< `none`: any
};

/// The messages of an exchange: positions in the rank's own columns, in the order of their times.
std::vector<std::uint32_t> messagesOf(const LocationEvents &events, const MessageEnds &ends, const Exchange &exchange,
                                      Tick before) {
    std::vector<std::uint32_t> found;
    for (std::uint32_t i = 0; i < ends.size() && ends.time[i] < before; ++i)
        if (const Envelope &envelope = events.envelopes[ends.envelope[i]]; envelope.peer == exchange.peer &&
                                                                           envelope.communicator == exchange.communicator &&
                                                                           (exchange.tag == none || envelope.tag == exchange.tag))
            found.push_back(i);
    return found;
}

/// When the MPI call began in which a message came.
Tick enteredFor(const Track &track, Tick time) {
    const std::uint32_t row = track.innermostAt(time - std::min<Tick>(time, 1)); // a receive is recorded as its call returns
    return row == none ? time : std::min(track.start[row], time);
}

/// What a rank that waits for another one has done for it by then, beyond what it had done so in earlier exchanges.
struct Balance {
    std::size_t earlier = 0; ///< of the same kind as the open call
    std::int64_t least = 0;  ///< of what it had given, over what it had got, as such a call began
    std::int64_t most = 0;   ///< … of the same
    std::int64_t now = 0;
    CallPathId gaveLast = none; ///< the call that gave last
};

/// `waited` are messages of the kind that the rank waits for now, `given` of the other kind. A send is recorded as its call
/// begins.
Balance balanceOf(const LocationEvents &events, const MessageEnds &waitedEnds, const std::vector<std::uint32_t> &waited,
                  const MessageEnds &givenEnds, const std::vector<std::uint32_t> &given, Tick began) {
    const auto givenBy = [&](Tick time) {
        return std::ranges::lower_bound(given, time, {}, [&](std::uint32_t i) { return givenEnds.time[i]; }) - given.begin();
    };
    Balance balance;
    const std::size_t first = waited.size() > mostExchanges ? waited.size() - mostExchanges : 0;
    for (std::size_t i = first; i < waited.size(); ++i) {
        const Tick time = waitedEnds.time[waited[i]];
        const Tick entered = &waitedEnds == &events.sends ? time : enteredFor(events.track, time);
        const std::int64_t over = givenBy(entered) - static_cast<std::int64_t>(i);
        balance.least = balance.earlier == 0 ? over : std::min(balance.least, over);
        balance.most = balance.earlier == 0 ? over : std::max(balance.most, over);
        ++balance.earlier;
    }
    balance.now = givenBy(began) - static_cast<std::int64_t>(waited.size());
    if (!given.empty() && &givenEnds == &events.receives) {
        balance.gaveLast = receivingCall(events, given.back());
    } else if (!given.empty()) {
        const std::uint32_t row = events.track.innermostAt(givenEnds.time[given.back()]);
        balance.gaveLast = row == none ? none : events.track.callPath[row];
    }
    return balance;
}

/// What the rank waits for of the other one; nothing where that is of several kinds.
std::optional<Exchange> exchangeOf(const OpenCall &open, Rank peer, bool isSend) {
    std::vector<Exchange> all;
    if (isSend)
        for (const AwaitedSend &send : open.sends)
            all.push_back({send.to, send.communicator, send.tag});
    else
        for (const ExpectedReceive &receive : open.receives)
            all.push_back({receive.from, receive.communicator, receive.anyTag ? std::uint32_t{none} : receive.tag});
    std::erase_if(all, [peer](const Exchange &each) { return each.peer != peer; });
    return all.size() == 1 && all.front().communicator != none ? std::optional(all.front()) : std::nullopt;
}

LeftOutAct toldBy(const Balance &balance, const Wait &wait, const Exchange &exchange, double most) {
    const auto n = static_cast<double>(balance.earlier);
    return LeftOutAct{.what = wait.isSend ? LeftOutAct::What::Receive : LeftOutAct::What::Send,
                      .debtor = wait.waiters.front(),
                      .creditor = wait.on.front(),
                      .callPath = balance.gaveLast,
                      .rounds = static_cast<std::uint32_t>(balance.earlier),
                      .tag = exchange.tag,
                      .confidence = std::min(most, wait.confidence * (n + 1) / (n + 2))};
}

/// Messages that the rank's main thread has received of the other one, beyond those that it has sent to it.
std::int64_t unansweredBy(const JobView &job, Rank rank, Rank other) {
    const LocationEvents *events = job.trace.mainEvents(rank);
    if (events == nullptr)
        return 0;
    const auto numberOf = [&](const MessageEnds &ends) {
        return std::ranges::count_if(ends.envelope, [&](std::uint32_t each) { return events->envelopes[each].peer == other; });
    };
    return numberOf(events->receives) - numberOf(events->sends);
}

/// Another one of those of whom the creditor would take a message owes it one as well: so the protocol ends, or it is that one.
bool isOneOfSeveral(const JobView &job, const std::vector<Wait> &waits, Rank rank, Rank creditor) {
    const std::int64_t own = unansweredBy(job, rank, creditor);
    return std::ranges::any_of(waits, [&](const Wait &wait) {
        return wait.kind == Wait::Kind::PointToPoint && !wait.isSend && wait.waiters.front() == creditor &&
               std::ranges::any_of(wait.on,
                                   [&](Rank other) { return other != rank && unansweredBy(job, other, creditor) >= own; });
    });
}

/// Answers have other tags than what they answer. Who has always asked again when it had answered, once for each, and now asks
/// without, has left out an answer.
std::optional<LeftOutAct> unanswered(const JobView &job, const LocationEvents &events, const Wait &wait, const Exchange &asked,
                                     Tick began) {
    const Exchange given{asked.peer, asked.communicator, none};
    const std::vector<std::uint32_t> received = messagesOf(events, events.receives, asked, began);
    if (received.size() < fewestExchanges || hasGotAnotherKindLast(job, wait.waiters.front(), asked.peer))
        return std::nullopt;
    const Balance balance =
        balanceOf(events, events.receives, received, events.sends, messagesOf(events, events.sends, given, began), began);
    if (balance.least != balance.most || balance.now != balance.least - 1 || balance.gaveLast == none)
        return std::nullopt;
    return toldBy(balance, wait, given, either); // the other one may have sent once too often
}

std::optional<LeftOutAct> outOfTurn(const JobView &job, const Wait &wait) {
    const Rank rank = wait.waiters.front();
    const std::uint32_t open = job.openRow(rank);
    const std::optional<Exchange> exchange = exchangeOf(job.open(rank), wait.on.front(), wait.isSend);
    if (open == none || !exchange || job.trace.processes[rank].eventsFrom != 0 || job.trace.isDamaged(rank))
        return std::nullopt;
    const LocationEvents &events = job.events(rank);
    const Tick began = events.track.start[open];
    if (exchange->tag == none)
        return wait.isSend ? std::nullopt : unanswered(job, events, wait, *exchange, began);
    const std::vector<std::uint32_t> sends = messagesOf(events, events.sends, *exchange, began);
    const std::vector<std::uint32_t> receives = messagesOf(events, events.receives, *exchange, began);
    const Balance balance = wait.isSend ? balanceOf(events, events.sends, sends, events.receives, receives, began)
                                        : balanceOf(events, events.receives, receives, events.sends, sends, began);
    if (balance.earlier < fewestExchanges || balance.now >= balance.least || balance.gaveLast == none)
        return wait.isSend ? std::nullopt : unanswered(job, events, wait, *exchange, began);
    return toldBy(balance, wait, *exchange, 1);
}

} // namespace

std::optional<LeftOutAct> onlyOutOfTurn(const JobView &job, const std::vector<Wait> &waits, const RankSet &members) {
    std::optional<LeftOutAct> only;
    if (!job.trace.tellsOpenCalls || job.trace.isSummary || members.size() > mostMembers)
        return only;
    for (const Wait &wait : waits) {
        if (wait.kind != Wait::Kind::PointToPoint || wait.anyOf || wait.on.size() != 1 || wait.mismatch != Wait::Mismatch::None ||
            !contains(members, wait.waiters.front()) || !contains(members, wait.on.front()))
            continue;
        std::optional<LeftOutAct> act = outOfTurn(job, wait);
        if (act && act->tag == none && isOneOfSeveral(job, waits, act->debtor, act->creditor))
            act.reset();
        if (act && only)
            return std::nullopt;
        if (act)
            only = act;
    }
    return only;
}

} // namespace laggard
