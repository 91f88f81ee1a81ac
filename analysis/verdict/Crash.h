// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/waitfor/WaitForGraph.h"
#include "trace/Trace.h"

#include <optional>
#include <string>

namespace laggard {

/// Processes that did not end of their own accord, or that said the job had failed (recordings only).
struct Crash {
    RankSet ranks;              ///< the first, and those that ended in the same way
    Rank first = none;          ///< where it began, as far as the clocks tell
    CallPathId callPath = none; ///< what it was in
    std::string function;       ///< innermost function with a known source, else the innermost
    std::string file;
    std::uint32_t line = 0;
    std::string what; ///< "crashed: segmentation fault (SIGSEGV) in update_cells (stencil.c:99)"
    std::string summary;
    double confidence = 1; ///< less where it was lost whether a rank with a failure status had come to its end
};

/// The crash of the job by `waits.at`; nothing if it did not crash. A job that was ended as a whole from outside, as one that
/// hangs is, has not crashed.
[[nodiscard]] std::optional<Crash> findCrash(const Trace &trace, const WaitForGraph &waits);

/// " Rank 1 was ended by an alarm (SIGALRM)." of those whose time was up; empty without such.
[[nodiscard]] std::string describeLimits(const Trace &trace);

/// "segmentation fault (SIGSEGV)"; "signal 42" for one without a name.
[[nodiscard]] std::string describeSignal(std::int32_t signal);

} // namespace laggard
