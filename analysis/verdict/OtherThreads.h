// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/waitfor/WaitForGraph.h"

#include <string>
#include <vector>

namespace laggard {

/// A thread beside the main one that had not come back from its calls when a recording ended. The waits of DESIGN §3 are of main
/// threads, and of those that these wait for (analysis/waitfor/ActiveThread.h); this is what else went on.
struct OtherThread {
    Rank rank = none;
    LocationIndex location = none;
    CallPathId callPath = none; ///< of the innermost open call
    CallSiteId site = none;     ///< where in that function it was seen
    Tick since = 0;             ///< when it entered the call; of a thread that recorded nothing, when it was seen in it
    bool isInMpi = false;
    bool isAwaited = false; ///< the main thread waits for it, or may: it is what the rank does (Activity::thread)
    RankSet waitsFor;       ///< of a receive: whom the call said that it waits for
};

/// By rank, threads in the order of the trace. Empty before the
/// end of the trace, and for formats that do not tell open calls.
[[nodiscard]] std::vector<OtherThread> findOtherThreads(const Trace &trace, const WaitForGraph &waits);

/// "thread 1 of rank 3 is in spin (work.c:12); thread 1 of ranks 0-2 is in MPI_Recv, called from …" of the threads of `ranks` but
/// those that are awaited. Empty if there are none.
[[nodiscard]] std::string describeThreads(const Trace &trace, const std::vector<OtherThread> &threads, const RankSet &ranks);

/// "That is thread 1 of rank 3; its main thread waits in pthread_join, called from …", of those of `ranks` that stand in another
/// thread than the main one. Empty if there are none.
[[nodiscard]] std::string describeAwaitedThreads(const Trace &trace, const WaitForGraph &waits, const RankSet &ranks);

/// "its main thread waits for a lock in pthread_mutex_lock, called from f (a.c:3), of which it is not recorded who holds it
/// (thread 1 is in work (a.c:9))" of a rank that computes in another thread, as far as is known, while its main thread is in a
/// lock: it may be that one's, its own, or one that nobody gave back. Empty for others.
[[nodiscard]] std::string lockWaitClause(const Trace &trace, const WaitForGraph &waits, Rank rank);

} // namespace laggard
