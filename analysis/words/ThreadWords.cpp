// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/words/ThreadWords.h"

#include "analysis/verdict/Describe.h"

#include <algorithm>

namespace laggard {
namespace {

/// "pthread_join, called from main (a.c:3)"; empty for `none`.
std::string describeMainWait(const Trace &trace, const LocationEvents &main, std::uint32_t row) {
    if (row == none)
        return {};
    const CallSiteId site = row == main.track.innermostOpen() ? main.stoppedAt : CallSiteId{none};
    return describeCall(trace, main.track.callPath[row], site);
}

/// Threads of one name, of ranks whose main threads wait for them in one place.
struct AwaitedThreads {
    std::string name;
    std::string mainWait; ///< empty: not known
    bool isSeen = true;   ///< that the main threads wait
    RankSet ranks;
};

std::string describe(const AwaitedThreads &threads) {
    const bool one = threads.ranks.size() == 1;
    const std::string text =
        " That is " + threads.name + " of " + (one ? "" : "each of ") + describeRankSet(threads.ranks) + "; ";
    if (!threads.isSeen)
        return text + (one ? "where its main thread is was not seen, so that it may wait for this one, or compute."
                           : "where their main threads are was not seen, so that these may wait for them, or compute.");
    return text + (one ? "its main thread waits" : "their main threads wait") +
           (threads.mainWait.empty() ? "" : " in " + threads.mainWait) + ".";
}

} // namespace

std::string describeThreads(const Trace &trace, const std::vector<OtherThread> &threads, const RankSet &ranks) {
    constexpr std::size_t mostPlaces = 4;
    struct Place {
        const OtherThread *first;
        RankSet ranks;
    };
    std::vector<Place> places;
    const auto nameOf = [&](const OtherThread &thread) -> const std::string & { return trace.locations[thread.location].name; };
    for (const OtherThread &thread : threads) {
        if (thread.isAwaited || !contains(ranks, thread.rank))
            continue;
        const auto same = std::ranges::find_if(places, [&](const Place &place) {
            return place.first->callPath == thread.callPath && place.first->site == thread.site &&
                   nameOf(*place.first) == nameOf(thread) && place.first->waitsFor.empty() == thread.waitsFor.empty();
        });
        if (same != places.end())
            same->ranks.push_back(thread.rank);
        else
            places.push_back({&thread, {thread.rank}});
    }
    std::string text;
    for (std::size_t i = 0; i < places.size() && i < mostPlaces; ++i) {
        const OtherThread &thread = *places[i].first;
        text += (i == 0 ? "" : "; ") + nameOf(thread) + " of " + describeRankSet(places[i].ranks) + " is in " +
                describeCall(trace, thread.callPath, thread.site);
        if (places[i].ranks.size() == 1 && !thread.waitsFor.empty())
            text += ", which waits for " + describeRankSet(thread.waitsFor);
    }
    return text + (places.size() > mostPlaces ? "; others elsewhere" : "");
}

std::string describeAwaitedThreads(const Trace &trace, const WaitForGraph &waits, const RankSet &ranks) {
    constexpr std::size_t mostPlaces = 3;
    std::vector<AwaitedThreads> groups;
    for (const Rank rank : ranks) {
        const Activity &activity = waits.activities[rank];
        const LocationEvents *main = trace.mainEvents(rank);
        if (activity.thread == none || main == nullptr || (ranks.size() == 1 && lockWaitOf(trace, waits, rank) != none))
            continue;
        constexpr double evens = 0.5;
        const bool isSeen = activity.certainty >= evens;
        const std::uint32_t row = main->track.innermostAt(waits.at);
        AwaitedThreads group{
            trace.locations[activity.thread].name, isSeen ? describeMainWait(trace, *main, row) : "", isSeen, {}};
        auto same = std::ranges::find_if(groups, [&](const AwaitedThreads &each) {
            return each.name == group.name && each.mainWait == group.mainWait && each.isSeen == group.isSeen;
        });
        if (same == groups.end())
            same = groups.insert(groups.end(), std::move(group));
        same->ranks.push_back(rank);
    }
    std::string text;
    for (std::size_t i = 0; i < groups.size() && i < mostPlaces; ++i)
        text += describe(groups[i]);
    return text;
}

std::string lockWaitClause(const Trace &trace, const WaitForGraph &waits, Rank rank) {
    const std::uint32_t row = lockWaitOf(trace, waits, rank);
    if (row == none)
        return {};
    const Activity &activity = waits.activities[rank];
    return "its main thread waits for a lock in " + describeMainWait(trace, *trace.mainEvents(rank), row) +
           ", of which it is not recorded who holds it (" + trace.locations[activity.thread].name + " is in " +
           describeCall(trace, activity.callPath, activity.site) + ")";
}

} // namespace laggard
