// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/waitfor/LastWord.h"

#include "analysis/waitfor/ReceivedMessages.h"

#include <algorithm>
#include <map>

namespace laggard {
namespace {

constexpr std::size_t fewestTold = 2; ///< as for ShortReceiver: one alone may as well be the odd one

/// Ranks that wait for a message of one rank only, by whom they wait for.
std::map<Rank, RankSet> receiversBySender(const std::vector<Wait> &waits) {
    std::map<Rank, RankSet> receivers;
    for (const Wait &wait : waits)
        if (wait.kind == Wait::Kind::PointToPoint && !wait.isSend && !wait.isLock && wait.on.size() == 1)
            receivers[wait.on.front()].insert(receivers[wait.on.front()].end(), wait.waiters.begin(), wait.waiters.end());
    for (auto &[sender, all] : receivers) {
        std::ranges::sort(all);
        all.erase(std::unique(all.begin(), all.end()), all.end());
    }
    return receivers;
}

std::optional<LastWord> lastWordOf(const JobView &job, Rank rank, const RankSet &left) {
    if (!areWhole(job, rank, &LocationEvents::sends))
        return std::nullopt;
    const LocationEvents &events = *job.trace.mainEvents(rank);
    std::map<CallPathId, std::map<Rank, std::uint32_t>> sent; // messages
    std::map<Rank, CallPathId> last;
    for (std::size_t i = 0; i < events.sends.size() && events.sends.time[i] <= job.state.at; ++i) {
        const std::uint32_t row = events.track.innermostAt(events.sends.time[i]);
        const CallPathId path = row == none ? CallPathId{none} : events.track.callPath[row];
        const Rank to = events.envelopes[events.sends.envelope[i]].peer;
        ++sent[path][to];
        last[to] = path;
    }
    LastWord found{.rank = rank, .left = left, .told = {}};
    for (const auto &[to, path] : last) {
        if (contains(left, to))
            continue;
        if (found.told.empty())
            found.callPath = path;
        if (path == none || path != found.callPath || sent[path][to] != 1)
            return std::nullopt;
        found.told.push_back(to);
    }
    if (found.told.size() < fewestTold || (job.isInMpi(rank) && job.state.tasks[rank].mpiPath == found.callPath))
        return std::nullopt;
    // They were like the others until then, and never got it.
    const auto gotTheSame = [&](Rank each) {
        return last.contains(each) && last[each] != none && !sent[found.callPath].contains(each) &&
               std::ranges::all_of(found.told, [&](Rank other) { return sent[last[each]].contains(other); });
    };
    return std::ranges::all_of(left, gotTheSame) ? std::optional(found) : std::nullopt;
}

} // namespace

std::optional<LastWord> onlyLastWord(const JobView &job, const std::vector<Wait> &waits, const RankSet &members) {
    const std::map<Rank, RankSet> receiversOf = receiversBySender(waits);
    constexpr std::size_t mostSenders = 256; // each costs what it has sent
    std::optional<LastWord> only;
    if (receiversOf.size() > mostSenders)
        return std::nullopt;
    for (const auto &[rank, receivers] : receiversOf) {
        const auto awaitsOne = [&](const Wait &wait) { // who waits for a message of one of them may send the word after it
            return wait.kind == Wait::Kind::PointToPoint && !wait.isSend && contains(wait.waiters, rank) &&
                   std::ranges::any_of(wait.on, [&](Rank each) { return contains(receivers, each); });
        };
        if (!contains(members, rank) || std::ranges::any_of(waits, awaitsOne))
            continue;
        std::optional<LastWord> found = lastWordOf(job, rank, receivers);
        if (!found)
            continue;
        if (only)
            return std::nullopt;
        only = std::move(found);
    }
    return only;
}

} // namespace laggard
