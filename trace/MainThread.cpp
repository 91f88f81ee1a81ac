// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace/MainThread.h"

#include <algorithm>

namespace laggard {

bool hasMainThread(const Trace &trace, Rank rank) {
    const LocationEvents *events = trace.mainEvents(rank);
    return events != nullptr && !events->track.empty();
}

RankSet ranksWithoutMainThread(const Trace &trace) {
    RankSet without;
    bool hasOthers = false;
    for (Rank rank = 0; rank < trace.processes.size(); ++rank) {
        if (!trace.isRead(rank))
            continue;
        if (hasMainThread(trace, rank))
            hasOthers = true;
        else if (std::ranges::any_of(trace.processes[rank].locations,
                                     [&](LocationIndex location) { return trace.locations[location].eventCount != 0; }))
            without.push_back(rank);
    }
    return hasOthers ? without : RankSet{};
}

} // namespace laggard
