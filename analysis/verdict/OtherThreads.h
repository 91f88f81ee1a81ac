// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/waitfor/WaitForGraph.h"

#include <vector>

namespace laggard {

/// A thread beside the main one that had not come back from its calls when a recording ended. The waits of DESIGN §3 are of main
/// threads, and of those that these wait for (analysis/waitfor/ActiveThread.h); this is what else went on.
struct OtherThread {
    Rank rank = none;
    LocationIndex location = none;
    CallPathId callPath = none; ///< path of the innermost open call
    CallSiteId site = none;     ///< where in that function it was seen
    Tick since = 0;             ///< when it entered the call; of a thread that recorded nothing, when it was seen in it
    bool isInMpi = false;
    bool isAwaited = false; ///< the main thread waits for it, or may: it is what the rank does (Activity::thread)
    RankSet waitsFor;       ///< for a receive: whom the call said that it waits for
};

/// By rank, threads in the order of the trace. Empty before the
/// end of the trace, and for formats that do not tell open calls.
[[nodiscard]] std::vector<OtherThread> findOtherThreads(const Trace &trace, const WaitForGraph &waits);

/// Row of the call in which a rank's main thread waits for a lock, while the rank computes in another thread as far as is known:
/// the lock may be that one's, its own, or one that nobody gave back. `none` for others.
[[nodiscard]] std::uint32_t lockWaitOf(const Trace &trace, const WaitForGraph &waits, Rank rank);

} // namespace laggard
