// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/waitfor/Waits.h"

namespace laggard {

void findFileLockWaits(const JobView &job, std::vector<Wait> &waits) {
    // It may have got the lock since it was looked at, and do what is not recorded.
    constexpr double seenOnce = 0.9;
    for (Rank rank = 0; rank < job.size(); ++rank) {
        const Process &process = job.trace.processes[rank];
        Activity &activity = job.activity(rank);
        const bool mayWait = activity.kind == Activity::Kind::Computing || activity.kind == Activity::Kind::OtherMpi;
        if (process.fileLockOf >= job.size() || process.fileLockOf == rank || process.fileLockSeen > job.state.at || !mayWait)
            continue;
        activity.need = Activity::Need::Missing;
        activity.confidence = seenOnce;
        waits.push_back({.kind = Wait::Kind::FileLock,
                         .waiters = {rank},
                         .on = {process.fileLockOf},
                         .confidence = seenOnce,
                         .evidence = "rank " + std::to_string(rank) + " waits in " + job.functionOf(rank) +
                                     " for the lock of a file that rank " + std::to_string(process.fileLockOf) + " has",
                         .isLock = true});
    }
}

} // namespace laggard
