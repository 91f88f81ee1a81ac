// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/verdict/TypeMisfit.h"

#include "trace/MpiCall.h"
#include "trace/MpiDatatype.h"

#include <algorithm>
#include <set>
#include <utility>

namespace laggard {
namespace {

using CallKind = MpiCall::Kind;

/// The datatypes of the paths of calls that send, or that receive, and do nothing else.
class TypesOfPaths {
  public:
    explicit TypesOfPaths(const Trace &trace) : m_types(trace.callPaths.size()) {
        const MpiCallTable calls(trace);
        std::set<std::pair<BasicType::Kind, std::uint8_t>> seen;
        for (CallPathId path = 0; path < trace.callPaths.size(); ++path) {
            const CallKind kind = calls[path].kind;
            // One that sends and receives has a datatype for each, of which only one is kept.
            if (kind != CallKind::Send && kind != CallKind::Receive && kind != CallKind::Post)
                continue;
            m_types[path] = basicTypeOf(trace.datatypeOf(path));
            seen.insert({m_types[path].kind, m_types[path].bytes});
        }
        m_mayDiffer = seen.size() > 1;
    }
    [[nodiscard]] BasicType operator[](CallPathId path) const { return path == none ? BasicType() : m_types[path]; }
    [[nodiscard]] bool mayDiffer() const { return m_mayDiffer; }

  private:
    std::vector<BasicType> m_types;
    bool m_mayDiffer = false;
};

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

/// The send that a receive is matched with: its location, and its position there.
std::pair<LocationIndex, std::uint32_t> senderOf(const Trace &trace, const LocationEvents &events, std::size_t receive) {
    const Rank peer = events.envelopes[events.receives.envelope[receive]].peer;
    std::uint32_t position = events.receives.match[receive];
    if (position == none || peer >= trace.processes.size())
        return {none, none};
    for (const LocationIndex each : trace.processes[peer].locations) {
        const auto sends = static_cast<std::uint32_t>(trace.locations[each].events.sends.size());
        if (position < sends)
            return {each, position};
        position -= sends;
    }
    return {none, none};
}

} // namespace

std::optional<TypeMisfit> findTypeMisfit(const Trace &trace, const Work &work) {
    const TypesOfPaths types(trace);
    if (!types.mayDiffer())
        return std::nullopt;
    std::vector<std::vector<CallPathId>> sendPaths(trace.locations.size());
    for (LocationIndex each = 0; each < trace.locations.size(); ++each)
        sendPaths[each] = pathsOfSends(trace.locations[each].events);
    std::vector<std::uint64_t> fitSends(trace.callPaths.size());
    std::vector<std::uint64_t> fitReceives(trace.callPaths.size());
    std::optional<TypeMisfit> first;
    Tick sent = openEnd;
    for (const Location &location : trace.locations) {
        throwIfCancelled(work);
        CallsInOrder calls(location.events.track);
        for (std::size_t i = 0; i < location.events.receives.size(); ++i) {
            const auto [from, send] = senderOf(trace, location.events, i);
            if (from == none)
                continue;
            const CallPathId sendPath = sendPaths[from][send];
            const BasicType sentAs = types[sendPath];
            if (sentAs.kind == BasicType::Kind::Unknown)
                continue;
            const CallPathId receivePath = postedBy(trace, location, calls, i);
            if (types[receivePath] == sentAs) {
                ++fitSends[sendPath];
                ++fitReceives[receivePath];
            }
            const LocationEvents &ofSender = trace.locations[from].events;
            if (!areOtherNumbers(types[receivePath], sentAs) || ofSender.envelopes[ofSender.sends.envelope[send]].bytes == 0)
                continue;
            const Tick time = ofSender.sends.time[send];
            const std::uint64_t later = first ? first->later + 1 : 0;
            if (time < sent) {
                first = {.sender = trace.locations[from].rank,
                         .receiver = location.rank,
                         .sendPath = sendPath,
                         .receivePath = receivePath};
                sent = time;
            }
            first->later = later;
        }
    }
    if (first) {
        first->fitSends = fitSends[first->sendPath];
        first->fitReceives = fitReceives[first->receivePath];
    }
    return first;
}

} // namespace laggard
