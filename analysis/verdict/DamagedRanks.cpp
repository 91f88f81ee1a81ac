// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/verdict/DamagedRanks.h"

namespace laggard {

RankSet damagedRanks(const Trace &trace) {
    RankSet damaged;
    for (Rank rank = 0; rank < trace.processes.size(); ++rank)
        if (trace.isDamaged(rank))
            damaged.push_back(rank);
    return damaged;
}

} // namespace laggard
