// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/progress/TraceModels.h"
#include "analysis/slice/SliceQuestion.h"
#include "trace/Parallel.h"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <unordered_map>

namespace laggard {
namespace {

/// Call paths of both ends.
struct Ends {
    CallPathId receive = none;
    CallPathId send = none;
    auto operator<=>(const Ends &) const = default;
};

struct Seen {
    RankSet to; ///< neither sorted nor each once, until it is settled
    RankSet from;
    std::uint64_t count = 0;
};

using SeenByEnds = std::map<Ends, Seen>;

void settle(RankSet &ranks) {
    std::ranges::sort(ranks);
    ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
}

CallPathId pathAt(const Track &track, std::uint32_t row) { return row == none ? CallPathId{none} : track.callPath[row]; }

/// The call that posted receive `i` of a location.
CallPathId postedBy(const Trace &trace, LocationIndex location, std::uint32_t i) {
    const LocationEvents &events = trace.locations[location].events;
    const std::size_t entry = events.postings.find(i);
    if (entry == none) { // the call that ended with it
        const Tick time = events.receives.time[i];
        return time == 0 ? CallPathId{none} : pathAt(events.track, events.track.innermostAt(time - 1));
    }
    const std::uint32_t thread = events.postings.threadOf(entry);
    const std::vector<LocationIndex> &threads = trace.processes[trace.locations[location].rank].locations;
    const LocationIndex poster = thread == none || thread >= threads.size() ? location : threads[thread];
    return pathAt(trace.locations[poster].events.track, events.postings.row[entry]);
}

/// What one rank has received.
SeenByEnds receivedBy(const Trace &trace, Rank rank, Tick at, const Work &work) {
    constexpr std::uint32_t often = 1U << 16U; // messages between two looks whether this was cancelled: some milliseconds
    SeenByEnds seen;
    for (const LocationIndex location : trace.processes[rank].locations) {
        const MessageEnds &receives = trace.locations[location].events.receives;
        for (std::uint32_t i = 0; i < receives.size() && receives.time[i] <= at; ++i) {
            if (i % often == 0)
                throwIfCancelled(work);
            if (receives.match[i] == none)
                continue;
            const Message message = trace.messageOfReceive(location, i);
            const Track &sender = trace.locations[message.sender].events.track;
            const Ends ends{postedBy(trace, location, i), pathAt(sender, sender.innermostAt(message.sent))};
            if (ends.receive == none || ends.send == none)
                continue;
            Seen &here = seen[ends];
            ++here.count;
            if (const Rank from = trace.locations[message.sender].rank; here.from.empty() || here.from.back() != from)
                here.from.push_back(from);
            constexpr std::size_t many = 4096; // ranks kept twice, at most: 16 KiB a place
            if (here.from.size() > many)       // in turn from several
                settle(here.from);
        }
    }
    for (auto &[ends, here] : seen) {
        here.to = {rank};
        settle(here.from);
    }
    return seen;
}

enum class Flow { FromRoot, ToRoot, FromAll, Nothing };

Flow flowOf(CollectiveOperation operation) {
    using Operation = CollectiveOperation;
    switch (operation) {
    case Operation::Bcast:
    case Operation::Scatter:
    case Operation::Scatterv:
        return Flow::FromRoot;
    case Operation::Gather:
    case Operation::Gatherv:
    case Operation::Reduce:
        return Flow::ToRoot;
    case Operation::Allgather:
    case Operation::Allgatherv:
    case Operation::Alltoall:
    case Operation::Alltoallv:
    case Operation::Alltoallw:
    case Operation::Allreduce:
    case Operation::ReduceScatter:
    case Operation::ReduceScatterBlock:
    case Operation::Scan:
    case Operation::Exscan:
        return Flow::FromAll;
    default:
        return Flow::Nothing; // no values of the program's
    }
}

/// A member's call of a collective.
struct MemberCall {
    std::uint32_t instance = none;
    Rank rank = none;
    CallPathId path = none;
    Flow flow = Flow::Nothing;
    bool isRoot = false;
};

template <typename Take> void forEachCollective(const Trace &trace, Tick at, const Work &work, Take take) {
    for (const Location &location : trace.locations) {
        throwIfCancelled(work);
        const LocationEvents &events = location.events;
        const CollectiveCalls &calls = events.collectives;
        for (std::size_t i = 0; i < calls.size() && calls.end[i] <= at; ++i) {
            const CollectiveKind &kind = events.collectiveKinds[calls.kind[i]];
            const MemberCall call{calls.instance[i], location.rank, pathAt(events.track, calls.row[i]),
                                  kind.root == none && flowOf(kind.operation) != Flow::Nothing ? Flow::FromAll
                                                                                               : flowOf(kind.operation),
                                  kind.root == location.rank};
            if (call.instance != none && call.rank != none && call.path != none && call.flow != Flow::Nothing)
                take(call);
        }
    }
}

/// The call paths at which members gave values to each instance of a collective; nearly always one.
class Givers {
  public:
    explicit Givers(std::size_t instances) : m_first(instances, none) {}
    void add(std::uint32_t instance, CallPathId path) {
        CallPathId &first = m_first[instance];
        if (first == none || first == path) {
            first = path;
            return;
        }
        std::vector<CallPathId> &more = m_more[instance];
        if (std::ranges::find(more, path) == more.end())
            more.push_back(path);
    }
    template <typename Take> void forEach(std::uint32_t instance, Take take) const {
        if (m_first[instance] != none)
            take(m_first[instance]);
        if (const auto more = m_more.find(instance); more != m_more.end())
            std::ranges::for_each(more->second, take);
    }

  private:
    std::vector<CallPathId> m_first;
    std::unordered_map<std::uint32_t, std::vector<CallPathId>> m_more;
};

SeenByEnds takenFromCollectives(const Trace &trace, Tick at, const Work &work) {
    Givers givers(trace.collectives.size());
    Givers takers(trace.collectives.size());
    const auto gives = [](const MemberCall &call) {
        return call.flow == Flow::FromAll || (call.flow == Flow::FromRoot) == call.isRoot;
    };
    const auto takes = [](const MemberCall &call) {
        return call.flow == Flow::FromAll || (call.flow == Flow::ToRoot) == call.isRoot;
    };
    forEachCollective(trace, at, work, [&](const MemberCall &call) {
        if (gives(call))
            givers.add(call.instance, call.path);
        if (takes(call))
            takers.add(call.instance, call.path);
    });
    SeenByEnds seen;
    const auto add = [](RankSet &ranks, Rank rank) {
        if (ranks.empty() || ranks.back() != rank) // calls come rank by rank
            ranks.push_back(rank);
    };
    forEachCollective(trace, at, work, [&](const MemberCall &call) {
        if (takes(call))
            givers.forEach(call.instance, [&](CallPathId giver) {
                Seen &here = seen[{call.path, giver}];
                ++here.count;
                add(here.to, call.rank);
            });
        if (gives(call))
            takers.forEach(call.instance, [&](CallPathId taker) { add(seen[{taker, call.path}].from, call.rank); });
    });
    for (auto &[ends, here] : seen) {
        settle(here.to);
        settle(here.from);
    }
    return seen;
}

/// Source stacks of call paths, each made once; nothing where no line is known.
class Places {
  public:
    explicit Places(const Trace &trace) : m_trace(trace) {}
    const std::vector<Frame> &of(CallPathId path) {
        const auto [entry, isNew] = m_known.try_emplace(path);
        if (isNew) {
            entry->second = outsideMpi(m_trace, stackOf(m_trace, path));
            if (!entry->second.empty() && entry->second.front().line == 0)
                entry->second.clear();
        }
        return entry->second;
    }

  private:
    const Trace &m_trace;
    std::unordered_map<CallPathId, std::vector<Frame>> m_known;
};

void append(const SeenByEnds &seen, bool isCollective, Places &places, std::vector<SliceMessages> &messages) {
    for (const auto &[ends, here] : seen)
        if (const auto &receive = places.of(ends.receive), &send = places.of(ends.send); !receive.empty() && !send.empty())
            messages.push_back({isCollective, here.to, receive, here.from, send, here.count});
}

} // namespace

std::vector<SliceMessages> sliceMessages(const Trace &trace, Tick at, const Work &work) {
    std::vector<SeenByEnds> byReceiver(trace.processes.size());
    forEachParallel(byReceiver.size(), work,
                    [&](std::size_t rank, unsigned) { byReceiver[rank] = receivedBy(trace, static_cast<Rank>(rank), at, work); });
    std::size_t entries = 0;
    for (const SeenByEnds &seen : byReceiver)
        entries += seen.size();
    if (entries > mostSliceMessages) {
        SeenByEnds all;
        for (SeenByEnds &seen : byReceiver)
            for (auto &[ends, here] : seen) {
                Seen &joined = all[ends];
                joined.count += here.count;
                joined.to.insert(joined.to.end(), here.to.begin(), here.to.end());
                joined.from.insert(joined.from.end(), here.from.begin(), here.from.end());
            }
        for (auto &[ends, here] : all) {
            settle(here.to);
            settle(here.from);
        }
        byReceiver = {std::move(all)};
    }
    std::vector<SliceMessages> messages;
    Places places(trace);
    for (const SeenByEnds &seen : byReceiver)
        append(seen, false, places, messages);
    append(takenFromCollectives(trace, at, work), true, places, messages);
    return messages;
}

} // namespace laggard
