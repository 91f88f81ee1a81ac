// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/verdict/OtherThreads.h"

#include <string>

namespace laggard {

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
