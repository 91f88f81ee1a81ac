// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/verdict/OtherThreads.h"

#include "analysis/verdict/Describe.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace laggard {
namespace {

using Kind = Activity::Kind;

RankSet senders(const LocationEvents &events) {
    RankSet ranks;
    if (events.openParts)
        for (const OpenParts::Receive &receive : events.openParts->receives)
            if (receive.from != none)
                ranks.push_back(receive.from);
    std::sort(ranks.begin(), ranks.end());
    ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
    return ranks;
}

bool contains(const RankSet &ranks, Rank rank) { return std::binary_search(ranks.begin(), ranks.end(), rank); }

bool isOver(const Activity &activity) { return activity.kind == Kind::Finished || activity.kind == Kind::Unknown; }

} // namespace

std::vector<OtherThread> findOtherThreads(const Trace &trace, Tick at) {
    std::vector<OtherThread> threads;
    if (!trace.tellsOpenCalls)
        return threads;
    for (Rank rank = 0; rank < trace.processes.size(); ++rank)
        for (const LocationIndex number : trace.processes[rank].locations) {
            const Location &location = trace.locations[number];
            const Track &track = location.events.track;
            if (number == trace.processes[rank].mainLocation || location.kind != LocationKind::Thread || at < location.lastEvent)
                continue;
            const std::uint32_t row = track.innermostOpen();
            if (row == none || track.start[row] > at)
                continue;
            const CallPathId path = track.callPath[row];
            const bool isInMpi = trace.region(path).isMpi();
            threads.push_back({rank, number, path, location.events.stoppedAt, track.start[row], isInMpi,
                               isInMpi ? senders(location.events) : RankSet{}});
        }
    return threads;
}

bool waitsForThreads(const Trace &trace, const Activity &activity) {
    if (activity.kind != Kind::Computing || activity.callPath == none)
        return false;
    // Functions that libraries keep to themselves have no names without debug information. In libc those in which a thread stays
    // for long are waits: pthread_join and its like.
    static constexpr auto begins = std::to_array<std::string_view>(
        {"pthread_", "__pthread_", "thrd_", "cnd_", "sem_", "futex", "__futex", "std::thread::join", "std::jthread::join",
         "std::condition_variable", "GOMP_", "gomp_", "__kmp", "omp_", "libc.so.6+0x", "libgomp.so", "libomp.so", "libiomp5.so"});
    const std::string_view name = trace.region(activity.callPath).name;
    return std::ranges::any_of(begins, [&](std::string_view begin) { return name.starts_with(begin); });
}

ThreadHang findThreadHang(const Trace &trace, const WaitForGraph &waits, const std::vector<OtherThread> &threads) {
    RankSet held; // main threads that wait for threads of their own
    for (Rank rank = 0; rank < waits.activities.size(); ++rank) {
        const Activity &activity = waits.activities[rank];
        if (waitsForThreads(trace, activity))
            held.push_back(rank);
        else if (!isOver(activity) && activity.kind != Kind::Collective && activity.kind != Kind::PointToPoint)
            return {}; // it may go on
    }
    RankSet waiting;
    RankSet awaited;
    RankSet computing;
    for (const OtherThread &thread : threads) {
        if (!contains(held, thread.rank))
            continue;
        (thread.isInMpi ? waiting : computing).push_back(thread.rank);
        awaited.insert(awaited.end(), thread.waitsFor.begin(), thread.waitsFor.end());
    }
    for (RankSet *ranks : {&waiting, &awaited, &computing}) {
        std::sort(ranks->begin(), ranks->end());
        ranks->erase(std::unique(ranks->begin(), ranks->end()), ranks->end());
    }
    // Where another thread of the rank waits in MPI, the one that computes holds the job up only if some rank waits for this one.
    ThreadHang hang;
    std::ranges::copy_if(computing, std::back_inserter(hang.ranks),
                         [&](Rank rank) { return contains(awaited, rank) || !contains(waiting, rank); });
    if (!hang.ranks.empty())
        hang.why = "a thread computes that the main thread waits for";
    else if (!waiting.empty()) {
        hang.ranks = waiting;
        hang.why = "a thread waits in MPI that the main thread waits for";
    }
    return hang;
}

std::string describeThreads(const Trace &trace, const std::vector<OtherThread> &threads, const RankSet &ranks) {
    constexpr std::size_t mostPlaces = 4;
    struct Place {
        const OtherThread *first;
        RankSet ranks;
    };
    std::vector<Place> places;
    const auto nameOf = [&](const OtherThread &thread) -> const std::string & { return trace.locations[thread.location].name; };
    for (const OtherThread &thread : threads) {
        if (!contains(ranks, thread.rank))
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

} // namespace laggard
