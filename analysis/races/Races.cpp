// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/races/Races.h"

#include "analysis/intrusion/Correction.h"
#include "analysis/races/CausalReach.h"
#include "analysis/races/PostedReceives.h"
#include "trace/Quantity.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

namespace laggard {
namespace {

/// So many messages of one sender are looked at between those that were taken and those that a call can take.
/// A sender that leaves more behind for later receives with other tags is not looked at any further.
constexpr std::size_t mostSkipped = 4096;

/// So many receives before one are looked at for what must have come before.
constexpr std::uint32_t mostEarlier = 256;

bool hasAnySource(const LocationEvents &events) {
    for (std::size_t i = 0; i < events.postings.size(); ++i)
        if (events.postings.is(i, ReceivePostings::AnySource))
            return true;
    return std::any_of(events.probed.begin(), events.probed.end(), [](const TakenMessage &probe) { return probe.anySource; });
}

/// Messages of one sender to one process in one communicator, in their order.
struct Channel {
    LocationIndex sender = none;
    Rank from = none;
    CommunicatorId communicator = none;
    std::vector<std::uint32_t> sends;
    std::vector<std::uint32_t> takenBy; ///< by message: place of its receive in order of posting; `none`: nobody took it
    std::size_t first = 0;              ///< all before it are taken by receives before the one that is looked at
};

/// Looks for races of one location.
class LocationRaces {
  public:
    LocationRaces(const Trace &trace, LocationIndex location, const CausalReach &reach, const RecorderTime &calls,
                  std::vector<Channel> channels, std::uint64_t &examined)
        : m_trace(trace),
          m_location(location),
          m_events(trace.locations[location].events),
          m_reach(reach),
          m_receives(postedReceives(m_events, calls)),
          m_foundIn(m_receives.size(), 0),
          m_channels(std::move(channels)),
          m_examined(examined) {
        std::vector<std::uint32_t> placeOf(m_events.receives.size(), none);
        for (std::uint32_t k = 0; k < m_receives.size(); ++k)
            if (m_receives[k].receive != none)
                placeOf[m_receives[k].receive] = k;
        for (Channel &channel : m_channels)
            for (const std::uint32_t send : channel.sends) {
                const bool isMatched = m_trace.locations[channel.sender].events.sends.match[send] != none;
                const Message message = isMatched ? m_trace.messageOfSend(channel.sender, send) : Message{};
                channel.takenBy.push_back(isMatched && message.receiver == location ? placeOf[message.receive] : none);
            }
    }

    std::vector<Race> find(const Work &work) {
        std::size_t probe = 0;
        for (std::uint32_t k = 0; k <= m_receives.size(); ++k) {
            if (k % 1024 == 0)
                throwIfCancelled(work);
            const std::uint32_t row = k < m_receives.size() ? m_receives[k].row : none;
            for (;
                 probe < m_events.probed.size() && (k == m_receives.size() || (row != none && m_events.probed[probe].row < row));
                 ++probe)
                askProbe(m_events.probed[probe], k);
            if (k == m_receives.size())
                break;
            if (m_receives[k].anySource && m_receives[k].receive != none)
                askReceive(k);
            m_open.push_back(k);
        }
        for (const ReceiveChoice &choice : m_events.choices)
            askChoice(choice);
        return std::move(m_races);
    }

  private:
    [[nodiscard]] RacingMessage messageOf(LocationIndex sender, std::uint32_t send) const {
        const LocationEvents &events = m_trace.locations[sender].events;
        const Envelope &envelope = events.envelopes[events.sends.envelope[send]];
        RacingMessage message;
        message.sender = sender;
        message.send = send;
        message.from = m_trace.locations[sender].rank;
        message.tag = envelope.tag;
        message.sent = message.sentCorrected = events.sends.time[send];
        if (const std::uint32_t row = events.track.innermostAt(message.sent); row != none)
            message.callPath = events.track.callPath[row];
        return message;
    }
    [[nodiscard]] bool isAfter(const RacingMessage &message, Tick done) const {
        return m_reach.known(message.sender, message.send) >= done;
    }

    /// Those that the call could have taken that stands before the receive in place `k`, asks for what `wanted` says, and has
    /// ended at `wanted.done`.
    [[nodiscard]] std::vector<RacingMessage> candidates(const OfferedReceive &wanted, std::uint32_t k) {
        std::vector<RacingMessage> found;
        std::erase_if(m_open, [&](std::uint32_t earlier) { return m_receives[earlier].done <= wanted.posted; });
        for (Channel &channel : m_channels) {
            while (channel.first < channel.sends.size() && channel.takenBy[channel.first] < k)
                ++channel.first;
            if (channel.communicator != wanted.communicator)
                continue;
            const std::size_t end = std::min(channel.sends.size(), channel.first + mostSkipped);
            for (std::size_t i = channel.first; i < end; ++i) {
                if (channel.takenBy[i] < k)
                    continue;
                const RacingMessage message = messageOf(channel.sender, channel.sends[i]);
                if (!wanted.fits(channel.from, channel.communicator, message.tag))
                    continue;
                if (!isAfter(message, wanted.done) && !goesToAnother(message, channel.communicator, wanted, k))
                    found.push_back(message);
                break; // those behind it cannot overtake it
            }
        }
        return found;
    }

    /// Another receive would have got it, or the call another message before it could be sent.
    [[nodiscard]] bool goesToAnother(const RacingMessage &message, CommunicatorId communicator, const OfferedReceive &wanted,
                                     std::uint32_t k) {
        // One that was posted before, and has its own message only because the call had ended.
        for (const std::uint32_t earlier : m_open)
            if (const OfferedReceive &other = m_receives[earlier];
                other.done > wanted.done && other.fits(message.from, communicator, message.tag) && isHeldUp(other, wanted.done))
                return true;
        if (comesAfterAnother(message, communicator, wanted, k))
            return true;
        // The message follows from a later receive, whose message would have gone to this one.
        for (std::uint32_t later = k + 1; later < m_receives.size() && m_receives[later].posted < wanted.done; ++later) {
            const OfferedReceive &other = m_receives[later];
            if (other.done <= m_reach.known(message.sender, message.send) &&
                wanted.fits(other.from, other.communicator, other.tag))
                return true;
        }
        return false;
    }

    /// Receives that must have had their messages before, in the order in which that was found.
    class Before {
      public:
        explicit Before(LocationRaces &races) : m_races(races) { ++m_races.m_round; }
        [[nodiscard]] const std::vector<std::uint32_t> &places() const { return m_places; }
        /// Of those before `place`, that a message like this fits. What was looked at for such a message is not looked at again:
        /// windows of neighbours overlap.
        void add(Rank from, CommunicatorId communicator, std::uint32_t tag, std::uint32_t place) {
            const std::uint32_t begin = place - std::min(place, mostEarlier);
            const auto [entry, isNew] = m_seen.try_emplace({from, tag}, begin, place);
            auto &[first, last] = entry->second;
            if (isNew) {
                look(from, communicator, tag, begin, place);
                return;
            }
            look(from, communicator, tag, begin, std::max(begin, first));
            look(from, communicator, tag, std::min(last, place), place);
            first = std::min(first, begin);
            last = std::max(last, place);
        }

      private:
        void look(Rank from, CommunicatorId communicator, std::uint32_t tag, std::uint32_t begin, std::uint32_t end) {
            for (std::uint32_t e = begin; e < end; ++e)
                if (m_races.m_receives[e].receive != none && m_races.m_receives[e].fits(from, communicator, tag) &&
                    std::exchange(m_races.m_foundIn[e], m_races.m_round) != m_races.m_round)
                    m_places.push_back(e);
        }
        LocationRaces &m_races;
        std::vector<std::uint32_t> m_places;
        std::map<std::pair<Rank, std::uint32_t>, std::pair<std::uint32_t, std::uint32_t>> m_seen; ///< by sender and tag
    };

    /// The message can only arrive after one that the call would have taken: it fits receives that were posted earlier, which
    /// must have had their messages before, and with these what their senders had sent before.
    [[nodiscard]] bool comesAfterAnother(const RacingMessage &message, CommunicatorId communicator, const OfferedReceive &wanted,
                                         std::uint32_t k) {
        Before before(*this);
        before.add(message.from, communicator, message.tag, k);
        for (std::size_t i = 0; i < before.places().size() && i < mostEarlier; ++i) {
            const std::uint32_t place = before.places()[i];
            const OfferedReceive &earlier = m_receives[place];
            if (m_events.receives.match[earlier.receive] == none)
                continue;
            const Message its = m_trace.messageOfReceive(m_location, earlier.receive);
            for (const Channel &channel : m_channels)
                for (std::size_t c = channel.first; channel.sender == its.sender && channel.communicator == communicator &&
                                                    c < channel.sends.size() && channel.sends[c] < its.send;
                     ++c)
                    if (channel.takenBy[c] >= k &&
                        wanted.fits(channel.from, communicator, messageOf(channel.sender, channel.sends[c]).tag))
                        return true;
            before.add(earlier.from, communicator, earlier.tag, place);
        }
        return false;
    }

    /// The message of the receive was sent after `done`, or never.
    [[nodiscard]] bool isHeldUp(const OfferedReceive &receive, Tick done) const {
        if (receive.receive == none)
            return true;
        if (m_events.receives.match[receive.receive] == none)
            return false; // not known
        const Message message = m_trace.messageOfReceive(m_location, receive.receive);
        return m_trace.locations[message.receiver].rank == m_trace.locations[message.sender].rank
                   ? message.sent >= done
                   : m_reach.known(message.sender, message.send) >= done;
    }

    void askReceive(std::uint32_t k) {
        ++m_examined;
        const OfferedReceive &receive = m_receives[k];
        std::vector<RacingMessage> messages = candidates(receive, k);
        if (m_events.receives.match[receive.receive] == none)
            return; // what it took is not known
        const Message taken = m_trace.messageOfReceive(m_location, receive.receive);
        for (RacingMessage &message : messages)
            message.isTaken = message.sender == taken.sender && message.send == taken.send;
        add(Race::Kind::Receive, receive.row, receive.done, std::move(messages));
    }

    void askProbe(const TakenMessage &probe, std::uint32_t k) {
        if (!probe.anySource || m_events.track.isOpen(probe.row))
            return;
        ++m_examined;
        const Envelope &found = m_events.envelopes[probe.envelope];
        OfferedReceive wanted{none, probe.row, 0, true, probe.anyTag, found.peer, found.communicator, found.tag, 0, 0};
        wanted.posted = m_events.track.start[probe.row];
        wanted.done = m_events.track.end[probe.row];
        std::vector<RacingMessage> messages = candidates(wanted, k);
        for (RacingMessage &message : messages)
            message.isTaken = message.from == found.peer && message.tag == found.tag;
        add(Race::Kind::Probe, probe.row, wanted.done, std::move(messages));
    }

    void askChoice(const ReceiveChoice &choice) {
        if (m_events.track.isOpen(choice.row))
            return;
        ++m_examined;
        const Tick done = m_events.track.end[choice.row];
        std::vector<RacingMessage> messages;
        for (const std::uint32_t receive : choice.receives) {
            if (m_events.receives.match[receive] == none)
                continue;
            const Message message = m_trace.messageOfReceive(m_location, receive);
            RacingMessage racing = messageOf(message.sender, message.send);
            racing.isTaken = message.received <= done;
            if (racing.isTaken || !isAfter(racing, done))
                messages.push_back(racing);
        }
        add(Race::Kind::Completion, choice.row, done, std::move(messages));
    }

    void add(Race::Kind kind, std::uint32_t row, Tick time, std::vector<RacingMessage> messages) {
        const auto taken = std::count_if(messages.begin(), messages.end(), [](const auto &message) { return message.isTaken; });
        if (taken == 0 || static_cast<std::size_t>(taken) == messages.size())
            return;
        const CallPathId path = row == none ? none : m_events.track.callPath[row];
        m_races.push_back(
            {kind, m_location, m_trace.locations[m_location].rank, row, path, 0, time, std::move(messages), 0, false});
    }

    const Trace &m_trace;
    LocationIndex m_location;
    const LocationEvents &m_events;
    const CausalReach &m_reach;
    std::vector<OfferedReceive> m_receives;
    std::vector<std::uint32_t> m_foundIn; ///< by receive: when it was found last to come before (Before)
    std::uint32_t m_round = 0;
    std::vector<std::uint32_t> m_open; ///< places of receives before the one that is looked at, which may not be done
    std::vector<Channel> m_channels;
    std::vector<Race> m_races;
    std::uint64_t &m_examined;
};

/// The messages to each of some ranks, by sender and communicator.
std::map<Rank, std::vector<Channel>> channelsTo(const Trace &trace, const std::vector<bool> &isWanted) {
    std::map<Rank, std::vector<Channel>> channels;
    for (LocationIndex l = 0; l < trace.locations.size(); ++l) {
        const LocationEvents &events = trace.locations[l].events;
        std::map<std::pair<Rank, CommunicatorId>, Channel> own;
        for (std::uint32_t i = 0; i < events.sends.size(); ++i) {
            const Envelope &envelope = events.envelopes[events.sends.envelope[i]];
            if (envelope.peer == none || !isWanted[envelope.peer])
                continue;
            Channel &channel = own[{envelope.peer, envelope.communicator}];
            channel.sends.push_back(i);
        }
        for (auto &[to, channel] : own) {
            channel.sender = l;
            channel.from = trace.locations[l].rank;
            channel.communicator = to.second;
            channels[to.first].push_back(std::move(channel));
        }
    }
    return channels;
}

/// Times of arrival, and whether the recorder has changed who came first.
void addTimes(const Trace &trace, const IntrusionTimes &times, std::vector<Race> &races) {
    for (Race &race : races) {
        for (RacingMessage &message : race.messages) {
            const LocationEvents &events = trace.locations[message.sender].events;
            const std::uint64_t bytes = events.envelopes[events.sends.envelope[message.send]].bytes;
            const bool sameHost = trace.hostOf(message.from) == trace.hostOf(race.rank);
            const Tick transfer = times.transfers.of(bytes, sameHost);
            const bool isCorrected = times.problem.empty();
            message.arrival = times.sentBefore[message.sender][message.send] + transfer;
            if (isCorrected)
                message.sentCorrected = times.sentAfter[message.sender][message.send];
            message.arrivalCorrected = isCorrected ? message.sentCorrected + transfer : message.arrival;
        }
        std::stable_sort(race.messages.begin(), race.messages.end(),
                         [](const RacingMessage &a, const RacingMessage &b) { return a.arrival < b.arrival; });
        const auto first =
            std::min_element(race.messages.begin(), race.messages.end(), [](const RacingMessage &a, const RacingMessage &b) {
                return a.arrivalCorrected < b.arrivalCorrected;
            });
        race.isChanged = first->arrivalCorrected < race.messages.front().arrivalCorrected;
        race.apart = openEnd;
        for (const RacingMessage &a : race.messages)
            for (const RacingMessage &b : race.messages)
                if (a.isTaken && !b.isTaken)
                    race.apart = std::min(race.apart, std::max(a.arrival, b.arrival) - std::min(a.arrival, b.arrival));
    }
}

/// Numbers of calls, as Race has them.
class CallNumbers {
  public:
    CallNumbers(const Trace &trace, const MpiCallTable &mpi) : m_trace(trace), m_mpi(mpi) {}

    std::uint64_t ofRow(LocationIndex location, std::uint32_t row) {
        const Numbered &numbered = of(location);
        const auto &calls = numbered.calls.calls();
        const auto found = std::lower_bound(calls.begin(), calls.end(), row,
                                            [](const CostedCall &call, std::uint32_t wanted) { return call.row < wanted; });
        return row == none || found == calls.end() || found->row != row
                   ? 0
                   : numbered.numbers[static_cast<std::size_t>(found - calls.begin())];
    }
    std::uint64_t ofSend(LocationIndex location, Tick time) {
        const Numbered &numbered = of(location);
        const std::size_t call = numbered.calls.callOfSend(time);
        return call == none || call >= numbered.numbers.size() ? 0 : numbered.numbers[call];
    }

  private:
    struct Numbered {
        RecorderTime calls;
        std::vector<std::uint64_t> numbers;
    };
    const Numbered &of(LocationIndex location) {
        const auto known = m_known.find(location);
        if (known != m_known.end())
            return known->second;
        Numbered made{RecorderTime(m_trace, m_trace.locations[location].events, m_mpi), {}};
        std::uint64_t count = 0;
        for (const CostedCall &call : made.calls.calls())
            made.numbers.push_back(call.pollCount == 0 ? ++count : 0);
        return m_known.emplace(location, std::move(made)).first->second;
    }
    const Trace &m_trace;
    const MpiCallTable &m_mpi;
    std::map<LocationIndex, Numbered> m_known;
};

/// Locations that receive from anywhere or wait for one of several; of processes in which several threads receive, none can be
/// told.
std::vector<LocationIndex> racingLocations(const Trace &trace, std::size_t &unclear) {
    std::vector<LocationIndex> found;
    for (const Process &process : trace.processes) {
        LocationIndex racing = none;
        std::size_t receiving = 0;
        for (const LocationIndex l : process.locations) {
            const LocationEvents &events = trace.locations[l].events;
            receiving += events.receives.size() != 0 ? 1 : 0;
            if (hasAnySource(events) || !events.choices.empty())
                racing = l;
        }
        if (racing != none && receiving > 1)
            ++unclear;
        else if (racing != none)
            found.push_back(racing);
    }
    return found;
}

std::string noteOn(const Trace &trace, std::size_t unclear, const CausalReach &reach) {
    std::string note = reach.problem();
    if (unclear != 0)
        note.append(note.empty() ? "" : " ")
            .append(plural(unclear, "rank"))
            .append(unclear == 1 ? " receives" : " receive")
            .append(" in several threads, of which no order is known: nothing is said of their races.");
    if (!reach.leftOut().empty())
        note.append(note.empty() ? "" : " ")
            .append("There was no room for the order of all ranks: nothing is said of ")
            .append(plural(reach.leftOut().size(), "rank"))
            .append(", from rank ")
            .append(std::to_string(trace.locations[reach.leftOut().front()].rank))
            .append(" on.");
    return note;
}

} // namespace

std::string_view name(Race::Kind kind) {
    switch (kind) {
    case Race::Kind::Receive:
        return "receive";
    case Race::Kind::Probe:
        return "probe";
    case Race::Kind::Completion:
        break;
    }
    return "completion";
}

RaceReport findRaces(const Trace &trace, const Work &work) {
    RaceReport report;
    std::size_t unclear = 0;
    const std::vector<LocationIndex> locations = racingLocations(trace, unclear);
    if (locations.empty() && unclear == 0)
        return report;
    const Dependences dependences(trace, work);
    const CausalReach reach(dependences, locations, work);
    report.note = noteOn(trace, unclear, reach);
    if (!reach.problem().empty())
        return report;
    std::vector<bool> isWanted(trace.processes.size(), false);
    for (const LocationIndex l : locations)
        isWanted[trace.locations[l].rank] = true;
    std::map<Rank, std::vector<Channel>> channels = channelsTo(trace, isWanted);
    const MpiCallTable mpi(trace);
    for (const LocationIndex l : locations) {
        if (std::binary_search(reach.leftOut().begin(), reach.leftOut().end(), l))
            continue;
        const RecorderTime calls(trace, trace.locations[l].events, mpi);
        std::vector<Race> found =
            LocationRaces(trace, l, reach, calls, std::move(channels[trace.locations[l].rank]), report.examined).find(work);
        std::move(found.begin(), found.end(), std::back_inserter(report.races));
    }
    report.knowsRecorder = std::any_of(trace.locations.begin(), trace.locations.end(),
                                       [](const Location &location) { return location.events.costs.size() != 0; });
    addTimes(trace, intrusionTimes(trace, work), report.races);
    report.count = report.races.size();
    report.changed = static_cast<std::uint64_t>(
        std::count_if(report.races.begin(), report.races.end(), [](const Race &race) { return race.isChanged; }));
    std::stable_sort(report.races.begin(), report.races.end(),
                     [](const Race &a, const Race &b) { return a.isChanged != b.isChanged ? a.isChanged : a.apart < b.apart; });
    if (report.races.size() > mostRaces)
        report.races.resize(mostRaces);
    CallNumbers numbers(trace, mpi);
    for (Race &race : report.races) {
        race.call = numbers.ofRow(race.location, race.row);
        for (RacingMessage &message : race.messages)
            message.call = numbers.ofSend(message.sender, message.sent);
    }
    return report;
}

} // namespace laggard
