// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/units/Connections.h"

#include <algorithm>
#include <limits>
#include <tuple>

namespace laggard {

Connections::Connections(const Trace &trace, Rank rank, const std::vector<CallRole> &roles) {
    struct Event {
        Tick returned, begun;
        LocationIndex location;
        const DescriptorCall *call;
    };
    std::vector<Event> events;
    for (const LocationIndex location : trace.processes[rank].locations) {
        const LocationEvents &recorded = trace.locations[location].events;
        for (const DescriptorCall &call : recorded.descriptorCalls) {
            const CallRole role = roles[trace.callPaths[recorded.track.callPath[call.row]].region];
            if (role != CallRole::None && role != CallRole::Wait && role != CallRole::Receive && role != CallRole::Read)
                events.push_back({recorded.track.end[call.row], recorded.track.start[call.row], location, &call});
        }
    }
    std::sort(events.begin(), events.end(), [](const Event &a, const Event &b) {
        return std::tie(a.returned, a.begun, a.location, a.call->row) < std::tie(b.returned, b.begun, b.location, b.call->row);
    });
    for (const Event &event : events) {
        const LocationEvents &recorded = trace.locations[event.location].events;
        apply(recorded, *event.call, roles[trace.callPaths[recorded.track.callPath[event.call->row]].region]);
    }
}

void Connections::apply(const LocationEvents &events, const DescriptorCall &call, CallRole role) {
    const CallPathId path = events.track.callPath[call.row];
    const Tick begun = events.track.start[call.row];
    const Tick returned = events.track.end[call.row];
    const auto add = [&](std::uint32_t connection) {
        std::vector<CallPathId> &setUpBy = m_connections[connection].setUpBy;
        if (const auto place = std::lower_bound(setUpBy.begin(), setUpBy.end(), path); place == setUpBy.end() || *place != path)
            setUpBy.insert(place, path);
    };
    switch (role) {
    case CallRole::Connect:
    case CallRole::Bind:
    case CallRole::Listen:
        // Also where it failed: a call that does not wait for the connection fails with EINPROGRESS.
        if (call.descriptor >= 0)
            add(current(call.descriptor) == none ? make(call.descriptor, begun) : current(call.descriptor));
        if (role == CallRole::Connect && call.descriptor >= 0)
            m_connections[current(call.descriptor)].peer = events.descriptorDetails.addressOf(call.row);
        break;
    case CallRole::Accept:
        if (call.result >= 0) {
            const std::uint32_t made = make(call.result, returned);
            add(made);
            m_connections[made].peer = events.descriptorDetails.addressOf(call.row);
        }
        break;
    case CallRole::Socket:
        if (call.result >= 0)
            static_cast<void>(make(call.result, returned));
        break;
    case CallRole::Open:
        if (call.result >= 0)
            m_connections[make(call.result, returned)].isFile = true;
        break;
    case CallRole::Pair:
        if (call.result == 0 && call.descriptor >= 0 && call.second >= 0) {
            add(make(call.descriptor, returned));
            add(make(call.second, returned));
        }
        break;
    case CallRole::Duplicate:
        if (call.result >= 0 && call.result <= std::numeric_limits<std::int32_t>::max() && call.result != call.descriptor)
            use(static_cast<std::int32_t>(call.result), returned, current(call.descriptor));
        break;
    case CallRole::Close:
        // From its begin: another thread may have the number again before this returns.
        if (const auto uses = m_uses.find(call.descriptor); uses != m_uses.end() && uses->second.back().from <= begun)
            use(call.descriptor, returned, none);
        break;
    default:
        break;
    }
}

std::uint32_t Connections::make(std::int64_t descriptor, Tick from) {
    const auto number = static_cast<std::uint32_t>(m_connections.size());
    m_connections.emplace_back();
    if (descriptor <= std::numeric_limits<std::int32_t>::max())
        use(static_cast<std::int32_t>(descriptor), from, number);
    return number;
}

void Connections::use(std::int32_t descriptor, Tick from, std::uint32_t connection) {
    std::vector<Use> &uses = m_uses[descriptor];
    uses.push_back({uses.empty() ? from : std::max(from, uses.back().from), connection});
}

std::uint32_t Connections::current(std::int32_t descriptor) const {
    const auto uses = m_uses.find(descriptor);
    return uses == m_uses.end() ? none : uses->second.back().connection;
}

std::uint32_t Connections::numberAt(std::int32_t descriptor, Tick time) const {
    const auto found = m_uses.find(descriptor);
    if (found == m_uses.end())
        return none;
    const std::vector<Use> &uses = found->second;
    const auto after = std::upper_bound(uses.begin(), uses.end(), time, [](Tick at, const Use &use) { return at < use.from; });
    return after == uses.begin() ? none : std::prev(after)->connection;
}

const Connections::Connection *Connections::at(std::int32_t descriptor, Tick time) const {
    const std::uint32_t number = numberAt(descriptor, time);
    return number == none ? nullptr : &m_connections[number];
}

} // namespace laggard
