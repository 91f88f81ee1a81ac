// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/delays/LongWaits.h"

#include <algorithm>

namespace laggard {
namespace {

constexpr std::size_t mostOfRank = 8;    // longest waits of one rank that are looked at
constexpr Tick leastPart = 2000;         // waits shorter than a 2,000th of a part are followed to their cause no farther
constexpr int mostHops = 16;             // from rank to rank, as charges are passed on (WaitCharges)
constexpr std::size_t mostLookedAt = 64; // longest waits for one rank whose call path is looked up

Tick lengthOf(const WaitSegment &wait) { return wait.end - wait.begin; }

/// The wait of a rank at `time`; nullptr if it does not wait then.
const WaitSegment *waitAt(const WaitSegments &waits, Tick time) {
    const auto next = std::ranges::upper_bound(waits, time, {}, &WaitSegment::begin);
    if (next == waits.begin())
        return nullptr;
    const WaitSegment &wait = *std::prev(next);
    return wait.end > time ? &wait : nullptr;
}

/// The rank at the end of the chain of waits.
Rank lastCause(const std::vector<WaitSegments> &segments, const WaitSegment &wait) {
    const Tick middle = wait.begin + lengthOf(wait) / 2;
    Rank cause = wait.cause;
    for (int step = 0; step < mostHops; ++step) {
        const WaitSegment *further = waitAt(segments[cause], middle);
        if (further == nullptr || further->cause == cause)
            break;
        cause = further->cause;
    }
    return cause;
}

CallPathId innermostPath(const Trace &trace, Rank rank, Tick time) {
    const LocationEvents *events = trace.mainEvents(rank);
    const std::uint32_t row = events == nullptr ? none : events->track.innermostAt(time);
    return row == none ? CallPathId{none} : events->track.callPath[row];
}

} // namespace

Tick lateIn(TimeRange wait) {
    constexpr Tick part = 20;
    return wait.end - std::max<Tick>(1, wait.length() / part);
}

std::vector<LongWait> longestWaits(const std::vector<WaitSegments> &segments, std::size_t most) {
    std::vector<LongWait> candidates;
    for (Rank rank = 0; rank < segments.size(); ++rank) {
        WaitSegments longest(std::min(mostOfRank, segments[rank].size()));
        std::partial_sort_copy(segments[rank].begin(), segments[rank].end(), longest.begin(), longest.end(),
                               [](const WaitSegment &a, const WaitSegment &b) { return lengthOf(a) > lengthOf(b); });
        for (const WaitSegment &wait : longest)
            candidates.push_back({{wait.begin, wait.end}, rank, wait.cause});
    }
    std::ranges::stable_sort(candidates, [](const LongWait &a, const LongWait &b) { return a.time.length() > b.time.length(); });
    std::vector<LongWait> found;
    for (const LongWait &wait : candidates) {
        const bool isKnown = std::ranges::any_of(found, [&wait](const LongWait &other) {
            return wait.time.begin < other.time.end && other.time.begin < wait.time.end;
        });
        if (!isKnown && found.size() < most)
            found.push_back(wait);
    }
    return found;
}

DelayedRanks ranksDelayedBy(const Trace &trace, const std::vector<WaitSegments> &segments, Rank cause, CallPathId callPath,
                            TimeRange part) {
    DelayedRanks delayed;
    std::vector<Tick> waited(segments.size(), 0);
    std::vector<WaitSegment> direct; // for the rank itself
    for (Rank rank = 0; rank < segments.size(); ++rank)
        for (const WaitSegment &wait : segments[rank]) {
            const bool isIn = rank != cause && wait.begin < part.end && wait.end > part.begin;
            const bool isLong = lengthOf(wait) >= part.length() / leastPart;
            if (!isIn || (wait.cause != cause && (!isLong || lastCause(segments, wait) != cause)))
                continue;
            waited[rank] += lengthOf(wait);
            direct.push_back(wait);
        }
    const Tick most = waited.empty() ? 0 : *std::ranges::max_element(waited);
    Tick sum = 0;
    for (Rank rank = 0; rank < waited.size(); ++rank)
        if (waited[rank] > 0 && waited[rank] >= most / 10) {
            delayed.ranks.push_back(rank);
            sum += waited[rank];
        }
    if (!delayed.ranks.empty())
        delayed.seconds = static_cast<double>(sum) / static_cast<double>(delayed.ranks.size()) /
                          static_cast<double>(trace.clock.ticksPerSecond);
    const std::size_t looked = std::min(mostLookedAt, direct.size());
    std::ranges::partial_sort(direct, direct.begin() + static_cast<std::ptrdiff_t>(looked),
                              [](const WaitSegment &a, const WaitSegment &b) { return lengthOf(a) > lengthOf(b); });
    for (std::size_t i = 0; i < looked; ++i) {
        const WaitSegment &wait = direct[i];
        const bool isThere = innermostPath(trace, cause, wait.begin + lengthOf(wait) / 2) == callPath;
        if (!delayed.worst || isThere)
            delayed.worst = TimeRange{wait.begin, wait.end};
        if (isThere)
            break;
    }
    return delayed;
}

} // namespace laggard
