// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/stacks/AwaitedRanks.h"

#include <algorithm>
#include <optional>

namespace laggard {
namespace {

using Number = std::optional<std::int64_t>;

/// A message that a rank is about to send or to receive.
struct Half {
    Number peer, tag;
};

Half sentBy(const StandingRank &rank) {
    return rank.arguments && rank.arguments->isOfWorld() ? Half{rank.arguments->to, rank.arguments->toTag} : Half{};
}
Half receivedBy(const StandingRank &rank) {
    return rank.arguments && rank.arguments->isOfWorld() ? Half{rank.arguments->from, rank.arguments->fromTag} : Half{};
}

bool isRank(const Number &peer, std::size_t count) { return peer && *peer >= 0 && static_cast<std::uint64_t>(*peer) < count; }

/// True if one may be what the other is about: what is not known fits.
bool fits(const Half &send, std::size_t sender, const Half &receive, std::size_t receiver) {
    const auto is = [](const Number &value, std::size_t rank) { return value && *value == static_cast<std::int64_t>(rank); };
    const bool isFrom = receive.peer == MpiArguments::any || is(receive.peer, sender);
    const bool hasTag = !send.tag || !receive.tag || receive.tag == MpiArguments::any || send.tag == receive.tag;
    return is(send.peer, receiver) && isFrom && hasTag;
}

Rank awaitedBy(const MpiCallTable &calls, const std::vector<StandingRank> &standing, std::size_t rank) {
    const StandingRank &own = standing[rank];
    if (own.kind != StandingRank::Kind::InCall || !calls[own.mpiCall].isPointToPoint())
        return none;
    const Half receive = receivedBy(own);
    if (isRank(receive.peer, standing.size())) {
        const auto from = static_cast<std::size_t>(*receive.peer);
        if (!fits(sentBy(standing[from]), from, receive, rank))
            return static_cast<Rank>(from);
    }
    const Half send = sentBy(own);
    if (isRank(send.peer, standing.size())) {
        const auto to = static_cast<std::size_t>(*send.peer);
        if (!fits(send, rank, receivedBy(standing[to]), to))
            return static_cast<Rank>(to);
    }
    return none;
}

} // namespace

AwaitedRanks findAwaited(const MpiCallTable &calls, const std::vector<StandingRank> &standing) {
    AwaitedRanks result;
    for (std::size_t rank = 0; rank < standing.size(); ++rank)
        result.awaited.push_back(awaitedBy(calls, standing, rank));
    // Each rank waits for one at most: from any, the way leads to an end or into a cycle.
    std::vector<std::uint32_t> seenFrom(standing.size(), none);
    for (Rank first = 0; first < standing.size(); ++first) {
        Rank at = first;
        while (seenFrom[at] == none) {
            seenFrom[at] = first;
            if (result.awaited[at] == none) {
                if (at != first)
                    result.ends.push_back(at);
                break;
            }
            at = result.awaited[at];
        }
        if (result.awaited[at] == none) {
            if (at != first)
                result.ends.push_back(at); // an end that was met before, too
            continue;
        }
        if (seenFrom[at] != first)
            continue;
        RankSet cycle = {at};
        for (Rank next = result.awaited[at]; next != at; next = result.awaited[next])
            cycle.push_back(next);
        std::ranges::sort(cycle);
        result.cycles.push_back(std::move(cycle));
    }
    std::ranges::sort(result.ends);
    const auto repeated = std::ranges::unique(result.ends);
    result.ends.erase(repeated.begin(), repeated.end());
    std::ranges::sort(result.cycles);
    return result;
}

} // namespace laggard
