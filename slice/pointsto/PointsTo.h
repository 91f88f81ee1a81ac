// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "slice/Deadline.h"
#include "slice/calls/CallTable.h"
#include "slice/pointsto/Locations.h"

namespace laggard::slice {

/// What every pointer of a program may point to, and what every call may call: inclusion-based (Andersen 1994), with objects'
/// fields told apart; heap objects are named by the call that allocates them; the program's order is not looked at.
struct PointsTo {
    explicit PointsTo(const Program &program) : locations(program) {}

    Locations locations;
    std::vector<LocationSet> sets;                                ///< see of()
    std::vector<std::uint32_t> setOf;                             ///< by Node: index into sets
    std::vector<LocationSet> contents;                            ///< by location: what is stored there
    std::unordered_map<Node, std::vector<std::uint32_t>> callees; ///< by call: the functions, those called back included

    [[nodiscard]] const LocationSet &of(Node node) const { return sets[setOf[node]]; }
};

/// Stops where it is when time is up: what is found then is not all.
[[nodiscard]] PointsTo pointsTo(const Program &program, const CallTable &table, Deadline &deadline);

} // namespace laggard::slice
