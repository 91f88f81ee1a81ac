// SPDX-License-Identifier: GPL-3.0-or-later
#include "ingest/assembly/PartialTrace.h"

#include "trace/Parallel.h"

#include <algorithm>
#include <map>

namespace laggard {
namespace {

bool contains(TimeRange range, Tick time) { return range.begin <= time && time <= range.end; }

/// Chooses the rows of a track that are kept.
class RowChoice {
  public:
    RowChoice(const Track &track, const std::vector<Region> &regions, const CallPathTable &paths, TimeRange part)
        : m_track(track), m_regions(regions), m_paths(paths), m_part(part), m_kept(track.size(), false) {}

    void choose() {
        const auto position = [&](auto found) { return static_cast<std::uint32_t>(found - m_track.start.begin()); };
        const std::uint32_t first = position(std::lower_bound(m_track.start.begin(), m_track.start.end(), m_part.begin));
        const std::uint32_t after = position(std::upper_bound(m_track.start.begin(), m_track.start.end(), m_part.end));
        m_records = m_part;
        for (std::uint32_t row = 0; row < first; ++row)
            if (m_track.end[row] >= m_part.begin)
                keep(row);
        for (std::uint32_t row = first; row < after; ++row)
            keep(row);
        if (first != 0)
            keepWithCallers(first - 1);
        for (std::uint32_t row = first; row-- > 0;)
            if (isMpi(row)) {
                keepWithCallers(row);
                m_records.begin = std::min(m_records.begin, m_track.start[outermostMpi(row)]);
                break;
            }
        if (after != m_track.size())
            keepWithCallers(after);
        if (after != 0)
            includeOpenCall(after - 1);
    }

    [[nodiscard]] TimeRange records() const { return m_records; }
    /// By row: its new number, or `none`.
    [[nodiscard]] std::vector<std::uint32_t> numbers() const {
        std::vector<std::uint32_t> numbers(m_kept.size(), none);
        std::uint32_t next = 0;
        for (std::size_t row = 0; row < m_kept.size(); ++row)
            if (m_kept[row])
                numbers[row] = next++;
        return numbers;
    }

  private:
    void keep(std::uint32_t row) { m_kept[row] = true; }
    void keepWithCallers(std::uint32_t row) {
        for (; row != none && !m_kept[row]; row = m_track.parent[row])
            keep(row);
    }
    [[nodiscard]] bool isMpi(std::uint32_t row) const {
        const RegionId region = m_paths[m_track.callPath[row]].region;
        return region < m_regions.size() && m_regions[region].isMpi();
    }
    [[nodiscard]] std::uint32_t outermostMpi(std::uint32_t row) const {
        while (m_track.parent[row] != none && isMpi(m_track.parent[row]))
            row = m_track.parent[row];
        return row;
    }
    /// The MPI call that is open at the end of the part tells by its later records whom it concerns.
    void includeOpenCall(std::uint32_t row) {
        while (row != none && m_track.end[row] <= m_part.end)
            row = m_track.parent[row];
        if (row != none && isMpi(row))
            m_records.end = std::max(m_records.end, std::min(m_track.end[outermostMpi(row)], openEnd - 1));
    }

    const Track &m_track;
    const std::vector<Region> &m_regions;
    const CallPathTable &m_paths;
    TimeRange m_part;
    std::vector<bool> m_kept;
    TimeRange m_records;
};

/// Moves the kept elements to the front; `numbers[i]` is the new position of element i, or `none`.
template <typename T> void compact(Column<T> &column, const std::vector<std::uint32_t> &numbers) {
    std::size_t size = 0;
    for (std::size_t i = 0; i < column.size(); ++i)
        if (numbers[i] != none)
            column[size++] = column[i];
    column.resize(size);
    column.shrink();
}

using Positions = std::vector<std::uint32_t>;

void number(Positions &positions) {
    std::uint32_t next = 0;
    for (std::uint32_t &position : positions)
        if (position != none)
            position = next++;
}

/// Returns the number of ends that stay. `first`: position of the location's first end in its process.
std::uint32_t keepEnds(const LocationEvents &events, MessageEnds &ends, const Positions &positions, std::size_t first,
                       const EndPositions &others) {
    const std::vector<std::uint32_t> numbers(positions.begin() + static_cast<std::ptrdiff_t>(first),
                                             positions.begin() + static_cast<std::ptrdiff_t>(first + ends.size()));
    for (std::uint32_t i = 0; i < ends.size(); ++i)
        if (numbers[i] != none && ends.match[i] != none)
            ends.match[i] = others[events.envelopes[ends.envelope[i]].peer][ends.match[i]];
    compact(ends.time, numbers);
    compact(ends.envelope, numbers);
    compact(ends.match, numbers);
    if (ends.fingerprint.size() != 0)
        compact(ends.fingerprint, numbers);
    return static_cast<std::uint32_t>(ends.size());
}

/// `first`: position of the location's first receive in its process.
void keepPostings(ReceivePostings &postings, const Positions &positions, std::size_t first) {
    if (postings.size() == 0)
        return;
    const auto before = positions.begin() + static_cast<std::ptrdiff_t>(first);
    const auto earlier = static_cast<std::uint32_t>(std::count_if(positions.begin(), before, [](auto p) { return p != none; }));
    std::vector<std::uint32_t> numbers;
    for (std::uint32_t &receive : postings.receive) {
        const std::uint32_t position = positions[first + receive];
        numbers.push_back(position);
        receive = position - (position == none ? 0 : earlier);
    }
    compact(postings.receive, numbers);
    compact(postings.row, numbers);
    compact(postings.how, numbers);
    if (postings.thread.size() != 0)
        compact(postings.thread, numbers);
}

/// As keepPostings. Where one receive is left, there was no choice that is known.
void keepChoices(std::vector<ReceiveChoice> &choices, const Positions &positions, std::size_t first) {
    if (choices.empty())
        return;
    const auto before = positions.begin() + static_cast<std::ptrdiff_t>(first);
    const auto earlier = static_cast<std::uint32_t>(std::count_if(positions.begin(), before, [](auto p) { return p != none; }));
    for (ReceiveChoice &choice : choices) {
        for (std::uint32_t &receive : choice.receives)
            if (receive = positions[first + receive]; receive != none)
                receive -= earlier;
        std::erase(choice.receives, none);
    }
    std::erase_if(choices, [](const ReceiveChoice &choice) { return choice.receives.size() < 2; });
}

void keepEndsOf(Trace &trace, Rank rank, const EndPositions &sends, const EndPositions &receives) {
    std::size_t firstSend = 0;
    std::size_t firstReceive = 0;
    std::uint32_t keptSends = 0;
    for (const LocationIndex location : trace.processes[rank].locations) {
        LocationEvents &at = trace.locations[location].events;
        const std::size_t sendCount = at.sends.size();
        const std::size_t receiveCount = at.receives.size();
        const auto renumber = [&](std::uint32_t &send) { send = sends[rank][firstSend + send] - keptSends; };
        for (PendingRequest &request : at.pending)
            if (request.sendIndex != none)
                renumber(request.sendIndex);
        if (at.openParts)
            std::for_each(at.openParts->sends.begin(), at.openParts->sends.end(), renumber);
        keptSends += keepEnds(at, at.sends, sends[rank], firstSend, receives);
        keepPostings(at.postings, receives[rank], firstReceive);
        keepChoices(at.choices, receives[rank], firstReceive);
        keepEnds(at, at.receives, receives[rank], firstReceive, sends);
        firstSend += sendCount;
        firstReceive += receiveCount;
    }
}

class RecordCutter {
  public:
    RecordCutter(Trace &trace, const TimeCut &cut, const Work &work)
        : m_trace(trace),
          m_cut(cut),
          m_work(work),
          m_part(*trace.part.time),
          m_sends(trace.processes.size()),
          m_receives(trace.processes.size()) {}

    void cut() {
        forEachRank([this](Rank rank) { chooseSends(rank); });
        forEachRank([this](Rank rank) { chooseReceives(rank); });
        keepMessageEnds(m_trace, m_sends, m_receives, m_work);
        forEachRank([this](Rank rank) {
            for (const LocationIndex location : m_trace.processes[rank].locations)
                std::erase_if(events(location).pending,
                              [this](const PendingRequest &request) { return request.posted > m_part.end; });
        });
        forEachParallel(m_trace.locations.size(), m_work, [this](std::size_t location, unsigned) { cutCollectives(location); });
        dropInstances();
    }

  private:
    template <typename Job> void forEachRank(Job job) {
        forEachParallel(m_trace.processes.size(), m_work, [&](std::size_t rank, unsigned) { job(static_cast<Rank>(rank)); });
    }
    [[nodiscard]] LocationEvents &events(LocationIndex location) const { return m_trace.locations[location].events; }

    [[nodiscard]] bool keepsSend(LocationIndex location, std::uint32_t i) const {
        const MessageEnds &sends = events(location).sends;
        if (contains(m_cut.records[location], sends.time[i]))
            return true;
        if (sends.match[i] == none) {
            const Rank peer = events(location).envelopes[sends.envelope[i]].peer;
            return peer != none && m_trace.isRead(peer) && sends.time[i] <= m_part.end;
        }
        const Message message = m_trace.messageOfSend(location, i);
        return contains(m_cut.records[message.receiver], message.received) ||
               (std::min(message.sent, message.received) <= m_part.end &&
                std::max(message.sent, message.received) >= m_part.begin);
    }

    void chooseSends(Rank rank) {
        for (const LocationIndex location : m_trace.processes[rank].locations) {
            const std::size_t first = m_sends[rank].size();
            for (std::uint32_t i = 0; i < events(location).sends.size(); ++i)
                m_sends[rank].push_back(keepsSend(location, i) ? 0 : none);
            for (const PendingRequest &request : events(location).pending)
                if (request.sendIndex != none)
                    m_sends[rank][first + request.sendIndex] = 0;
            if (const auto &parts = events(location).openParts)
                for (const std::uint32_t send : parts->sends)
                    m_sends[rank][first + send] = 0;
        }
    }

    void chooseReceives(Rank rank) {
        for (const LocationIndex location : m_trace.processes[rank].locations) {
            const MessageEnds &receives = events(location).receives;
            for (std::uint32_t i = 0; i < receives.size(); ++i) {
                const Rank peer = events(location).envelopes[receives.envelope[i]].peer;
                const bool kept = receives.match[i] == none ? contains(m_cut.records[location], receives.time[i])
                                                            : m_sends[peer][receives.match[i]] != none;
                m_receives[rank].push_back(kept ? 0 : none);
            }
        }
    }

    void cutCollectives(std::size_t location) {
        LocationEvents &at = m_trace.locations[location].events;
        CollectiveCalls &calls = at.collectives;
        std::vector<std::uint32_t> numbers(calls.size(), none);
        std::map<CommunicatorId, std::uint32_t> earlier;
        std::uint32_t next = 0;
        for (std::size_t i = 0; i < calls.size(); ++i) {
            const CommunicatorId communicator = at.collectiveKinds[calls.kind[i]].communicator;
            if (contains(m_cut.records[location], calls.end[i]))
                numbers[i] = next++;
            else if (calls.end[i] < m_part.begin && communicator != none)
                ++earlier[communicator];
        }
        compact(calls.end, numbers);
        compact(calls.kind, numbers);
        compact(calls.row, numbers);
        compact(calls.instance, numbers);
        for (const EarlierCollectives &known : at.earlierCollectives)
            earlier[known.communicator] += known.count;
        at.earlierCollectives.clear();
        for (const auto &[communicator, count] : earlier)
            at.earlierCollectives.push_back({communicator, count});
    }

    void dropInstances() {
        std::vector<std::uint32_t> numbers(m_trace.collectives.size(), none);
        const auto forEachCall = [this](auto job) {
            for (Location &location : m_trace.locations)
                for (std::uint32_t &instance : location.events.collectives.instance)
                    if (instance != none)
                        job(instance);
        };
        forEachCall([&](std::uint32_t instance) { numbers[instance] = 0; });
        number(numbers);
        std::size_t size = 0;
        for (std::size_t i = 0; i < numbers.size(); ++i)
            if (numbers[i] != none)
                m_trace.collectives[size++] = m_trace.collectives[i];
        m_trace.collectives.resize(size);
        m_trace.collectives.shrink_to_fit();
        forEachCall([&](std::uint32_t &instance) { instance = numbers[instance]; });
    }

    Trace &m_trace;
    const TimeCut &m_cut;
    const Work &m_work;
    TimeRange m_part;
    EndPositions m_sends;
    EndPositions m_receives;
};

/// What opened or closed epochs before the part stays known, without its row. Before the track is cut.
void cutEpochs(LocationEvents &events, const std::vector<std::uint32_t> &numbers, TimeRange part) {
    std::erase_if(events.epochs, [&](const EpochCall &call) {
        return call.row != none && numbers[call.row] == none &&
               (events.track.start[call.row] > part.end || call.kind == EpochCall::Kind::Access);
    });
    for (EpochCall &call : events.epochs) {
        if (call.row == none)
            continue;
        if (numbers[call.row] == none)
            call.startedBy = events.track.callPath[call.row];
        call.row = numbers[call.row];
    }
}

/// What is known of the calls that are left: what probes found, what could have ended them, and what the recorder took.
void cutOutcomes(LocationEvents &events, const std::vector<std::uint32_t> &numbers) {
    const auto renumber = [&numbers](auto &entry) { entry.row = entry.row == none ? none : numbers[entry.row]; };
    const auto isCut = [](const auto &entry) { return entry.row == none; };
    std::for_each(events.probed.begin(), events.probed.end(), renumber);
    std::erase_if(events.probed, isCut);
    std::for_each(events.choices.begin(), events.choices.end(), renumber);
    std::erase_if(events.choices, isCut);
    std::vector<std::uint32_t> rows;
    for (std::uint32_t &row : events.costs.row)
        rows.push_back(row = numbers[row]);
    compact(events.costs.row, rows);
    compact(events.costs.entry, rows);
    compact(events.costs.exit, rows);
}

} // namespace

void cutCalls(LocationEvents &events, const std::vector<Region> &regions, const CallPathTable &paths, TimeRange part,
              LocationIndex location, TimeCut &cut) {
    Track &track = events.track;
    Column<Tick> &starts = cut.collectiveStart[location];
    for (std::size_t i = 0; i < events.collectives.size(); ++i) {
        const std::uint32_t row = events.collectives.row[i];
        starts.push_back(row == none ? events.collectives.end[i] : track.start[row]);
    }
    RowChoice choice(track, regions, paths, part);
    choice.choose();
    cut.records[location] = choice.records();
    const std::vector<std::uint32_t> numbers = choice.numbers();
    cutEpochs(events, numbers, part);
    compact(track.start, numbers);
    compact(track.end, numbers);
    compact(track.callPath, numbers);
    compact(track.parent, numbers);
    const auto renumber = [&numbers](std::uint32_t &row) { row = row == none ? none : numbers[row]; };
    std::for_each(track.parent.begin(), track.parent.end(), renumber);
    std::for_each(events.collectives.row.begin(), events.collectives.row.end(), renumber);
    for (std::size_t i = 0; i < events.postings.size(); ++i) // the rows of another thread's track are not known here
        if (std::uint32_t &row = events.postings.row[i]; events.postings.threadOf(i) == none)
            renumber(row);
        else
            row = none;
    for (TakenMessage &message : events.taken)
        renumber(message.row);
    cutOutcomes(events, numbers);
    for (PendingRequest &request : events.pending)
        renumber(request.row);
    for (PollRun &run : events.polls)
        renumber(run.row);
    std::erase_if(events.polls, [](const PollRun &run) { return run.row == none; });
    std::for_each(events.failed.begin(), events.failed.end(), renumber);
    std::erase(events.failed, none);
    for (DescriptorCall &call : events.descriptorCalls)
        renumber(call.row);
    std::erase_if(events.descriptorCalls, [](const DescriptorCall &call) { return call.row == none; });
    for (DescriptorDetails::Address &address : events.descriptorDetails.addresses)
        renumber(address.row);
    std::erase_if(events.descriptorDetails.addresses,
                  [](const DescriptorDetails::Address &address) { return address.row == none; });
    for (DescriptorDetails::Ready &ready : events.descriptorDetails.ready)
        renumber(ready.row);
    std::erase_if(events.descriptorDetails.ready, [](const DescriptorDetails::Ready &ready) { return ready.row == none; });
}

void keepMessageEnds(Trace &trace, EndPositions &sends, EndPositions &receives, const Work &work) {
    const auto forEachRank = [&](auto job) {
        forEachParallel(trace.processes.size(), work, [&](std::size_t rank, unsigned) { job(static_cast<Rank>(rank)); });
    };
    forEachRank([&](Rank rank) {
        number(sends[rank]);
        number(receives[rank]);
    });
    forEachRank([&](Rank rank) { keepEndsOf(trace, rank, sends, receives); });
}

void cutRecords(Trace &trace, const TimeCut &cut, const Work &work) {
    RecordCutter(trace, cut, work).cut();
    recountMessages(trace);
}

void recountMessages(Trace &trace) {
    trace.messageCount = trace.unmatchedSends = trace.unmatchedReceives = trace.reversedMessages = 0;
    const auto isLeftOut = [&trace](Rank peer) { return peer != none && !trace.isRead(peer); };
    for (LocationIndex location = 0; location < trace.locations.size(); ++location) {
        const LocationEvents &events = trace.locations[location].events;
        for (std::uint32_t i = 0; i < events.sends.size(); ++i) {
            if (events.sends.match[i] == none) {
                trace.unmatchedSends += isLeftOut(events.envelopes[events.sends.envelope[i]].peer) ? 0 : 1;
                continue;
            }
            const Message message = trace.messageOfSend(location, i);
            ++trace.messageCount;
            trace.reversedMessages += message.received < message.sent ? 1 : 0;
        }
        for (std::uint32_t i = 0; i < events.receives.size(); ++i)
            if (events.receives.match[i] == none)
                trace.unmatchedReceives += isLeftOut(events.envelopes[events.receives.envelope[i]].peer) ? 0 : 1;
    }
}

} // namespace laggard
