// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/replay/ExchangePoint.h"

#include "analysis/clocks/Dependences.h"
#include "trace/Quantity.h"

#include <algorithm>

namespace laggard::replay {
namespace {

std::string callText(std::uint32_t rank, std::uint64_t call) {
    return "call " + std::to_string(call) + " of rank " + std::to_string(rank);
}

bool isSame(const PathMessage &a, std::uint64_t keyOfA, std::uint32_t peer, std::int32_t tag, std::uint64_t key) {
    return a.peer == peer && a.tag == tag && keyOfA == key;
}

std::uint64_t keyOf(const RankPath &path, std::uint32_t communicator) {
    return communicator < path.keyOfCommunicator.size() ? path.keyOfCommunicator[communicator] : 0;
}

/// Those of the messages that are from or to this peer with this tag and communicator.
std::vector<const PathMessage *> messagesWith(const RankPath &path, const std::vector<PathMessage> &messages, std::uint32_t peer,
                                              std::int32_t tag, std::uint64_t key) {
    std::vector<const PathMessage *> found;
    for (const PathMessage &message : messages)
        if (isSame(message, keyOf(path, message.communicator), peer, tag, key))
            found.push_back(&message);
    return found;
}

const PathMessage &sendOf(const Exchange &exchange, const std::vector<RankPath> &paths) {
    const RankPath &sender = paths[exchange.sender];
    if (exchange.sendCall == 0 || exchange.sendCall > sender.calls)
        throw ReplayError("rank " + std::to_string(exchange.sender) + " has no call " + std::to_string(exchange.sendCall) +
                          "; it has made " + std::to_string(sender.calls) + ".");
    for (const PathMessage &send : sender.sends)
        if (send.call == exchange.sendCall && send.peer == exchange.rank)
            return send;
    throw ReplayError(callText(exchange.sender, exchange.sendCall) + ", " + sender.nameOf(exchange.sendCall) +
                      ", sends nothing to rank " + std::to_string(exchange.rank) + '.');
}

Outcome &pointOf(const Exchange &exchange, RankPath &path) {
    if (exchange.call == 0 || exchange.call > path.calls)
        throw ReplayError("rank " + std::to_string(exchange.rank) + " has no call " + std::to_string(exchange.call) +
                          "; it has made " + std::to_string(path.calls) + ".");
    const auto found = std::ranges::find(path.outcomes, exchange.call, &Outcome::call);
    if (found == path.outcomes.end())
        throw ReplayError(callText(exchange.rank, exchange.call) + ", " + path.nameOf(exchange.call) +
                          ", has no choice of messages.");
    return *found;
}

/// MPI gives messages of one sender in the order in which they were sent: the one that is wanted must be the next.
void checkOrder(const Exchange &exchange, const Outcome &point, const PathMessage &send, const std::vector<RankPath> &paths) {
    const RankPath &receiver = paths[exchange.rank];
    const RankPath &sender = paths[exchange.sender];
    const std::uint64_t key = keyOf(sender, send.communicator);
    const auto sends = messagesWith(sender, sender.sends, exchange.rank, send.tag, key);
    const auto place = static_cast<std::size_t>(std::ranges::find(sends, &send) - sends.begin());
    std::vector<const PathMessage *> before = messagesWith(receiver, receiver.receives, exchange.sender, send.tag, key);
    const auto taken = static_cast<std::size_t>(
        std::ranges::count_if(before, [&](const PathMessage *receive) { return receive->call < point.call; }));
    if (place < taken)
        throw ReplayError("the message of " + callText(exchange.sender, exchange.sendCall) + " was received before, by " +
                          callText(exchange.rank, before[place]->call) + '.');
    if (place > taken)
        throw ReplayError("the message of " + callText(exchange.sender, exchange.sendCall) +
                          " cannot overtake that of its call " + std::to_string(sends[taken]->call) + ", which fits as well.");
}

/// The request whose receive got the message.
std::uint64_t requestOf(const Exchange &exchange, const PathMessage &send, const std::vector<RankPath> &paths) {
    const RankPath &receiver = paths[exchange.rank];
    const RankPath &sender = paths[exchange.sender];
    const std::uint64_t key = keyOf(sender, send.communicator);
    const auto sends = messagesWith(sender, sender.sends, exchange.rank, send.tag, key);
    const auto receives = messagesWith(receiver, receiver.receives, exchange.sender, send.tag, key);
    const auto place = static_cast<std::size_t>(std::ranges::find(sends, &send) - sends.begin());
    return place < receives.size() ? receives[place]->request : 0;
}

void putMessage(const Exchange &exchange, Outcome &point, const PathMessage &send, const std::vector<RankPath> &paths) {
    const RankPath &receiver = paths[exchange.rank];
    const std::string message = "the message of " + callText(exchange.sender, exchange.sendCall);
    if (point.asked.isCompletion) {
        const std::uint64_t request = requestOf(exchange, send, paths);
        if (request == 0 || std::ranges::count(point.asked.awaited, request) == 0)
            throw ReplayError(callText(exchange.rank, exchange.call) + ", " + point.asked.operation + ", does not wait for " +
                              message + '.');
        point.requests = {request};
        point.kind = Outcome::Kind::Completion;
        return;
    }
    const bool fits = keyOf(receiver, point.asked.communicator) == keyOf(paths[exchange.sender], send.communicator) &&
                      (point.asked.tag == recording::anyTag || point.asked.tag == send.tag) &&
                      (point.asked.source == recording::anySource || point.asked.source == exchange.sender);
    if (!fits)
        throw ReplayError(message + " has another tag or communicator than " + callText(exchange.rank, exchange.call) + ", " +
                          point.asked.operation + ", asks for.");
    checkOrder(exchange, point, send, paths);
    point.kind = Outcome::Kind::Message;
    point.source = exchange.sender;
    point.tag = send.tag;
}

/// How far the rank of the exchange is led: what it calls is certain until it gets the message, or something else that may be
/// another one now. Also when that was.
std::pair<std::uint64_t, Tick> endAtPoint(const RankPath &path, const Outcome &point) {
    std::uint64_t calls = std::max(point.call, point.doneCall);
    Tick when = point.done;
    for (const Outcome &later : path.outcomes)
        if (later.call > point.call && later.call <= calls) {
            calls = later.call - 1;
            when = std::min(when, path.ends[calls - 1]);
            break;
        }
    for (const Misses &later : path.misses)
        if (later.call >= point.call && later.call < calls) {
            calls = later.call;
            when = std::min(when, path.ends[calls - 1]);
        }
    return {calls, when};
}

/// From when on each location may be another one; openEnd: it is not.
class Consequences {
  public:
    Consequences(const Trace &trace, const Work &work) : m_trace(trace), m_dependences(trace, work) {
        m_since.assign(trace.locations.size(), openEnd);
        m_collectives.assign(trace.collectives.size(), false);
    }

    void follow(LocationIndex location, Tick when, const Work &work) {
        m_since[location] = when;
        const auto problem = m_dependences.inOrder(
            [this](LocationIndex l, std::size_t first, std::size_t end) { return visit(l, first, end); }, work);
        if (problem)
            throw ReplayError("what follows from the exchange cannot be told: " + *problem);
    }
    [[nodiscard]] Tick since(LocationIndex location) const { return m_since[location]; }
    /// The message that this receive got may be another one.
    [[nodiscard]] bool isChanged(LocationIndex location, std::uint32_t receive) const {
        const MessageEnd sent = m_dependences.sendOf(location, receive);
        return sent.location == none || isSentAfter(sent);
    }

  private:
    [[nodiscard]] bool isSentAfter(const MessageEnd &sent) const {
        return m_trace.locations[sent.location].events.sends.time[sent.index] >= m_since[sent.location];
    }
    bool visit(LocationIndex l, std::size_t first, std::size_t end) {
        bool isNews = false;
        const auto change = [&](Tick time) {
            if (time < m_since[l]) {
                m_since[l] = time;
                isNews = true;
            }
        };
        for (std::size_t i = first; i < end; ++i) {
            const DependencePoint &point = m_dependences.points(l)[i];
            if (point.kind == DependencePoint::Kind::Receive) {
                const MessageEnd sent = m_dependences.sendOf(l, point.index);
                if (sent.location != none && isSentAfter(sent))
                    change(point.time);
            } else if (point.kind == DependencePoint::Kind::CollectiveEnd) {
                const std::uint32_t instance = m_dependences.instanceNeeded(l, point.index);
                if (instance != none && m_collectives[instance])
                    change(point.time);
            } else if (point.kind == DependencePoint::Kind::CollectiveEnter && point.time >= m_since[l] &&
                       m_dependences.isNeeded(l, point.index)) {
                const std::uint32_t instance = m_trace.locations[l].events.collectives.instance[point.index];
                if (instance != none && !m_collectives[instance]) {
                    m_collectives[instance] = true;
                    isNews = true;
                }
            }
        }
        return isNews;
    }

    const Trace &m_trace;
    Dependences m_dependences;
    std::vector<Tick> m_since;
    std::vector<bool> m_collectives;
};

/// The one that receives and sends: of several, the others were refused (RecordedPath.h).
LocationIndex locationOf(const Trace &trace, Rank rank) {
    LocationIndex best = none;
    std::size_t most = 0;
    for (const LocationIndex l : trace.processes[rank].locations) {
        const LocationEvents &events = trace.locations[l].events;
        const std::size_t count = events.receives.size() + events.sends.size() + events.collectives.size() + 1;
        if (count > most) {
            most = count;
            best = l;
        }
    }
    return best;
}

} // namespace

std::vector<PathEnd> applyExchange(const Exchange &exchange, const Trace &trace, std::vector<RankPath> &paths, const Work &work) {
    if (exchange.rank >= paths.size() || exchange.sender >= paths.size())
        throw ReplayError("the recording has " + plural(paths.size(), "rank") + ", and no rank " +
                          std::to_string(std::max(exchange.rank, exchange.sender)) + '.');
    Outcome &point = pointOf(exchange, paths[exchange.rank]);
    putMessage(exchange, point, sendOf(exchange, paths), paths);
    const auto [calls, when] = endAtPoint(paths[exchange.rank], point);
    Consequences consequences(trace, work);
    const LocationIndex own = locationOf(trace, exchange.rank);
    if (own == none)
        throw ReplayError("rank " + std::to_string(exchange.rank) + " has no events.");
    consequences.follow(own, when, work);
    std::vector<PathEnd> ends;
    for (Rank rank = 0; rank < paths.size(); ++rank) {
        RankPath &path = paths[rank];
        const LocationIndex location = locationOf(trace, rank);
        const Tick since = location == none ? openEnd : consequences.since(location);
        PathEnd end{path.calls, "recording"};
        if (rank == exchange.rank)
            end = {calls, "exchange"};
        else if (since != openEnd)
            end = {static_cast<std::uint64_t>(std::ranges::lower_bound(path.ends, since) - path.ends.begin()), "other"};
        std::erase_if(path.outcomes, [&](const Outcome &outcome) {
            return outcome.call > end.calls || (rank == exchange.rank && outcome.call > exchange.call);
        });
        std::erase_if(path.misses, [&](const Misses &misses) {
            return misses.call >= end.calls && end.why != "recording" && !(rank == exchange.rank && misses.call < exchange.call);
        });
        const bool isCounted = location != none && path.receiveCount == trace.locations[location].events.receives.size();
        for (Outcome &outcome : path.outcomes) {
            if (rank == exchange.rank && outcome.call == exchange.call)
                continue;
            const bool isChanged =
                outcome.receive != none && isCounted ? consequences.isChanged(location, outcome.receive) : outcome.done >= since;
            if (outcome.kind == Outcome::Kind::Message && isChanged)
                outcome.kind = Outcome::Kind::Unknown;
        }
        ends.push_back(std::move(end));
    }
    return ends;
}

} // namespace laggard::replay
