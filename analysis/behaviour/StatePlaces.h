// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/semimarkov/Phases.h"

#include <string>
#include <vector>

namespace laggard {

/// In which function the time of a computation state went.
struct StatePlace {
    RegionId region = none; ///< the innermost function with most of the time; `none`: no records tell
    double share = 0;       ///< share of the state's time, 0..1
    double seconds = 0;     ///< in that function
};

/// By state (StateTable::states), from the calls recorded between MPI calls in one phase of the judged run: a model tells a
/// computation by the MPI call before it, and its time may all have gone in a function called there. States inside MPI calls, and
/// those of model dumps, have none. Takes a pass over the calls of the phase, ranks in parallel. Throws Cancelled.
[[nodiscard]] std::vector<StatePlace> statePlaces(const Trace &trace, const Histories &histories, const PhaseTable &phases,
                                                  std::size_t phase, const Work &work);

} // namespace laggard
