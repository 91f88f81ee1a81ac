// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/semimarkov/Phases.h"

#include <string>

namespace laggard {

/// What delimits phases: every call of a region, or of one MPI call path.
struct PhaseMarker {
    PhaseSource source = PhaseSource::WholeRun;
    std::string region;
    std::vector<StateFrame> path; ///< if not empty, only calls with this path
    double coverage = 1;
    bool marks = false; ///< by LocationEvents::phases of the main threads, not by calls
};

/// Chooses the marker as findPhases documents; phase marks if `region` is "MPI_Pcontrol" and there are some. Throws
/// std::invalid_argument and Cancelled.
[[nodiscard]] PhaseMarker chooseMarker(const Trace &trace, const RunHistory &history, const std::string &region,
                                       const Work &work);

/// By call path of the trace (not for marks): true where its calls delimit. Within a call of the region, further ones (recursion)
/// do not.
[[nodiscard]] std::vector<bool> markedPaths(const Trace &trace, const PhaseMarker &marker);

} // namespace laggard
