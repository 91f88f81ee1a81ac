// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/waitfor/ShortReceiver.h"

#include "analysis/waitfor/ReceivedMessages.h"

#include <algorithm>
#include <map>

namespace laggard {
namespace {

constexpr std::uint32_t fewestTimes = 2; ///< as for rounds (LeftOutActs): once is no habit
constexpr std::size_t fewestServed = 2;

/// Ranks that stand in sends, by whom these are to.
std::map<Rank, RankSet> sendersByReceiver(const std::vector<Wait> &waits) {
    std::map<Rank, RankSet> senders;
    for (const Wait &wait : waits)
        for (std::size_t i = 0; wait.isSend && wait.mismatch == Wait::Mismatch::None && i < wait.on.size(); ++i)
            senders[wait.on[i]].insert(senders[wait.on[i]].end(), wait.waiters.begin(), wait.waiters.end());
    for (auto &[receiver, all] : senders) {
        std::ranges::sort(all);
        all.erase(std::unique(all.begin(), all.end()), all.end());
    }
    return senders;
}

/// True if the rank has made its present call before while it was collecting: then it may do so now.
bool isWithinCollecting(const JobView &job, const ShortReceiver &found, const std::map<Rank, std::uint32_t> &all) {
    if (!job.isInMpi(found.rank))
        return false;
    const LocationEvents &events = *job.trace.mainEvents(found.rank);
    const CallPathId open = job.state.tasks[found.rank].mpiPath;
    std::map<Rank, std::uint32_t> times;
    std::map<std::uint32_t, std::size_t> sendersWith; // so many messages
    for (const auto &[from, number] : all)
        times[from] = 0;
    sendersWith[0] = all.size();
    std::size_t complete = 0; // senders of all whose messages that was
    std::uint32_t receive = 0;
    for (std::uint32_t row = 0; row < events.track.size() && row < job.openRow(found.rank); ++row) {
        if (events.track.callPath[row] != open)
            continue;
        for (; receive < events.receives.size() && events.receives.time[receive] <= events.track.start[row]; ++receive)
            if (receivingCall(events, receive) == found.callPath) {
                const auto sender = times.find(events.envelopes[events.receives.envelope[receive]].peer);
                if (auto old = sendersWith.find(sender->second); --old->second == 0)
                    sendersWith.erase(old);
                ++sendersWith[++sender->second];
                complete += sender->second == all.at(sender->first) ? 1 : 0;
            }
        if (sendersWith.size() > 1 && complete < all.size()) // it was uneven, and it went on collecting
            return true;
    }
    return false;
}

std::optional<ShortReceiver> shortReceiver(const JobView &job, Rank rank, const RankSet &senders) {
    ShortReceiver found{.rank = rank, .senders = senders, .served = {}};
    if (!areWhole(job, rank, &LocationEvents::receives))
        return std::nullopt;
    const LocationEvents *events = job.trace.mainEvents(rank);
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
    const bool isOdd = found.times >= fewestTimes && found.served.size() >= fewestServed;
    return isOdd && !isWithinCollecting(job, found, times) ? std::optional(found) : std::nullopt;
}

} // namespace

std::optional<ShortReceiver> onlyShortReceiver(const JobView &job, const std::vector<Wait> &waits, const RankSet &members) {
    const std::map<Rank, RankSet> sendersOf = sendersByReceiver(waits);
    const auto awaits = [&](Rank rank, const RankSet &senders) { // who waits for one of them has not left it out
        return std::ranges::any_of(waits, [&](const Wait &wait) {
            return contains(wait.waiters, rank) &&
                   std::ranges::any_of(wait.on, [&](Rank each) { return contains(senders, each); });
        });
    };
    constexpr std::size_t mostReceivers = 256; // each costs what it has received
    std::optional<ShortReceiver> only;
    if (sendersOf.size() > mostReceivers)
        return std::nullopt;
    for (const auto &[rank, senders] : sendersOf) {
        if (!contains(members, rank))
            continue;
        std::optional<ShortReceiver> found = shortReceiver(job, rank, senders);
        if (!found || awaits(rank, senders))
            continue;
        if (only)
            return std::nullopt;
        only = std::move(found);
    }
    return only;
}

} // namespace laggard
