// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/words/FailedCalls.h"

#include "trace/Phrases.h"
#include "trace/Quantity.h"

namespace laggard {

std::string describeFailedCalls(const Trace &trace, Tick at) {
    Rank rank = none;
    CallPathId call = none;
    Tick first = openEnd;
    std::uint64_t count = 0;
    for (const Location &location : trace.locations) {
        const Track &track = location.events.track;
        for (const std::uint32_t row : location.events.failed) {
            if (track.end[row] > at)
                continue;
            ++count;
            if (track.end[row] >= first)
                continue;
            first = track.end[row];
            rank = location.rank;
            call = track.callPath[row];
        }
    }
    if (count == 0)
        return {};
    return " " + nameWithPlace(trace, call) + " returned an error to " + describeRankSet({rank}) + ", at " +
           describeDuration(trace.seconds(first)) + (count == 1 ? "." : "; so did " + plural(count - 1, "later call") + ".");
}

} // namespace laggard
