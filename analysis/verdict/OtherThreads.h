// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/waitfor/WaitForGraph.h"

#include <string>
#include <vector>

namespace laggard {

/// A thread beside the main one that had not come back from its calls when a recording ended. The waits of DESIGN §3 know main
/// threads only; where one of these waits for the others, they are what the rank was doing.
struct OtherThread {
    Rank rank = none;
    LocationIndex location = none;
    CallPathId callPath = none; ///< of the innermost open call
    CallSiteId site = none;     ///< where in that function it was seen
    Tick since = 0;             ///< when it entered the call; of a thread that recorded nothing, when it was seen in it
    bool isInMpi = false;
    RankSet waitsFor; ///< of a receive: whom the call said that it waits for
};

/// By rank, threads in the order of the trace. Empty before the end of the trace, and for formats that do not tell open calls.
[[nodiscard]] std::vector<OtherThread> findOtherThreads(const Trace &trace, Tick at);

/// True for a main thread in a function of the system or of OpenMP in which a thread waits for others of its process: seen where
/// the recorder has copied its stack.
[[nodiscard]] bool waitsForThreads(const Trace &trace, const Activity &activity);

/// What threads say of a job in which no main thread is known to wait for another rank.
struct ThreadHang {
    RankSet ranks; ///< whose threads hold the others up; empty: the threads do not tell
    std::string why;
};

/// Every rank that has not finished has a main thread that waits, for threads of its own or in MPI, and some thread holds them
/// up: those that are waited for and compute, or else all that wait.
[[nodiscard]] ThreadHang findThreadHang(const Trace &trace, const WaitForGraph &waits, const std::vector<OtherThread> &threads);

/// "thread 1 of rank 3 is in spin (work.c:12); thread 1 of ranks 0-2 is in MPI_Recv, called from …" of the threads of `ranks`.
/// Empty if there are none.
[[nodiscard]] std::string describeThreads(const Trace &trace, const std::vector<OtherThread> &threads, const RankSet &ranks);

} // namespace laggard
