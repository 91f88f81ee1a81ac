// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/waitfor/JobView.h"
#include "analysis/waitfor/WaitForGraph.h"

namespace laggard {

/// Appends the waits of ranks in point-to-point calls, and fills `need` of their activities (MPI 3.1 §3).
void findPointToPointWaits(const JobView &job, std::vector<Wait> &waits);

/// Appends the waits of ranks in collectives, MPI_Init and MPI_Finalize, one for each instance of a communicator, and fills
/// `need` of their activities (MPI 3.1 §5). Linear in ranks.
void findCollectiveWaits(const JobView &job, std::vector<Wait> &waits);

/// Appends the waits of ranks in calls of one-sided synchronisation: for a lock that another rank holds, for the post or the
/// completion of an epoch (MPI 3.1 §11.5), and fills `need` of their activities. Recordings only.
void findOneSidedWaits(const JobView &job, std::vector<Wait> &waits);

/// Appends the waits of ranks for the lock of a file that another one has (fcntl(2), flock(2)), as the system tells it, and fills
/// `need` of their activities. Recordings only.
void findFileLockWaits(const JobView &job, std::vector<Wait> &waits);

/// Appends the disagreements of ranks that make a communicator by a group, or by two, about its tag or the leaders of the two
/// groups (MPI 3.1 §6.4.2, §6.6.2), where all of them have stood in the call for longer than it takes. Recordings only. Linear in
/// ranks.
void findMakingMismatches(const JobView &job, std::vector<Wait> &waits);

} // namespace laggard
