// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/units/CallNames.h"
#include "analysis/units/Decomposition.h"

namespace laggard {

/// Which calls appear in units: the nodes of their call trees (thesis §6.1.3), each once, however often it is called, and by
/// however many paths of the trace that are one node (CallNames::node). One unit after the other; costs what the unit has rows.
class UnitCalls {
  public:
    UnitCalls(const Trace &trace, const CallNames &names) : m_trace(trace), m_names(names), m_seenIn(trace.callPaths.size()) {}

    /// Call paths of the unit in the order of their first calls, one for each node, each with its callers. The loop's wait and
    /// the calls that lead to it are left out. Valid until the next call.
    [[nodiscard]] const std::vector<CallPathId> &of(const ExecutionUnit &unit);

  private:
    void mark(CallPathId path);

    const Trace &m_trace;
    const CallNames &m_names;
    std::vector<std::uint32_t> m_seenIn; ///< by call path, and for nodes by any path of theirs: number of the unit
    std::uint32_t m_number = 0;
    std::vector<CallPathId> m_calls;
};

/// To which model a unit belongs within its role (§6.1.3): kind, and names of the calls that set up its connection.
struct UnitKey {
    UnitKind kind = UnitKind::Handler;
    std::vector<CallModel::Stack> connection;
    auto operator<=>(const UnitKey &) const = default;
};
[[nodiscard]] UnitKey keyOf(const Trace &trace, const CallNames &names, const ProcessUnits &process, const ExecutionUnit &unit);

} // namespace laggard
