// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/units/Decomposition.h"

#include "analysis/units/EventLoop.h"

#include <algorithm>

namespace laggard {
namespace {

/// An accept, or a receive that is an event.
struct Event {
    std::uint32_t row = none;
    std::int32_t descriptor = -1;
    std::uint32_t connection = none;
    bool isAccept = false;
    /// The receive goes on with what the one before it began.
    [[nodiscard]] bool continues(const Event &before) const {
        return !isAccept && !before.isAccept && descriptor == before.descriptor && connection == before.connection;
    }
};

std::vector<Event> eventsOf(const Trace &trace, const LocationEvents &events, const std::vector<CallRole> &roles,
                            const Connections &connections) {
    std::vector<Event> found;
    const auto roleAt = [&](std::uint32_t row) { return roles[trace.callPaths[events.track.callPath[row]].region]; };
    for (const DescriptorCall &call : events.descriptorCalls) {
        const CallRole role = roleAt(call.row);
        if (role != CallRole::Accept && role != CallRole::Receive && role != CallRole::Read)
            continue;
        const std::uint32_t connection = connections.numberAt(call.descriptor, events.track.start[call.row]);
        if (role != CallRole::Read || connection == none || !connections[connection].isFile)
            found.push_back({call.row, call.descriptor, connection, role == CallRole::Accept});
    }
    return found;
}

/// The outermost call that leads to `row` and was made after `after`.
std::uint32_t firstRowOf(const Track &track, std::uint32_t row, std::uint32_t after) {
    while (track.parent[row] != none && track.parent[row] > after)
        row = track.parent[row];
    return row;
}

class Cutter {
  public:
    Cutter(const Trace &trace, LocationIndex location, std::vector<ExecutionUnit> &units)
        : m_track(trace.locations[location].events.track), m_location(location), m_units(units) {}

    /// About so many units are to come.
    void expect(std::size_t units) { m_units.reserve(m_units.size() + units + 2); }

    void add(UnitKind kind, std::uint32_t begin, std::uint32_t end, CallPathId wait = none) {
        if (begin >= end)
            return;
        ExecutionUnit unit;
        unit.kind = kind;
        unit.location = m_location;
        unit.begin = begin;
        unit.end = end;
        unit.wait = wait;
        unit.start = m_track.start[begin];
        unit.isComplete = true;
        m_units.push_back(unit);
    }

    /// One turn: rows [begin, end), in which `events` happened.
    void addTurn(std::uint32_t begin, std::uint32_t end, std::span<const Event> events, CallPathId wait) {
        if (events.empty()) {
            add(UnitKind::Turn, begin, end, wait);
            return;
        }
        std::uint32_t from = begin;
        for (std::size_t i = 0; i < events.size();) {
            std::size_t next = i + 1;
            while (next < events.size() && events[next].continues(events[next - 1]))
                ++next;
            const std::uint32_t until = next == events.size() ? end : firstRowOf(m_track, events[next].row, events[next - 1].row);
            add(UnitKind::Handler, from, until, wait);
            ExecutionUnit &unit = m_units.back();
            unit.receive = events[i].row;
            unit.connection = events[i].connection;
            unit.start = m_track.start[events[i].row];
            from = until;
            i = next;
        }
    }

  private:
    const Track &m_track;
    LocationIndex m_location;
    std::vector<ExecutionUnit> &m_units;
};

void cutLoop(Cutter &cutter, const EventLoop &loop, const std::vector<Event> &events) {
    cutter.expect(std::max(loop.turns.size(), events.size()));
    auto event = events.begin();
    while (event != events.end() && event->row < loop.turns.front())
        ++event;
    for (std::size_t turn = 0; turn < loop.turns.size(); ++turn) {
        const std::uint32_t end = turn + 1 < loop.turns.size() ? loop.turns[turn + 1] : loop.end;
        const auto first = event;
        while (event != events.end() && event->row < end)
            ++event;
        cutter.addTurn(loop.turns[turn], end, {first, event}, loop.wait);
    }
}

bool hasEndedByItself(const Process &process) {
    using Kind = ProcessEnd::Kind;
    return process.end.kind == Kind::Exited || process.end.kind == Kind::Signalled || process.end.kind == Kind::Replaced;
}

/// When each unit ended, and whether it did.
void finishUnits(const Location &location, bool hasBeginning, bool hasEnd, bool isDamaged, std::span<ExecutionUnit> units) {
    const Track &track = location.events.track;
    for (std::size_t i = 0; i < units.size(); ++i) {
        ExecutionUnit &unit = units[i];
        const bool isLast = i + 1 == units.size();
        unit.finish = isLast ? location.lastEvent : track.start[unit.end];
        if (isDamaged || (isLast && !hasEnd) || (i == 0 && !hasBeginning))
            unit.isComplete = false;
    }
}

} // namespace

ProcessUnits decompose(const Trace &trace, Rank rank, const std::vector<CallRole> &roles, const std::vector<bool> &knownLoops) {
    const Process &process = trace.processes[rank];
    ProcessUnits result;
    result.connections = Connections(trace, rank, roles);
    result.isWholeFromStart =
        process.eventsFrom == 0 && !trace.part.time && !trace.isDamaged(rank) && process.mainLocation != none;
    for (const LocationIndex index : process.locations) {
        const Location &location = trace.locations[index];
        const Track &track = location.events.track;
        if (track.empty())
            continue;
        const bool isMain = index == process.mainLocation;
        const std::vector<Event> events = eventsOf(trace, location.events, roles, result.connections);
        std::vector<std::uint32_t> receives;
        for (const Event &event : events)
            receives.push_back(event.row);
        const auto loop = findEventLoop(trace, track, roles, receives, knownLoops, hasEndedByItself(process));
        const auto size = static_cast<std::uint32_t>(track.size());
        const std::size_t first = result.units.size();
        Cutter cutter(trace, index, result.units);
        cutter.add(isMain ? UnitKind::Initializer : UnitKind::Thread, 0, loop ? loop->turns.front() : size);
        if (loop) {
            cutLoop(cutter, *loop, events);
            cutter.add(isMain ? UnitKind::Finalizer : UnitKind::Thread, loop->end, size);
            result.loops.push_back(loop->wait);
        }
        const bool hasEnd = hasEndedByItself(process) || (track.innermostOpen() == none && !trace.part.time);
        finishUnits(location, process.eventsFrom == 0 && !trace.part.time, hasEnd, trace.isDamaged(rank),
                    std::span(result.units).subspan(first));
        if (!isMain)
            continue;
        for (const DescriptorCall &call : location.events.descriptorCalls)
            if (const CallPathId path = track.callPath[call.row];
                setsUpConnection(roles[trace.callPaths[path].region]) && (!loop || call.row < loop->turns.front()))
                result.signature.push_back(path);
    }
    for (std::vector<CallPathId> *paths : {&result.signature, &result.loops}) {
        std::sort(paths->begin(), paths->end());
        paths->erase(std::unique(paths->begin(), paths->end()), paths->end());
    }
    return result;
}

} // namespace laggard
