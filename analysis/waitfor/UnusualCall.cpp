// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/waitfor/UnusualCall.h"

#include "analysis/waitfor/CallHistory.h"

namespace laggard {
CallHabit habitOf(const JobView &job, Rank rank, UnusualCall &unusual) {
    const std::uint32_t row = job.trace.isSummary ? none : job.openRow(rank);
    if (row == none)
        return CallHabit::Unknown;
    const CallHistory history(job.trace, job.calls, job.trace.locations[job.location(rank)].events, job.state.at, row);
    const Precedent next = history.next();
    constexpr double mostlySo = 0.6; // earlier rounds may have ended loops here
    if (next.step == none || next.confidence < mostlySo)
        return CallHabit::Unknown;
    const CallPathId expected = history.steps()[next.step].path;
    if (expected == job.state.tasks[rank].mpiPath)
        return CallHabit::Usual;
    unusual = {expected, next.right, next.confidence};
    return CallHabit::Unusual;
}

std::optional<Rank> onlyUnusual(const JobView &job, const RankSet &ranks, UnusualCall &unusual) {
    constexpr std::size_t mostRanks = 256; // each costs its history
    std::optional<Rank> only;
    std::size_t usual = 0;
    for (std::size_t i = 0; i < ranks.size() && i < mostRanks; ++i) {
        UnusualCall call;
        const CallHabit habit = habitOf(job, ranks[i], call);
        usual += habit == CallHabit::Usual ? 1 : 0;
        if (habit != CallHabit::Unusual)
            continue;
        if (only)
            return std::nullopt;
        only = ranks[i];
        unusual = call;
    }
    return usual != 0 ? only : std::nullopt;
}

} // namespace laggard
