// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/words/FailedCalls.h"

#include "trace/Phrases.h"
#include "trace/Quantity.h"

#include <algorithm>
#include <vector>

namespace laggard {
namespace {

/// A call that returned errors: an operation at one line.
struct FailedCall {
    CallPathId call = none;
    Tick first = openEnd;
    RankSet ranks; ///< sorted
    std::uint64_t times = 0;
};

/// In the order in which they failed first.
std::vector<FailedCall> failedCalls(const Trace &trace, Tick at) {
    std::vector<FailedCall> calls;
    for (const Location &location : trace.locations) {
        const Track &track = location.events.track;
        for (const std::uint32_t row : location.events.failed) {
            if (track.end[row] > at)
                continue;
            const CallPathId path = track.callPath[row];
            auto same = std::ranges::find_if(calls, [&](const FailedCall &c) { return trace.isSameCall(c.call, path); });
            if (same == calls.end())
                same = calls.insert(calls.end(), {path, openEnd, {}, 0});
            same->first = std::min(same->first, track.end[row]);
            ++same->times;
            if (const auto place = std::ranges::lower_bound(same->ranks, location.rank);
                place == same->ranks.end() || *place != location.rank)
                same->ranks.insert(place, location.rank);
        }
    }
    std::ranges::stable_sort(calls, {}, &FailedCall::first);
    return calls;
}

std::string describeRanks(const Trace &trace, const RankSet &ranks) {
    if (ranks.size() < 2 || ranks.size() != trace.processes.size())
        return describeRankSet(ranks);
    return ranks.size() == 2 ? std::string("both ranks") : "all " + plural(ranks.size(), "rank");
}

/// " (12 times)", where some rank got more than one.
std::string timesClause(const FailedCall &call) {
    return call.times == call.ranks.size() ? std::string() : " (" + plural(call.times, "time") + ")";
}

} // namespace

std::string describeFailedCalls(const Trace &trace, Tick at) {
    constexpr std::size_t mostLater = 3;
    const std::vector<FailedCall> calls = failedCalls(trace, at);
    if (calls.empty())
        return {};
    const FailedCall &first = calls.front();
    std::string text = " " + nameWithPlace(trace, first.call) + " returned an error to " + describeRanks(trace, first.ranks) +
                       ", " + (first.times == 1 ? "" : "first ") + "at " + describeDuration(trace.seconds(first.first)) +
                       timesClause(first);
    for (std::size_t i = 1; i < calls.size() && i <= mostLater; ++i) {
        const bool isLast = i + 1 == std::min(calls.size(), mostLater + 1);
        text += (i == 1                                    ? "; so did later "
                 : isLast && calls.size() <= mostLater + 1 ? " and "
                                                           : ", ") +
                nameWithPlace(trace, calls[i].call) +
                (calls[i].ranks == first.ranks ? std::string() : " to " + describeRanks(trace, calls[i].ranks)) +
                timesClause(calls[i]);
    }
    if (calls.size() > mostLater + 1)
        text += " and calls at " + plural(calls.size() - mostLater - 1, "other place");
    return text + ".";
}

} // namespace laggard
