// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/verdict/OtherThreads.h"

#include <algorithm>
#include <string_view>

namespace laggard {
namespace {

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

/// pthread_mutex_lock, std::mutex::lock, pthread_rwlock_wrlock and their like: who holds the lock is in no record.
bool isLock(std::string_view function) {
    return function.find("mutex") != std::string_view::npos || function.find("rwlock") != std::string_view::npos ||
           function.find("spin_lock") != std::string_view::npos || function.find("lll_lock_wait") != std::string_view::npos;
}

} // namespace

std::vector<OtherThread> findOtherThreads(const Trace &trace, const WaitForGraph &waits) {
    const Tick at = waits.at;
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
                               waits.activities[rank].thread == number, isInMpi ? senders(location.events) : RankSet{}});
        }
    return threads;
}

std::uint32_t lockWaitOf(const Trace &trace, const WaitForGraph &waits, Rank rank) {
    const Activity &activity = waits.activities[rank];
    const LocationEvents *main = trace.mainEvents(rank);
    if (activity.thread == none || activity.kind != Activity::Kind::Computing || main == nullptr)
        return none;
    const std::uint32_t row = main->track.innermostAt(waits.at);
    return row == none || !isLock(trace.region(main->track.callPath[row]).name) ? none : row;
}

} // namespace laggard
