// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/semimarkov/Histories.h"
#include "trace/Work.h"

#include <vector>

namespace laggard {

/// How a rank computes, compared with ranks that compute the same.
struct LikeComputation {
    double slowness = 0; ///< its time over what the others take for as many of the same computations; 0: nobody to compare with
    double lost = 0;     ///< seconds by which it is longer; 0 where it is not
    bool steadily =
        false; ///< its quickest quarter takes longer than the others' slowest one: not by a few odd times, as on a busy machine
};

/// By rank, all that it computes from `since` on in the judged run. Like is compared with like: a computation is a state (the
/// code between two MPI calls, by call path) and how it is left; its median on the rank, if it was there five times or more, with
/// the median of those of the other ranks, if two or more were there as often. What the root of a gather or a reduction does with
/// the result is left out: others are in the same state and have nothing to do. Nothing is said about a rank if less than half of
/// its computation can be compared. `steadily` compares the rank's lower quartiles with the median of the others' upper
/// quartiles. Throws Cancelled.
[[nodiscard]] std::vector<LikeComputation> compareLike(const Trace &trace, const Histories &histories, Tick since,
                                                       const Work &work);

/// Seconds that a rank of the judged run lost from a moment on, as its computations take longer than before. Each computation
/// that it made three times or more on either side counts: the share by which its median has grown, times all the time that it
/// took from then on. A median alone says little where times differ by the level of a grid.
[[nodiscard]] double lostSince(const Histories &histories, Rank rank, Tick since);

} // namespace laggard
