// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/Trace.h"

#include <algorithm>
#include <map>
#include <span>

namespace laggard::test {

/// Writes traces of event-driven processes by hand, call by call. Each call and return takes a tick; one tick is a nanosecond.
/// Functions are of "NAME.c" at line 1, or where "NAME@FILE" says; a call with a line is made in that line of its caller's file.
class DaemonTrace {
  public:
    explicit DaemonTrace(Rank processes, Tick start = 0) : m_trace(std::make_shared<Trace>()), m_now(processes, start) {
        m_trace->path = "made by a test";
        for (Rank rank = 0; rank < processes; ++rank) {
            Location location;
            location.id = rank;
            location.kind = LocationKind::Thread;
            location.rank = rank;
            m_trace->locations.push_back(std::move(location));
            Process process;
            process.mainLocation = rank;
            process.locations = {rank};
            m_trace->processes.push_back(std::move(process));
        }
        m_open.resize(processes);
        m_trace->range.begin = start;
    }

    DaemonTrace &enter(Rank rank, const std::string &function, std::uint32_t line = 0, std::int32_t descriptor = -1) {
        LocationEvents &events = m_trace->locations[rank].events;
        const std::uint32_t parent = m_open[rank].empty() ? none : m_open[rank].back();
        const CallPathId above = parent == none ? none : events.track.callPath[parent];
        CallSiteId site = none;
        if (line != 0 && above != none)
            site = siteAt(m_trace->region(above).file, line);
        const auto row = static_cast<std::uint32_t>(events.track.size());
        events.track.start.push_back(m_now[rank]);
        events.track.end.push_back(openEnd);
        events.track.callPath.push_back(m_trace->callPaths.intern(above, region(function), site));
        events.track.parent.push_back(parent);
        if (descriptor >= 0)
            events.descriptorCalls.push_back({row, descriptor});
        m_open[rank].push_back(row);
        tick(rank);
        return *this;
    }
    DaemonTrace &leave(Rank rank, std::int64_t result = 0, std::int32_t second = -1) {
        LocationEvents &events = m_trace->locations[rank].events;
        const std::uint32_t row = m_open[rank].back();
        m_open[rank].pop_back();
        events.track.end[row] = m_now[rank];
        for (DescriptorCall &call : events.descriptorCalls)
            if (call.row == row) {
                call.result = result;
                call.second = second;
            }
        tick(rank);
        return *this;
    }
    /// A call that returns at once; of the C library with the descriptor and what it returns.
    DaemonTrace &call(Rank rank, const std::string &function, std::uint32_t line = 0, std::int32_t descriptor = -1,
                      std::int64_t result = 0) {
        return enter(rank, function, line, descriptor).leave(rank, result);
    }
    DaemonTrace &exits(Rank rank) {
        m_trace->processes[rank].end.kind = ProcessEnd::Kind::Exited;
        return *this;
    }
    DaemonTrace &loses(Rank rank, Tick eventsFrom) {
        m_trace->processes[rank].eventsFrom = eventsFrom;
        return *this;
    }

    [[nodiscard]] std::shared_ptr<Trace> finish() {
        for (Location &location : m_trace->locations) {
            if (!location.events.track.empty())
                location.firstEvent = location.events.track.start[0];
            location.lastEvent = m_now[location.rank];
            m_trace->range.end = std::max(m_trace->range.end, location.lastEvent);
        }
        return m_trace;
    }

  private:
    void tick(Rank rank) { ++m_now[rank]; }
    RegionId region(const std::string &name) {
        const auto [entry, isNew] = m_regions.try_emplace(name, static_cast<RegionId>(m_trace->regions.size()));
        if (isNew) {
            Region made;
            const std::size_t at = name.find('@');
            made.name = made.canonicalName = name.substr(0, at);
            made.file = at == std::string::npos ? name + ".c" : name.substr(at + 1);
            made.line = 1;
            m_trace->regions.push_back(made);
        }
        return entry->second;
    }
    CallSiteId siteAt(const std::string &file, std::uint32_t line) {
        const CallSite wanted{file, line};
        std::vector<CallSite> &sites = m_trace->callSites;
        const auto found = std::find(sites.begin(), sites.end(), wanted);
        if (found != sites.end())
            return static_cast<CallSiteId>(found - sites.begin());
        sites.push_back(wanted);
        return static_cast<CallSiteId>(sites.size() - 1);
    }

    std::shared_ptr<Trace> m_trace;
    std::vector<Tick> m_now;
    std::vector<std::vector<std::uint32_t>> m_open;
    std::map<std::string, RegionId> m_regions;
};

/// Functions that a random one calls, and these in turn: several of one name, in files of one name as well, from few lines.
template <typename Random> void callAtRandom(DaemonTrace &trace, Rank rank, Random &random, int depth = 0) {
    static const std::vector<std::string> functions{"run@a/x.c", "run@b/x.c", "run@y.c", "log@x.c", "log@y.c"};
    for (unsigned calls = depth == 4 ? 0 : random() % 4; calls > 0; --calls) {
        trace.enter(rank, functions[random() % functions.size()], 51 + static_cast<std::uint32_t>(random() % 2));
        callAtRandom(trace, rank, random, depth + 1);
        trace.leave(rank);
    }
}

/// A daemon that does something at random with each message.
template <typename Random> void addRandomDaemon(DaemonTrace &trace, Rank rank, Random &random) {
    trace.enter(rank, "main").enter(rank, "setup", 10);
    trace.enter(rank, "socket", 20, 0).leave(rank, 3).call(rank, "bind", 21, 3).call(rank, "listen", 22, 3).leave(rank);
    trace.enter(rank, "serve", 11).call(rank, "poll", 30, -1, 1).call(rank, "accept", 40, 3, 5);
    for (int message = 0; message < 6; ++message) {
        trace.call(rank, "poll", 30, -1, 1).enter(rank, "dispatch", 32).call(rank, "recv", 50, 5, 8);
        callAtRandom(trace, rank, random);
        trace.leave(rank);
    }
    trace.call(rank, "poll", 30, -1, 0).leave(rank).leave(rank).exits(rank);
}

/// What a daemon does with one message.
struct DaemonMessage {
    std::int32_t descriptor = 5;
    std::vector<std::string> handlers; ///< functions, each called by the one before
    int parts = 1;                     ///< receives that it takes
};

/// A daemon up to some moment: main sets up a listening socket, accepts one client as descriptor 5 in the loop, and receives the
/// messages, one in each turn.
inline void addRunningDaemon(DaemonTrace &trace, Rank rank, std::span<const DaemonMessage> messages) {
    trace.enter(rank, "main").enter(rank, "setup", 10);
    trace.enter(rank, "socket", 20, 0).leave(rank, 3).call(rank, "bind", 21, 3).call(rank, "listen", 22, 3).leave(rank);
    trace.enter(rank, "serve", 11);
    trace.call(rank, "poll", 30, -1, 1).enter(rank, "welcome", 31).call(rank, "accept", 40, 3, 5).leave(rank);
    for (const DaemonMessage &message : messages) {
        trace.call(rank, "poll", 30, -1, 1).enter(rank, "dispatch", 32);
        for (int part = 0; part < message.parts; ++part)
            trace.call(rank, "recv", 50, message.descriptor, 8);
        for (const std::string &handler : message.handlers)
            trace.enter(rank, handler, 51);
        for (std::size_t i = 0; i < message.handlers.size(); ++i)
            trace.leave(rank);
        trace.leave(rank);
    }
}

/// The same, which at last closes and exits.
inline void addDaemon(DaemonTrace &trace, Rank rank, const std::vector<DaemonMessage> &messages) {
    addRunningDaemon(trace, rank, messages);
    trace.call(rank, "poll", 30, -1, 0).leave(rank).call(rank, "close", 12, 3).leave(rank).exits(rank);
}

} // namespace laggard::test
