// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/waitfor/ShortReceiver.h"

#include "analysis/waitfor/ReceivedMessages.h"

#include <algorithm>
#include <map>

namespace laggard {
namespace {

constexpr std::uint32_t fewestTimes = 2; ///< as for rounds (LeftOutActs): once is no habit
constexpr std::size_t fewestServed = 2;

/// Ranks that stand in sends to this one.
RankSet sendersTo(const std::vector<Wait> &waits, Rank rank) {
    RankSet senders;
    for (const Wait &wait : waits)
        if (wait.isSend && wait.mismatch == Wait::Mismatch::None && contains(wait.on, rank))
            senders.insert(senders.end(), wait.waiters.begin(), wait.waiters.end());
    std::ranges::sort(senders);
    senders.erase(std::unique(senders.begin(), senders.end()), senders.end());
    return senders;
}

std::optional<ShortReceiver> shortReceiver(const JobView &job, const std::vector<Wait> &waits, Rank rank) {
    ShortReceiver found{.rank = rank, .senders = sendersTo(waits, rank), .served = {}};
    const LocationEvents *events = job.trace.mainEvents(rank);
    if (found.senders.empty() || events == nullptr || job.trace.isSummary || job.trace.processes[rank].eventsFrom != 0 ||
        job.trace.isDamaged(rank))
        return std::nullopt;
    std::map<CallPathId, std::map<Rank, std::uint32_t>> received;
    for (std::uint32_t i = 0; i < events->receives.size() && events->receives.time[i] <= job.state.at; ++i) {
        const Rank from = events->envelopes[events->receives.envelope[i]].peer;
        const CallPathId path = receivingCall(*events, i);
        if (path == none)
            continue;
        ++received[path][from];
        if (contains(found.senders, from))
            found.callPath = path;
    }
    if (found.callPath == none || (job.isInMpi(rank) && job.state.tasks[rank].mpiPath == found.callPath))
        return std::nullopt;
    std::map<Rank, std::uint32_t> &times = received[found.callPath];
    found.times = times[found.senders.front()];
    for (const Rank sender : found.senders)
        if (times[sender] != found.times)
            return std::nullopt;
    for (const auto &[from, number] : times) {
        if (contains(found.senders, from))
            continue;
        if (number != found.times + 1)
            return std::nullopt;
        found.served.push_back(from);
    }
    return found.times >= fewestTimes && found.served.size() >= fewestServed ? std::optional(found) : std::nullopt;
}

} // namespace

std::optional<ShortReceiver> onlyShortReceiver(const JobView &job, const std::vector<Wait> &waits, const RankSet &members) {
    std::optional<ShortReceiver> only;
    for (const Rank rank : members) {
        std::optional<ShortReceiver> found = shortReceiver(job, waits, rank);
        if (found && only)
            return std::nullopt;
        if (found)
            only = std::move(found);
    }
    return only;
}

} // namespace laggard
