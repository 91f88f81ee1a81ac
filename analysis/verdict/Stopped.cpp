// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/verdict/Stopped.h"

#include "analysis/verdict/Describe.h"

namespace laggard {

RankSet stoppedRanks(const Trace &trace) {
    RankSet ranks;
    for (Rank rank = 0; rank < trace.processes.size(); ++rank)
        if (trace.processes[rank].end.kind == ProcessEnd::Kind::Running && trace.processes[rank].end.isStopped)
            ranks.push_back(rank);
    return ranks;
}

std::string describeStopped(const Trace &trace) {
    const RankSet ranks = stoppedRanks(trace);
    if (ranks.empty())
        return {};
    return (ranks.size() == 1 ? "The process of " : "The processes of ") + describeRankSet(ranks) +
           (ranks.size() == 1 ? " is" : " are") + " stopped (SIGSTOP or a debugger).";
}

} // namespace laggard
