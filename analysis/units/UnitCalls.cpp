// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/units/UnitCalls.h"

#include <algorithm>

namespace laggard {

const std::vector<CallPathId> &UnitCalls::of(const ExecutionUnit &unit) {
    m_calls.clear();
    if (++m_number == 0) { // all numbers are used up
        std::fill(m_seenIn.begin(), m_seenIn.end(), 0);
        m_number = 1;
    }
    for (CallPathId path = unit.wait; path != none; path = m_trace.callPaths[path].parent)
        m_seenIn[path] = m_seenIn[m_names.node(path)] = m_number;
    const Track &track = m_trace.locations[unit.location].events.track;
    for (std::uint32_t row = unit.begin; row < unit.end; ++row)
        mark(track.callPath[row]);
    return m_calls;
}

/// The callers of a unit's first call are those that were open when it began.
void UnitCalls::mark(CallPathId path) {
    for (; path != none && m_seenIn[path] != m_number; path = m_trace.callPaths[path].parent) {
        m_seenIn[path] = m_number;
        const CallPathId node = m_names.node(path);
        if (node == path || m_seenIn[node] != m_number)
            m_calls.push_back(path);
        m_seenIn[node] = m_number;
    }
}

UnitKey keyOf(const Trace &trace, const CallNames &names, const ProcessUnits &process, const ExecutionUnit &unit) {
    UnitKey key{unit.kind, {}};
    if (unit.kind == UnitKind::Handler && unit.connection != none)
        key.connection = names.stacks(process.connections[unit.connection].setUpBy);
    if (unit.kind == UnitKind::Thread) {
        CallPathId path = trace.locations[unit.location].events.track.callPath[unit.begin];
        while (trace.callPaths[path].parent != none)
            path = trace.callPaths[path].parent;
        key.connection = {names.stack(path)};
    }
    return key;
}

} // namespace laggard
