// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/verdict/TypeMisfit.h"

#include "trace/MpiDatatype.h"

#include <algorithm>
#include <vector>

namespace laggard {
namespace {

/// The path of the call that a time lies in, for times in order: the last row that has begun then, if it has not ended.
class CallsInOrder {
  public:
    explicit CallsInOrder(const Track &track) : m_track(track) {}
    /// `isEnd`: the call ends at that time.
    CallPathId at(Tick time, bool isEnd) {
        if (m_row != 0 && m_track.start[m_row - 1] > time) // not in order
            m_row = static_cast<std::uint32_t>(std::upper_bound(m_track.start.begin(), m_track.start.end(), time) -
                                               m_track.start.begin());
        while (m_row < m_track.size() && m_track.start[m_row] <= time)
            ++m_row;
        if (m_row == 0 || (isEnd ? m_track.end[m_row - 1] != time : m_track.end[m_row - 1] < time))
            return none;
        return m_track.callPath[m_row - 1];
    }

  private:
    const Track &m_track;
    std::uint32_t m_row = 0; ///< the first that has not begun
};

std::vector<CallPathId> pathsOfSends(const LocationEvents &events) {
    std::vector<CallPathId> paths(events.sends.size(), none);
    CallsInOrder calls(events.track);
    for (std::size_t i = 0; i < paths.size(); ++i)
        paths[i] = calls.at(events.sends.time[i], false);
    return paths;
}

/// The path of the call that posted the receive at position `i`.
CallPathId postedBy(const Trace &trace, const Location &location, CallsInOrder &calls, std::size_t i) {
    const LocationEvents &events = location.events;
    const std::size_t posting = events.postings.find(static_cast<std::uint32_t>(i));
    if (posting == none)
        return calls.at(events.receives.time[i], true);
    const std::uint32_t row = events.postings.row[posting];
    const std::uint32_t thread = events.postings.threadOf(posting);
    const auto &locations = trace.processes[location.rank].locations;
    if (row == none || (thread != none && thread >= locations.size()))
        return none;
    const Track &track = thread == none ? events.track : trace.locations[locations[thread]].events.track;
    return row < track.size() ? track.callPath[row] : CallPathId{none};
}

std::vector<CallPathId> pathsOfReceives(const Trace &trace, const Location &location) {
    std::vector<CallPathId> paths(location.events.receives.size(), none);
    CallsInOrder calls(location.events.track);
    for (std::size_t i = 0; i < paths.size(); ++i)
        paths[i] = postedBy(trace, location, calls, i);
    return paths;
}

/// The calls that sent and that posted the messages, by location and position, and their datatypes, by path.
struct Calls {
    std::vector<std::vector<CallPathId>> sends;
    std::vector<std::vector<CallPathId>> receives;
    std::vector<BasicType> types;

    Calls(const Trace &trace, const Work &work) : types(trace.callPaths.size()) {
        for (CallPathId path = 0; path < trace.callPaths.size(); ++path)
            types[path] = basicTypeOf(trace.datatypeOf(path));
        std::vector<bool> send(types.size());
        for (const Location &location : trace.locations) {
            throwIfCancelled(work);
            sends.push_back(pathsOfSends(location.events));
            receives.push_back(pathsOfReceives(trace, location));
            for (const CallPathId path : sends.back())
                if (path != none)
                    send[path] = true;
        }
        // A call that does both has a datatype for each, of which one is kept: MPI_Sendrecv, MPI_Isendrecv.
        for (const std::vector<CallPathId> &paths : receives)
            for (const CallPathId path : paths)
                if (path != none && send[path])
                    types[path] = {};
    }
    [[nodiscard]] BasicType typeOf(CallPathId path) const { return path == none ? BasicType() : types[path]; }
};

/// False where all numbers of the trace are of one type, so that no message needs to be looked at.
bool mayDiffer(const Trace &trace) {
    std::vector<BasicType> types; // different ones: a dozen at most
    for (const CallSite &site : trace.callSites)
        if (const BasicType type = basicTypeOf(site.datatype); std::ranges::find(types, type) == types.end())
            types.push_back(type);
    return std::ranges::any_of(types, [&](const BasicType &type) {
        return std::ranges::any_of(types, [&](const BasicType &other) { return areOtherNumbers(type, other); });
    });
}

} // namespace

std::optional<TypeMisfit> findTypeMisfit(const Trace &trace, const Work &work) {
    if (!mayDiffer(trace))
        return std::nullopt;
    const Calls calls(trace, work);
    std::vector<std::uint64_t> fitSends(trace.callPaths.size());
    std::vector<std::uint64_t> fitReceives(trace.callPaths.size());
    std::optional<TypeMisfit> first;
    std::uint64_t count = 0;
    Tick sent = openEnd;
    for (LocationIndex to = 0; to < trace.locations.size(); ++to) {
        throwIfCancelled(work);
        const LocationEvents &events = trace.locations[to].events;
        for (std::uint32_t i = 0; i < events.receives.size(); ++i) {
            const CallPathId receivePath = calls.receives[to][i];
            const BasicType takenAs = calls.typeOf(receivePath);
            if (events.receives.match[i] == none || takenAs.kind == BasicType::Kind::Unknown)
                continue;
            const Message message = trace.messageOfReceive(to, i);
            const CallPathId sendPath = calls.sends[message.sender][message.send];
            const BasicType sentAs = calls.typeOf(sendPath);
            if (sentAs == takenAs) {
                ++fitSends[sendPath];
                ++fitReceives[receivePath];
            }
            if (!areOtherNumbers(sentAs, takenAs) || message.envelope.bytes == 0)
                continue;
            ++count;
            if (message.sent >= sent)
                continue;
            sent = message.sent;
            first = {.sender = trace.locations[message.sender].rank,
                     .receiver = trace.locations[to].rank,
                     .sendPath = sendPath,
                     .receivePath = receivePath};
        }
    }
    if (first) {
        first->later = count - 1;
        first->fitSends = fitSends[first->sendPath];
        first->fitReceives = fitReceives[first->receivePath];
    }
    return first;
}

} // namespace laggard
