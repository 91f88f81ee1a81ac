// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/messages/RepeatedMessages.h"

#include "analysis/verdict/Describe.h"
#include "trace/Parallel.h"
#include "trace/TakenAgain.h"
#include "trace/TicksOf.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

namespace laggard {
namespace {

using Evidence = RepeatedMessage::Evidence;

constexpr std::size_t mostFound = 16;
constexpr double timesOthers = 3; ///< a receive is too early from here on: times what the clocks are off elsewhere (ours)
constexpr double certain = 0.95;
constexpr std::uint64_t mostEager = 4096; ///< bytes: what MPI libraries hand over without the sender's help

struct Channel {
    Rank from = none;
    Rank to = none;
    CommunicatorId communicator = none;
    std::uint32_t tag = 0;
    auto operator<=>(const Channel &) const = default;
};

/// What is strange about a channel.
struct Suspicion {
    Tick early = 0;                ///< the largest time by which a receive precedes its send
    Tick firstEarly = openEnd;     ///< when the first such receive was done …
    Tick sendOfFirst = openEnd;    ///< … and its send begun
    Tick firstUnmatched = openEnd; ///< the first receive without a send
    bool isOther = false;          ///< a receive took other contents than its send gave, or has none
};

using Suspicions = std::map<Channel, Suspicion>;

/// Both fingerprints are known, and differ.
bool areOther(std::uint32_t one, std::uint32_t another) { return one != 0 && another != 0 && one != another; }

Channel channelOf(Rank to, const Envelope &envelope) { return {envelope.peer, to, envelope.communicator, envelope.tag}; }

/// Receives of a rank that precede their sends, or have none.
Suspicions strangeReceives(const Trace &trace, Rank rank) {
    Suspicions found;
    for (const LocationIndex location : trace.processes[rank].locations) {
        const LocationEvents &events = trace.locations[location].events;
        std::vector<std::uint32_t> latest(events.envelopes.size()); // contents; equal ones have equal envelopes
        for (std::uint32_t i = 0; i < events.receives.size(); ++i) {
            const Envelope &envelope = events.envelopes[events.receives.envelope[i]];
            if (envelope.peer == none)
                continue;
            const std::uint32_t contents = events.receives.fingerprintOf(i);
            const std::uint32_t before = std::exchange(latest[events.receives.envelope[i]], contents);
            if (events.receives.match[i] == none) {
                Suspicion &here = found[channelOf(rank, envelope)];
                here.firstUnmatched = std::min(here.firstUnmatched, events.receives.time[i]);
                here.isOther |= contents != 0 && contents == before;
                continue;
            }
            const Message message = trace.messageOfReceive(location, i);
            const bool isOther = areOther(trace.locations[message.sender].events.sends.fingerprintOf(message.send), contents);
            if (message.received >= message.sent && !isOther)
                continue;
            Suspicion &here = found[channelOf(rank, envelope)];
            here.isOther |= isOther;
            if (message.received >= message.sent)
                continue;
            here.early = std::max(here.early, message.sent - message.received);
            if (message.received < here.firstEarly) {
                here.firstEarly = message.received;
                here.sendOfFirst = message.sent;
            }
        }
    }
    return found;
}

/// How far the clocks are off between pairs of ranks: by receiver and sender.
class ClockErrors {
  public:
    explicit ClockErrors(const std::vector<Suspicions> &byReceiver) {
        std::map<std::pair<Rank, Rank>, Tick> byPair;
        for (const Suspicions &suspicions : byReceiver)
            for (const auto &[channel, suspicion] : suspicions) {
                Tick &largest = byPair[std::minmax(channel.from, channel.to)];
                largest = std::max(largest, suspicion.early);
            }
        for (const auto &[pair, early] : byPair) {
            if (early > m_largest)
                m_second = std::exchange(m_largest, early), m_pair = pair;
            else
                m_second = std::max(m_second, early);
        }
    }
    /// The largest between other ranks than these two.
    [[nodiscard]] Tick apartFrom(Rank a, Rank b) const {
        return std::pair<Rank, Rank>(std::minmax(a, b)) == m_pair ? m_second : m_largest;
    }

  private:
    Tick m_largest = 0;
    Tick m_second = 0;
    std::pair<Rank, Rank> m_pair{none, none};
};

struct ChannelEnd {
    Tick time = 0;
    LocationIndex location = none;
    std::uint32_t index = none;
    std::uint32_t fingerprint = 0; ///< hash of the contents; 0: not known
};

/// The sends or receives of a channel in order of time.
std::vector<ChannelEnd> endsOf(const Trace &trace, const Channel &channel, MessageEnds LocationEvents::*ends) {
    const bool isSend = ends == &LocationEvents::sends;
    const Rank peer = isSend ? channel.to : channel.from;
    std::vector<ChannelEnd> found;
    for (const LocationIndex location : trace.processes[isSend ? channel.from : channel.to].locations) {
        const LocationEvents &events = trace.locations[location].events;
        const MessageEnds &here = events.*ends;
        for (std::uint32_t i = 0; i < here.size(); ++i)
            if (const Envelope &e = events.envelopes[here.envelope[i]];
                e.peer == peer && e.communicator == channel.communicator && e.tag == channel.tag)
                found.push_back({here.time[i], location, i, here.fingerprintOf(i)});
    }
    std::stable_sort(found.begin(), found.end(), [](const auto &a, const auto &b) { return a.time < b.time; });
    return found;
}

/// A receive that took what the one before it had taken already, and the send that both come from.
struct TakenAgain {
    std::size_t receive = 0;
    std::size_t send = 0;
};

std::optional<TakenAgain> takenAgain(const Trace &trace, const std::vector<ChannelEnd> &sends,
                                     const std::vector<ChannelEnd> &receives) {
    const auto matchOf = [&](const ChannelEnd &end) { return trace.locations[end.location].events.receives.match[end.index]; };
    const auto first = std::ranges::find_if(receives, [&](const ChannelEnd &end) { return matchOf(end) != none; });
    if (first == receives.end())
        return std::nullopt;
    // Where earlier records are missing, the first receive need not be that of the first send.
    const Message message = trace.messageOfReceive(first->location, first->index);
    const auto partner = std::ranges::find_if(
        sends, [&](const ChannelEnd &end) { return end.location == message.sender && end.index == message.send; });
    std::vector<std::uint32_t> sent;
    std::vector<std::uint32_t> received;
    for (auto send = partner; send != sends.end(); ++send)
        sent.push_back(send->fingerprint);
    for (auto receive = first; receive != receives.end(); ++receive)
        received.push_back(receive->fingerprint);
    const std::optional<std::size_t> again = firstTakenAgain(sent, received);
    if (!again)
        return std::nullopt;
    return TakenAgain{static_cast<std::size_t>(first - receives.begin()) + *again,
                      static_cast<std::size_t>(partner - sends.begin()) + *again - 1};
}

/// The call that a receive was done in; `none` if it is not known.
std::uint32_t callOf(const LocationEvents &events, const ChannelEnd &receive) {
    return receive.time == 0 ? none : events.track.innermostAt(receive.time - 1);
}

/// The shortest call that these were received in: so long it takes where the message is there.
Tick shortestCall(const Trace &trace, const std::vector<ChannelEnd> &receives) {
    Tick shortest = openEnd;
    for (const ChannelEnd &receive : receives) {
        const LocationEvents &events = trace.locations[receive.location].events;
        if (const std::uint32_t row = callOf(events, receive); row != none)
            shortest = std::min(shortest, receive.time - events.track.start[row]);
    }
    return shortest;
}

/// True if the receive stood there long enough when its message was sent: had another one been there, it would have returned. Of
/// calls that receive several messages nobody knows for which they waited, and of large messages the library may have waited for
/// the sender to call it again.
bool wasAwaited(const Trace &trace, const ChannelEnd &receive, Tick sent, Tick enough) {
    const LocationEvents &events = trace.locations[receive.location].events;
    const std::uint32_t row = callOf(events, receive);
    if (row == none || events.track.start[row] >= sent || sent - events.track.start[row] <= enough ||
        events.envelopes[events.receives.envelope[receive.index]].bytes > mostEager)
        return false;
    const auto isOfTheCall = [&](std::uint32_t i) {
        return i < events.receives.size() && events.receives.time[i] > events.track.start[row] &&
               events.receives.time[i] <= events.track.end[row];
    };
    return !isOfTheCall(receive.index + 1) && (receive.index == 0 || !isOfTheCall(receive.index - 1));
}

bool hasFingerprints(const Trace &trace) {
    return std::ranges::any_of(trace.locations,
                               [](const Location &location) { return location.events.receives.fingerprint.size() != 0; });
}

class Search {
  public:
    Search(const Trace &trace, const Work &work) : m_trace(trace), m_work(work), m_byReceiver(trace.processes.size()) {
        if (trace.reversedMessages != 0 || trace.unmatchedReceives != 0 || hasFingerprints(trace))
            forEachParallel(m_byReceiver.size(), work, [&](std::size_t rank, unsigned) {
                m_byReceiver[rank] = strangeReceives(trace, static_cast<Rank>(rank));
            });
        addLeftOver();
    }

    std::vector<RepeatedMessage> find() {
        const ClockErrors errors(m_byReceiver);
        for (const Suspicions &suspicions : m_byReceiver)
            for (const auto &[channel, suspicion] : suspicions) {
                throwIfCancelled(m_work);
                judge(channel, suspicion, errors);
            }
        std::stable_sort(m_found.begin(), m_found.end(), [](const RepeatedMessage &a, const RepeatedMessage &b) {
            return std::tuple(-a.confidence, a.noticed) < std::tuple(-b.confidence, b.noticed);
        });
        m_found.resize(std::min(m_found.size(), mostFound));
        for (RepeatedMessage &message : m_found)
            explain(message);
        return std::move(m_found);
    }

  private:
    /// A channel on which a message was left over is looked at though its times may be in order.
    void addLeftOver() {
        for (Rank to = 0; to < m_byReceiver.size(); ++to)
            for (const MessageCount &message : m_trace.processes[to].leftOver)
                m_byReceiver[to].try_emplace({message.peer, to, message.communicator, message.tag});
    }

    /// All that the two have sent and received is known.
    [[nodiscard]] bool isComplete(const Channel &channel) const {
        return std::ranges::all_of(std::array{channel.from, channel.to},
                                   [&](Rank rank) {
                                       const Process &process = m_trace.processes[rank];
                                       return process.eventsFrom == 0 && process.lostThreads == 0 && process.model.empty() &&
                                              m_trace.isRead(rank) && !m_trace.isDamaged(rank);
                                   }) &&
               !m_trace.part.time;
    }

    /// How many messages were before those that are recorded is known for a moment at which the process rests.
    [[nodiscard]] bool goesOnInARing(Rank rank) const {
        const Process &process = m_trace.processes[rank];
        return process.eventsFrom != 0 && process.end.kind == ProcessEnd::Kind::Running;
    }

    [[nodiscard]] bool isOnOneMachine(const Channel &channel) const {
        const std::string host = m_trace.hostOf(channel.from);
        return !host.empty() && host == m_trace.hostOf(channel.to);
    }

    [[nodiscard]] Tick toleranceOf(const Channel &channel, const ClockErrors &errors) const {
        if (m_trace.tellsOpenCalls)
            return 0; // recorded with the one clock of the machine
        return ticksOf(timesOthers * static_cast<double>(errors.apartFrom(channel.from, channel.to)));
    }

    /// What can be said without looking at the messages: where clocks are off, many channels are suspected.
    [[nodiscard]] bool isWorthALook(const Channel &channel, const Suspicion &suspicion, const ClockErrors &errors) const {
        if (channel.from >= m_trace.processes.size() || m_trace.isDamaged(channel.from) || m_trace.isDamaged(channel.to) ||
            goesOnInARing(channel.from) || goesOnInARing(channel.to))
            return false;
        return suspicion.isOther || (suspicion.early > toleranceOf(channel, errors) && isOnOneMachine(channel)) ||
               (m_trace.tellsOpenCalls && isComplete(channel));
    }

    void judge(const Channel &channel, const Suspicion &suspicion, const ClockErrors &errors) {
        if (!isWorthALook(channel, suspicion, errors))
            return;
        const std::vector<ChannelEnd> sends = endsOf(m_trace, channel, &LocationEvents::sends);
        const std::vector<ChannelEnd> receives = endsOf(m_trace, channel, &LocationEvents::receives);
        RepeatedMessage found;
        found.from = channel.from;
        found.to = channel.to;
        found.communicator = channel.communicator;
        found.tag = channel.tag;
        found.sends = sends.size();
        const std::optional<TakenAgain> again = suspicion.isOther ? takenAgain(m_trace, sends, receives) : std::nullopt;
        // Without sends, nothing can have come twice.
        if (again &&
            canHaveTakenAgain(m_trace.processes[channel.to], channel.from, channel.communicator, sends.size(), receives.size())) {
            noticeByContents(sends, receives, *again, found);
            describe(sends, found);
            return;
        }
        if ((!noticeByTime(channel, suspicion, errors, sends, found) &&
             !noticeByNumber(channel, suspicion, receives.size(), found)) ||
            found.sends == 0)
            return;
        std::size_t first = std::min<std::size_t>(found.sends, receives.size());
        const Tick enough = shortestCall(m_trace, receives);
        while (first > 0 && !wasAwaited(m_trace, receives[first - 1], sends[first - 1].time, enough))
            --first;
        first = first > 0 ? first - 1 : 0; // the awaited one itself may have come again
        found.candidates = found.sends - first;
        found.earliest = sends[first].time;
        describe(sends, found);
    }

    /// Adds what is to be said of the latest message that can have come twice.
    void describe(const std::vector<ChannelEnd> &sends, RepeatedMessage &found) {
        const ChannelEnd &last = sends[found.sends - 1];
        found.sender = last.location;
        found.send = last.index;
        found.sent = last.time;
        const Track &track = m_trace.locations[last.location].events.track;
        if (const std::uint32_t row = track.innermostAt(last.time); row != none)
            found.callPath = track.callPath[row];
        m_found.push_back(std::move(found));
    }

    /// Fills in what the contents tell.
    static void noticeByContents(const std::vector<ChannelEnd> &sends, const std::vector<ChannelEnd> &receives,
                                 const TakenAgain &again, RepeatedMessage &found) {
        found.evidence = Evidence::SameContents;
        found.confidence = certain;
        found.noticed = receives[again.receive].time;
        const std::size_t last = again.send;
        std::size_t first = last;
        while (first > 0 && sends[first - 1].fingerprint == sends[last].fingerprint)
            --first;
        found.sends = last + 1;
        found.candidates = last + 1 - first;
        found.earliest = sends[first].time;
    }

    /// Fills in what a receive before its send tells; false if there is none.
    [[nodiscard]] bool noticeByTime(const Channel &channel, const Suspicion &suspicion, const ClockErrors &errors,
                                    const std::vector<ChannelEnd> &sends, RepeatedMessage &found) const {
        const Tick tolerance = toleranceOf(channel, errors);
        if (suspicion.early <= tolerance || !isOnOneMachine(channel))
            return false;
        const auto early = static_cast<double>(suspicion.early);
        found.evidence = Evidence::ReceivedEarly;
        found.early = suspicion.early;
        found.noticed = suspicion.firstEarly;
        found.next = suspicion.sendOfFirst;
        found.sends = static_cast<std::uint64_t>(std::ranges::lower_bound(sends, suspicion.sendOfFirst, {}, &ChannelEnd::time) -
                                                 sends.begin());
        found.confidence = certain * early / (early + static_cast<double>(tolerance));
        return true;
    }

    /// Fills in what more receives than sends, or a message that is left over, tell; false if neither is there.
    [[nodiscard]] bool noticeByNumber(const Channel &channel, const Suspicion &suspicion, std::size_t receives,
                                      RepeatedMessage &found) const {
        if (!m_trace.tellsOpenCalls || !isComplete(channel))
            return false;
        const std::optional<Tick> end = endWithLeftOver(channel);
        if (suspicion.firstUnmatched != openEnd) {
            found.evidence = Evidence::ReceivedMore;
            found.noticed = suspicion.firstUnmatched;
        } else if (end && receives >= found.sends) {
            found.evidence = Evidence::LeftOver;
            found.noticed = *end;
        } else {
            return false;
        }
        found.confidence = certain;
        return true;
    }

    /// When the receiver called MPI_Finalize with a message of the channel waiting, if it did.
    [[nodiscard]] std::optional<Tick> endWithLeftOver(const Channel &channel) const {
        const Process &process = m_trace.processes[channel.to];
        if (std::ranges::none_of(process.leftOver, [&](const MessageCount &m) {
                return m.peer == channel.from && m.communicator == channel.communicator && m.tag == channel.tag;
            }))
            return std::nullopt;
        return process.mainLocation == none ? m_trace.range.end : m_trace.locations[process.mainLocation].lastEvent;
    }

    void explain(RepeatedMessage &message) const {
        const std::string from = describeRankSet({message.from});
        const std::string to = describeRankSet({message.to});
        const std::string sends = plural(message.sends, "message");
        message.why = "A message of " + from + " to " + to + " (tag " + std::to_string(message.tag) + ") came twice: ";
        switch (message.evidence) {
        case Evidence::SameContents:
            message.why += "at " + describeDuration(m_trace.seconds(message.noticed)) + " " + to +
                           " received the contents of message " + describeCount(message.sends) + " of " + from +
                           " again, not those of the next.";
            break;
        case Evidence::ReceivedEarly:
            message.why += "at " + describeDuration(m_trace.seconds(message.noticed)) + " " + to + " had received " +
                           describeCount(message.sends + 1) + " of which " + describeCount(message.sends) +
                           " had been sent; the next was sent " +
                           describeDuration(m_trace.seconds(message.next) - m_trace.seconds(message.noticed)) + " later.";
            break;
        case Evidence::ReceivedMore:
            message.why += to + " received more than the " + sends + " that " + from + " sent.";
            break;
        case Evidence::LeftOver:
            message.why += "all " + sends + " were received, and one more was waiting when " + to + " called MPI_Finalize.";
            break;
        }
        message.why +=
            " It was the one that " + from + " sent in " + describeCall(m_trace, message.callPath) + " at " +
            describeDuration(m_trace.seconds(message.sent)) +
            (message.candidates > 1 ? ", or one of the " + describeCount(message.candidates - 1) + " before it, from " +
                                          describeDuration(m_trace.seconds(message.earliest)) + " on."
                                    : ".");
    }

    const Trace &m_trace;
    const Work &m_work;
    std::vector<Suspicions> m_byReceiver;
    std::vector<RepeatedMessage> m_found;
};

} // namespace

std::string_view name(RepeatedMessage::Evidence evidence) {
    switch (evidence) {
    case Evidence::SameContents:
        return "same_contents";
    case Evidence::ReceivedEarly:
        return "received_early";
    case Evidence::ReceivedMore:
        return "received_more";
    case Evidence::LeftOver:
        return "left_over";
    }
    return {};
}

std::vector<RepeatedMessage> findRepeatedMessages(const Trace &trace, const Work &work) { return Search(trace, work).find(); }

} // namespace laggard
