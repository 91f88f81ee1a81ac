// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/delays/UnfinishedWaits.h"

#include <algorithm>

namespace laggard {
namespace {

constexpr std::size_t mostApart =
    16; // named ranks that are followed one by one: as far as delays are passed on (WaitCharges.cpp)

/// Which waits are for a rank.
std::vector<std::vector<std::uint32_t>> waitsByCause(const WaitForGraph &waits) {
    std::vector<std::vector<std::uint32_t>> byCause(waits.activities.size());
    for (std::uint32_t i = 0; i < waits.waits.size(); ++i)
        for (const Rank rank : waits.waits[i].on)
            if (rank < byCause.size())
                byCause[rank].push_back(i);
    return byCause;
}

/// True for each rank that waits for one of `named`, directly or through others.
std::vector<bool> whoWaitsFor(const RankSet &named, const WaitForGraph &waits,
                              const std::vector<std::vector<std::uint32_t>> &byCause) {
    std::vector<bool> waiting(byCause.size());
    std::vector<bool> isDone(waits.waits.size());
    std::vector<Rank> next(named.begin(), named.end());
    while (!next.empty()) {
        const Rank rank = next.back();
        next.pop_back();
        if (rank >= byCause.size())
            continue;
        for (const std::uint32_t wait : byCause[rank]) {
            if (isDone[wait])
                continue;
            isDone[wait] = true;
            for (const Rank waiter : waits.waits[wait].waiters)
                if (waiter < waiting.size() && !waiting[waiter]) {
                    waiting[waiter] = true;
                    next.push_back(waiter);
                }
        }
    }
    return waiting;
}

} // namespace

UnfinishedWaits findUnfinishedWaits(const Trace &trace, const WaitForGraph &waits) {
    const std::size_t ranks = waits.activities.size();
    UnfinishedWaits result;
    result.waitedSeconds.resize(ranks);
    result.causedSeconds.resize(ranks);
    result.isNobodys = waits.verdict.ranks.empty() && !waits.waits.empty();
    const auto byCause = waitsByCause(waits);
    std::vector<RankSet> sets;
    if (waits.verdict.ranks.size() > mostApart)
        sets.push_back(waits.verdict.ranks);
    else
        for (const Rank rank : waits.verdict.ranks)
            sets.push_back({rank});
    std::vector<std::vector<std::uint32_t>> causes(ranks); // by rank, places in `sets`
    for (std::uint32_t i = 0; i < sets.size(); ++i) {
        const std::vector<bool> waiting = whoWaitsFor(sets[i], waits, byCause);
        for (Rank rank = 0; rank < ranks; ++rank)
            if (waiting[rank] && (sets[i] != RankSet{rank} || waits.verdict.ranks.size() == 1))
                causes[rank].push_back(i);
    }
    const double perSecond = static_cast<double>(trace.clock.ticksPerSecond);
    std::vector<double> caused(sets.size()); // in sum
    for (Rank rank = 0; rank < ranks; ++rank) {
        if (causes[rank].empty() || waits.activities[rank].since >= waits.at)
            continue;
        const double seconds = static_cast<double>(waits.at - waits.activities[rank].since) / perSecond;
        result.waitedSeconds[rank] = seconds;
        result.waiting += seconds;
        for (const std::uint32_t cause : causes[rank])
            caused[cause] += seconds / static_cast<double>(causes[rank].size());
    }
    for (std::size_t i = 0; i < sets.size(); ++i)
        for (const Rank named : sets[i])
            result.causedSeconds[named] += caused[i] / static_cast<double>(sets[i].size());
    return result;
}

} // namespace laggard
