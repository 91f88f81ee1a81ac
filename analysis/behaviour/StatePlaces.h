// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/semimarkov/Phases.h"

#include <map>
#include <vector>

namespace laggard {

/// A function in which a part of a computation state's time went.
struct StatePart {
    RegionId region = none;
    double share = 0; ///< of the state's time, 0..1
    bool operator==(const StatePart &) const = default;
};

/// In which function the time of a computation state went.
struct StatePlace {
    static constexpr double leastPart = 0.1; ///< what takes less of a state, or of a way out of it, is no part of its own

    RegionId region = none; ///< the innermost function with most of the time; `none`: no records tell
    double share = 0;       ///< share of the state's time, 0..1
    double seconds = 0;     ///< in that function
    /// The innermost functions with at least `leastPart` of the time before some transition, in the order in which they come (by
    /// the middle of their time): between two MPI calls a program may unpack, compute and update.
    std::vector<StatePart> parts = {};
    /// By transition out of the state: which of `parts` came last before it. A rank that never came back from the second of three
    /// left the state from there.
    std::map<std::uint32_t, std::size_t> leaving = {};
};

/// By state (StateTable::states), from the calls recorded between MPI calls in one phase of the judged run: a model tells a
/// computation by the MPI call before it, and its time may all have gone in a function called there. States inside MPI calls, and
/// those of model dumps, have none. Takes a pass over the calls of the phase, ranks in parallel. Throws Cancelled.
[[nodiscard]] std::vector<StatePlace> statePlaces(const Trace &trace, const Histories &histories, const PhaseTable &phases,
                                                  std::size_t phase, const Work &work);

} // namespace laggard
