// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/words/Whereabouts.h"

#include "analysis/verdict/Describe.h"
#include "trace/MpiCall.h"

#include <algorithm>
#include <map>

namespace laggard {
namespace {

constexpr std::size_t mostAsked = 16; ///< ranks and rounds: more do not say more

const LocationEvents *eventsOf(const Trace &trace, const Activity &activity, Rank rank) {
    return activity.thread != none ? &trace.locations[activity.thread].events : trace.mainEvents(rank);
}

/// The row of the MPI call that was entered before `row`, or `none`.
std::uint32_t outermostMpiBefore(const Trace &trace, const Track &track, std::uint32_t row) {
    while (row-- > 0)
        if (isOutermostMpi(trace, track, row))
            return row;
    return none;
}

/// The MPI call that had returned last by `at`: its row, or `none`.
std::uint32_t lastReturned(const Trace &trace, const Track &track, Tick at) {
    const auto entered = std::upper_bound(track.start.begin(), track.start.end(), at);
    const std::uint32_t row = outermostMpiBefore(trace, track, static_cast<std::uint32_t>(entered - track.start.begin()));
    return row != none && track.end[row] <= at ? row : none;
}

/// What followed the call in the latest rounds, before row `end`, most often.
CallPathId usualFollower(const Trace &trace, const Track &track, CallPathId call, std::uint32_t end) {
    std::map<CallPathId, std::size_t> times;
    std::size_t rounds = 0;
    CallPathId following = none;
    for (std::uint32_t row = end; row-- > 0 && rounds < mostAsked;) {
        if (!isOutermostMpi(trace, track, row))
            continue;
        if (track.callPath[row] == call && following != none) {
            ++times[following];
            ++rounds;
        }
        following = track.callPath[row];
    }
    const auto most = std::ranges::max_element(times, {}, [](const auto &entry) { return entry.second; });
    return most != times.end() && 2 * most->second > rounds ? most->first : CallPathId{none};
}

/// The collective that another rank stands in, to which it came from the same call as this one made last: they go the same way.
CallPathId collectiveAhead(const Trace &trace, const WaitForGraph &waits, CallPathId call) {
    std::size_t asked = 0;
    for (Rank other = 0; other < waits.activities.size() && asked < mostAsked; ++other) {
        if (waits.activities[other].kind != Activity::Kind::Collective &&
            waits.activities[other].kind != Activity::Kind::Finalizing)
            continue;
        const LocationEvents *events = eventsOf(trace, waits.activities[other], other);
        if (events == nullptr)
            continue;
        ++asked;
        const Track &track = events->track;
        std::uint32_t row = track.innermostAt(waits.at);
        while (row != none && !isOutermostMpi(trace, track, row))
            row = track.parent[row];
        if (row == none)
            continue;
        const CallPathId open = track.callPath[row];
        const std::uint32_t before = outermostMpiBefore(trace, track, row);
        if (before != none && trace.isSameCall(track.callPath[before], call))
            return open;
    }
    return none;
}

CallPathId followerOf(const Trace &trace, const WaitForGraph &waits, Rank rank, const Track &own, std::uint32_t last) {
    const CallPathId call = own.callPath[last];
    CallPathId follower = collectiveAhead(trace, waits, call);
    if (follower == none)
        follower = usualFollower(trace, own, call, last);
    for (Rank other = 0; other < trace.processes.size() && other < mostAsked && follower == none; ++other) {
        const LocationEvents *events = other == rank ? nullptr : trace.mainEvents(other);
        if (events == nullptr)
            continue;
        const auto entered = std::upper_bound(events->track.start.begin(), events->track.start.end(), waits.at);
        follower = usualFollower(trace, events->track, call, static_cast<std::uint32_t>(entered - events->track.start.begin()));
    }
    return follower;
}

/// "between MPI_Waitall (step.c:40) and MPI_Allreduce (step.c:52)"; empty before the first MPI call.
std::string betweenCalls(const Trace &trace, const WaitForGraph &waits, Rank rank) {
    const LocationEvents *events = eventsOf(trace, waits.activities[rank], rank);
    if (events == nullptr)
        return {};
    const std::uint32_t last = lastReturned(trace, events->track, waits.at);
    if (last == none)
        return {};
    const CallPathId follower = followerOf(trace, waits, rank, events->track, last);
    const std::string before = nameWithPlace(trace, events->track.callPath[last]);
    return follower == none ? "after " + before : "between " + before + " and " + nameWithPlace(trace, follower);
}

std::string orBelow(const Trace &trace, CallPathId path, const std::string &between) {
    if (path == none)
        return between.empty() ? describeCall(trace, path) : "code " + between;
    // The line of a function that begins far above says less than the calls around the place, and is taken for it.
    return "or below " + (between.empty() ? describeCall(trace, path) : trace.region(path).name + ", " + between);
}

} // namespace

bool knowsFunctions(const Trace &trace, const WaitForGraph &waits, Rank rank) {
    const Activity &activity = waits.activities[rank];
    if (activity.kind != Activity::Kind::Computing || rank >= trace.processes.size())
        return true;
    const LocationEvents *events = eventsOf(trace, activity, rank);
    return events == nullptr || events->tellsFunctions;
}

bool isExactPlace(const Trace &trace, const WaitForGraph &waits, Rank rank) {
    return waits.activities[rank].site != none || knowsFunctions(trace, waits, rank);
}

std::string describeWhereabouts(const Trace &trace, const WaitForGraph &waits, Rank rank) {
    const Activity &activity = waits.activities[rank];
    if (isExactPlace(trace, waits, rank))
        return describeWithCaller(trace, activity.callPath, activity.site);
    return orBelow(trace, activity.callPath, betweenCalls(trace, waits, rank));
}

std::string describeWhereaboutsAt(const Trace &trace, Rank rank, CallPathId path, Tick at) {
    const LocationEvents *events = trace.mainEvents(rank);
    if (events == nullptr || events->tellsFunctions || path == none || trace.region(path).isMpi())
        return describeCall(trace, path);
    const Track &track = events->track;
    const std::uint32_t last = lastReturned(trace, track, at);
    const auto entered = std::upper_bound(track.start.begin(), track.start.end(), at);
    auto next = static_cast<std::uint32_t>(entered - track.start.begin());
    while (next < track.size() && !isOutermostMpi(trace, track, next))
        ++next;
    if (last == none || next >= track.size())
        return orBelow(trace, path, {});
    return orBelow(trace, path,
                   "between " + nameWithPlace(trace, track.callPath[last]) + " and " +
                       nameWithPlace(trace, track.callPath[next]));
}

std::string describeWhereabouts(const Trace &trace, const WaitForGraph &waits, const RankSet &ranks, CallSiteId commonSite) {
    const CallPathId path = waits.activities[ranks.front()].callPath;
    if (std::ranges::all_of(ranks, [&](Rank rank) { return isExactPlace(trace, waits, rank); }))
        return describeWithCaller(trace, path, commonSite);
    std::string between = betweenCalls(trace, waits, ranks.front());
    for (std::size_t i = 1; i < std::min(ranks.size(), mostAsked) && !between.empty(); ++i)
        if (betweenCalls(trace, waits, ranks[i]) != between)
            between.clear();
    return orBelow(trace, path, between);
}

} // namespace laggard
