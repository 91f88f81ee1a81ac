// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/waitfor/UnusualCall.h"

#include "analysis/waitfor/CallHistory.h"

namespace laggard {
namespace {

constexpr std::size_t mostRanks = 256; ///< that are asked, as each costs its history: of more, nobody is said to be the only one

std::optional<OddCommunicator> oddCommunicator(const JobView &job, Rank rank) {
    constexpr std::uint32_t fewestTimes = 3; // as for other habits (Judge)
    const OpenCall &open = job.open(rank);
    const LocationIndex location = job.location(rank);
    if (!open.isCollective || open.collective.communicator == none || location >= job.trace.locations.size() ||
        job.trace.processes[rank].eventsFrom != 0 || job.trace.isDamaged(rank)) // what is lost may have been otherwise
        return std::nullopt;
    const LocationEvents &events = job.trace.locations[location].events;
    OddCommunicator odd{.rank = rank};
    for (std::size_t i = 0; i < events.collectives.size(); ++i) {
        const std::uint32_t row = events.collectives.row[i];
        const CommunicatorId on = events.collectiveKinds[events.collectives.kind[i]].communicator;
        if (row == none || events.collectives.end[i] > job.state.at ||
            events.track.callPath[row] != job.state.tasks[rank].mpiPath)
            continue;
        if (on == none || on == open.collective.communicator || (odd.usual != none && on != odd.usual))
            return std::nullopt;
        odd.usual = on;
        ++odd.times;
    }
    const double n = odd.times;
    odd.confidence = (n + 1) / (n + 2);
    return odd.times < fewestTimes ? std::nullopt : std::optional(odd);
}

} // namespace

CallHabit habitOf(const JobView &job, Rank rank, UnusualCall &unusual) {
    const std::uint32_t row = job.trace.isSummary ? none : job.openRow(rank);
    if (row == none)
        return CallHabit::Unknown;
    const CallHistory history(job.trace, job.calls, job.events(rank), job.state.at, row);
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
    std::optional<Rank> only;
    std::size_t usual = 0;
    if (ranks.size() > mostRanks)
        return std::nullopt;
    for (const Rank rank : ranks) {
        UnusualCall call;
        const CallHabit habit = habitOf(job, rank, call);
        usual += habit == CallHabit::Usual ? 1 : 0;
        if (habit != CallHabit::Unusual)
            continue;
        if (only)
            return std::nullopt;
        only = rank;
        unusual = call;
    }
    return usual != 0 ? only : std::nullopt;
}

std::optional<OddCommunicator> onlyOddCommunicator(const JobView &job, const RankSet &ranks) {
    std::optional<OddCommunicator> only;
    if (ranks.size() > mostRanks || job.trace.isSummary)
        return std::nullopt;
    for (const Rank rank : ranks)
        if (const std::optional<OddCommunicator> odd = oddCommunicator(job, rank)) {
            if (only)
                return std::nullopt;
            only = odd;
        }
    return only;
}

} // namespace laggard
