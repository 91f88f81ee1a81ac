// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/waitfor/SendsOfCall.h"

namespace laggard {

std::vector<std::size_t> sendsOfCall(const Trace &trace, Rank rank, CallPathId path, Tick until) {
    std::vector<std::size_t> found;
    const LocationEvents *events = trace.mainEvents(rank);
    for (std::size_t i = 0; events != nullptr && i < events->sends.size() && events->sends.time[i] <= until; ++i) {
        const std::uint32_t row = events->track.innermostAt(events->sends.time[i]);
        if (row != none && trace.isSameCall(events->track.callPath[row], path))
            found.push_back(i);
    }
    return found;
}

} // namespace laggard
