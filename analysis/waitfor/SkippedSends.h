// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/waitfor/CallHistory.h"

#include <vector>

namespace laggard {

/// A place in a rank's history where, as in equal surroundings before, a send was due; the rank went on as it did after that
/// send.
struct SkippedSend {
    Rank to = none;
    std::uint32_t send = none;  ///< the record of the usual send in LocationEvents::sends
    std::uint32_t usual = none; ///< step that made this send before
    std::uint32_t place = none; ///< step that came instead; the number of steps if the open call came instead
    std::uint32_t context = 0;  ///< equal steps before the place: at least this power of two
    std::uint32_t resumed = 0;  ///< steps after it that are again as after the usual send
    bool callWasMade = false;   ///< the call came, without this message (to MPI_PROC_NULL, or with fewer requests)
    bool seenBefore = false;    ///< earlier, too, these surroundings went on in different ways
    double confidence = 0;
};

/// What following a rank's history with sends left out has found.
struct SkipScan {
    std::vector<SkippedSend> skips; ///< in order of place
    /// If a course with skipped sends leads up to the open call: the step that the open call repeats.
    std::uint32_t openCallRepeats = none;
    std::uint32_t openCallRun = 0; ///< equal steps before it, skipped sends not counted
    double openCallConfidence = 0;
};

/// All places, over the whole history, at which the rank skipped sends to others. `openPath` is the call path it is in now.
///
/// Each step is foretold from the latest earlier place with the longest equal context of 8, 16 … 512 steps. Where it differs and
/// the foretold one is a send, or the same call with more messages, the history is followed with such sends left out. Linear in
/// the number of steps.
[[nodiscard]] SkipScan findSkippedSends(const LocationEvents &events, const CallHistory &history, CallPathId openPath);

} // namespace laggard
