// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/stacks/AwaitedRanks.h"

#include "trace/MpiName.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <tuple>

namespace laggard {
namespace {

using Number = std::optional<std::int64_t>;
using Pending = MpiArguments::Pending;

/// All that a rank is about to send and to receive.
std::vector<Pending> openMessages(const StandingRank &rank) {
    std::vector<Pending> open;
    if (!rank.arguments)
        return open;
    const MpiArguments &given = *rank.arguments;
    if (given.pending)
        open = *given.pending;
    const auto add = [&](bool isSend, const Number &peer, const Number &tag) {
        if (peer && *peer != MpiArguments::nobody)
            open.push_back({isSend, given.rankOfJob(peer), tag});
    };
    add(true, given.to, given.toTag);
    add(false, given.from, given.fromTag);
    return open;
}

/// What the call waits for, of all that: by the library's requests if they are known.
std::vector<Pending> awaitedMessages(const StandingRank &rank) {
    return rank.arguments && rank.arguments->pending ? *rank.arguments->pending : openMessages(rank);
}

bool is(const Number &value, std::size_t rank) { return value && *value == static_cast<std::int64_t>(rank); }

/// True if one may be what the other is about: what is not known of tags fits.
bool fits(const Pending &own, std::size_t rank, const Pending &other, std::size_t otherRank) {
    const auto isPeer = [](const Number &peer, std::size_t of) { return peer == MpiArguments::any || is(peer, of); };
    const auto isAny = [](const Number &tag) { return !tag || *tag == MpiArguments::any; };
    return own.isSend != other.isSend && isPeer(own.peer, otherRank) && isPeer(other.peer, rank) &&
           (isAny(own.tag) || isAny(other.tag) || own.tag == other.tag);
}

void insert(RankSet &ranks, Rank rank) {
    const auto place = std::ranges::lower_bound(ranks, rank);
    if (place == ranks.end() || *place != rank)
        ranks.insert(place, rank);
}

class Finder {
  public:
    Finder(const Trace &job, const MpiCallTable &calls, const std::vector<StandingRank> &standing)
        : m_job(job), m_calls(calls), m_standing(standing) {}

    [[nodiscard]] RankWaits waitsOf(std::size_t rank) const {
        RankWaits waits;
        const StandingRank &own = m_standing[rank];
        if (own.kind != StandingRank::Kind::InCall)
            return waits;
        const MpiCall &call = m_calls[own.mpiCall];
        if (call.isCollective() && !call.neighbours)
            waits.inside = insideOf(rank);
        else if (call.isPointToPoint() || (own.arguments && own.arguments->pending))
            for (const Pending &each : awaitedMessages(own))
                if (const auto peer = peerOf(each); peer && *peer != rank && !isAboutToBeDone(each, rank, *peer))
                    insert(waits.messages, *peer);
        if (call.kind == MpiCall::Kind::WaitAny && waits.messages.size() > 1)
            waits.messages.clear(); // any of them would do
        return waits;
    }

    /// The same operation, and nothing known speaks against one communicator and one root.
    [[nodiscard]] bool isSameCollective(const StandingRank &a, const StandingRank &b) const {
        const auto inCollective = [&](const StandingRank &each) {
            return each.kind == StandingRank::Kind::InCall && m_calls[each.mpiCall].isCollective();
        };
        if (!inCollective(a) || !inCollective(b))
            return false;
        const auto nameOf = [&](const StandingRank &each) { return mpiBaseName(m_job.region(each.mpiCall).canonicalName); };
        if (nameOf(a) != nameOf(b))
            return false;
        if (!a.arguments || !b.arguments)
            return true;
        const auto differ = [](const auto &x, const auto &y) { return x && y && *x != *y; };
        const std::string &one = a.arguments->communicator, &other = b.arguments->communicator;
        if (!one.empty() && !other.empty() && (one == "world") != (other == "world"))
            return false;
        return !differ(a.arguments->communicatorNumber, b.arguments->communicatorNumber) &&
               (a.arguments->members.empty() || b.arguments->members.empty() || a.arguments->members == b.arguments->members) &&
               !differ(a.arguments->root, b.arguments->root);
    }

  private:
    [[nodiscard]] std::optional<Rank> peerOf(const Pending &message) const {
        if (!message.peer || *message.peer < 0 || static_cast<std::uint64_t>(*message.peer) >= m_standing.size())
            return std::nullopt;
        return static_cast<Rank>(*message.peer);
    }

    [[nodiscard]] bool isAboutToBeDone(const Pending &message, std::size_t rank, Rank peer) const {
        return std::ranges::any_of(openMessages(m_standing[peer]),
                                   [&](const Pending &other) { return fits(message, rank, other, peer); });
    }

    [[nodiscard]] RankSet insideOf(std::size_t rank) const {
        RankSet ranks;
        const MpiArguments *arguments = m_standing[rank].arguments.get();
        if (arguments != nullptr && arguments->pending)
            for (const Pending &each : *arguments->pending)
                if (const auto peer = peerOf(each); peer && *peer != rank)
                    insert(ranks, *peer);
        if (!ranks.empty())
            return ranks;
        for (const Rank member : membersOf(arguments, m_standing.size()).value_or(RankSet()))
            if (member < m_standing.size() && !isSameCollective(m_standing[rank], m_standing[member]))
                ranks.push_back(member);
        return ranks;
    }

    const Trace &m_job;
    const MpiCallTable &m_calls;
    const std::vector<StandingRank> &m_standing;
};

/// Groups of ranks that can all be reached from each other, and from which no other can (Tarjan's algorithm, without recursion).
class Knots {
  public:
    /// `edges`: by rank.
    explicit Knots(const std::vector<RankSet> &edges) : m_edges(edges), m_number(edges.size(), none), m_low(edges.size()) {
        m_isOpen.resize(edges.size());
        for (Rank rank = 0; rank < edges.size(); ++rank)
            if (m_number[rank] == none)
                visit(rank);
    }
    std::vector<RankSet> found; ///< those of one rank too

  private:
    struct Step {
        Rank rank;
        std::size_t next;
    };
    void open(Rank rank) {
        m_number[rank] = m_low[rank] = m_count++;
        m_open.push_back(rank);
        m_isOpen[rank] = true;
        m_steps.push_back({rank, 0});
    }
    void visit(Rank first) {
        open(first);
        while (!m_steps.empty()) {
            Step &step = m_steps.back();
            const RankSet &to = m_edges[step.rank];
            if (step.next < to.size()) {
                const Rank next = to[step.next++];
                if (m_number[next] == none)
                    open(next);
                else if (m_isOpen[next])
                    m_low[step.rank] = std::min(m_low[step.rank], m_number[next]);
                continue;
            }
            const Rank rank = step.rank;
            m_steps.pop_back();
            if (!m_steps.empty())
                m_low[m_steps.back().rank] = std::min(m_low[m_steps.back().rank], m_low[rank]);
            if (m_low[rank] == m_number[rank])
                close(rank);
        }
    }
    void close(Rank root) {
        RankSet members;
        Rank rank = none;
        while (rank != root) {
            rank = m_open.back();
            m_open.pop_back();
            m_isOpen[rank] = false;
            members.push_back(rank);
        }
        std::ranges::sort(members);
        const bool isLeft = std::ranges::any_of(members, [&](Rank each) {
            return std::ranges::any_of(m_edges[each], [&](Rank to) { return !contains(members, to); });
        });
        if (!isLeft)
            found.push_back(std::move(members));
    }

    const std::vector<RankSet> &m_edges;
    std::vector<std::uint32_t> m_number, m_low;
    std::vector<Rank> m_open;
    std::vector<bool> m_isOpen;
    std::vector<Step> m_steps;
    std::uint32_t m_count = 0;
};

} // namespace

std::optional<RankSet> membersOf(const MpiArguments *arguments, std::size_t rankCount) {
    if (arguments == nullptr)
        return std::nullopt;
    RankSet members;
    if (arguments->isOfWorld()) {
        members.resize(rankCount);
        std::iota(members.begin(), members.end(), Rank{0});
    } else if (arguments->members.empty())
        return std::nullopt;
    else {
        members.assign(arguments->members.begin(), arguments->members.end());
        std::ranges::sort(members);
    }
    return members;
}

AwaitedRanks findAwaited(const Trace &job, const MpiCallTable &calls, const std::vector<StandingRank> &standing) {
    AwaitedRanks result;
    const Finder finder(job, calls, standing);
    for (std::size_t rank = 0; rank < standing.size(); ++rank)
        result.waits.push_back(finder.waitsOf(rank));
    for (const RankWaits &each : result.waits)
        for (const Rank rank : each.messages)
            if (result.waits[rank].messages.empty())
                insert(result.ends, rank);
    std::vector<RankSet> messages, all;
    for (const RankWaits &each : result.waits) {
        messages.push_back(each.messages);
        all.push_back(each.messages);
        for (const Rank rank : each.inside)
            insert(all.back(), rank);
    }
    for (RankSet &knot : Knots(messages).found)
        if (knot.size() > 1)
            result.cycles.push_back(std::move(knot));
    std::ranges::sort(result.cycles);
    for (const RankSet &knot : Knots(all).found)
        result.last.insert(result.last.end(), knot.begin(), knot.end());
    std::ranges::sort(result.last);
    return result;
}

std::vector<CollectivePlace> collectivePlaces(const Trace &job, const MpiCallTable &calls,
                                              const std::vector<StandingRank> &standing, const RankSet &ranks,
                                              const AwaitedRanks &waits) {
    const Finder finder(job, calls, standing);
    std::vector<CollectivePlace> places;
    for (const Rank rank : ranks) {
        const auto members = membersOf(standing[rank].arguments.get(), standing.size());
        if (!members && waits.waits[rank].inside.empty())
            continue;
        const auto same = std::ranges::find_if(places, [&](const CollectivePlace &place) {
            return finder.isSameCollective(standing[place.ranks.front()], standing[rank]) &&
                   membersOf(standing[place.ranks.front()].arguments.get(), standing.size()) == members;
        });
        CollectivePlace &place = same == places.end() ? places.emplace_back() : *same;
        place.ranks.push_back(rank);
        for (const Rank awaited : waits.waits[rank].inside)
            insert(place.lacking, awaited);
    }
    for (CollectivePlace &place : places)
        std::erase_if(place.lacking, [&](Rank rank) { return contains(place.ranks, rank); });
    return places;
}

} // namespace laggard
