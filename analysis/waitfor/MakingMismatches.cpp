// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/waitfor/Waits.h"
#include "trace/Phrases.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace laggard {
namespace {

/// A rank that stands in a call which makes a communicator.
struct Maker {
    Rank rank = none;
    CallPathId callPath = none;
    const CommunicatorMaking *making = nullptr;
};

/// Those that give the same. The one of the lowest rank speaks for them.
struct Party {
    RankSet ranks;
    Maker first;
};

class Makers {
  public:
    Makers(const JobView &job, std::vector<Wait> &waits) : m_job(job), m_waits(waits) {
        for (Rank rank = 0; rank < job.size(); ++rank)
            if (const auto maker = makerOf(rank))
                m_makers.push_back(*maker);
    }

    void find() {
        using Key = std::tuple<CommunicatorId, bool, std::uint64_t>; // parent, two groups, who makes it
        std::map<Key, std::vector<Party>> parties;
        for (const Maker &maker : m_makers) {
            const CommunicatorMaking &making = *maker.making;
            const bool isOfTwo = making.ownLeader != none;
            if (isOfTwo || making.group != 0)
                join(parties[{making.communicator, isOfTwo, making.group}], maker);
        }
        for (auto &[key, of] : parties)
            if (of.size() > 1)
                addDisagreement(of, std::get<1>(key));
        for (const Maker &maker : m_makers)
            compareLeaders(maker);
    }

  private:
    /// Who has stood in it for so long that no message is just on its way: as often, processes give a sign of life.
    static constexpr double standing = 0.5; // seconds
    /// The tags are as recorded; that none of them is held up by something else is not.
    static constexpr double sure = 0.95;

    [[nodiscard]] std::optional<Maker> makerOf(Rank rank) const {
        const LocationIndex location = m_job.isInMpi(rank) ? m_job.location(rank) : LocationIndex{none};
        if (location >= m_job.trace.locations.size())
            return std::nullopt;
        const LocationEvents &events = m_job.trace.locations[location].events;
        const std::uint32_t row = m_job.openRow(rank);
        if (!events.openParts || !events.openParts->making || row == none || !events.track.isOpen(row) ||
            m_job.trace.seconds(m_job.state.at) - m_job.trace.seconds(events.track.start[row]) < standing)
            return std::nullopt;
        return Maker{rank, events.track.callPath[row], &*events.openParts->making};
    }

    static bool giveTheSame(const CommunicatorMaking &a, const CommunicatorMaking &b) {
        return a.tag == b.tag && a.isTextTag == b.isTextTag && a.ownLeader == b.ownLeader;
    }

    static void join(std::vector<Party> &parties, const Maker &maker) {
        const auto same =
            std::ranges::find_if(parties, [&](const Party &party) { return giveTheSame(*party.first.making, *maker.making); });
        if (same == parties.end())
            parties.push_back({{maker.rank}, maker});
        else
            same->ranks.push_back(maker.rank);
    }

    [[nodiscard]] std::string callOf(const Maker &maker) const {
        return m_job.trace.region(maker.callPath).name + callPlaceInBrackets(m_job.trace, maker.callPath);
    }

    /// "tag 7", "another text for a tag".
    static std::string tagOf(const CommunicatorMaking &making, bool isOther) {
        return !making.isTextTag ? "tag " + std::to_string(making.tag)
               : isOther         ? "another text for a tag"
                                 : "one text for a tag";
    }

    void addDisagreement(std::vector<Party> &parties, bool isOfTwo) {
        std::ranges::stable_sort(parties, std::ranges::greater{}, [](const Party &party) { return party.ranks.size(); });
        const Party &most = parties.front();
        const bool isLeader = isOfTwo && parties[1].first.making->ownLeader != most.first.making->ownLeader;
        const auto given = [&](const Party &party) {
            return isLeader ? "rank " + std::to_string(party.first.making->ownLeader) + " for the leader of their group"
                            : tagOf(*party.first.making, &party != &most);
        };
        std::string evidence = describeRankSet(most.ranks) + " gave " + given(most) + " to " + callOf(most.first);
        RankSet odd;
        for (std::size_t i = 1; i < parties.size(); ++i) {
            odd.insert(odd.end(), parties[i].ranks.begin(), parties[i].ranks.end());
            evidence += (i == 1 ? ", but " : ", ") + describeRankSet(parties[i].ranks) + " gave " + given(parties[i]) +
                        callPlaceInBrackets(m_job.trace, parties[i].first.callPath);
        }
        std::ranges::sort(odd);
        add(most.ranks, std::move(odd), parties[1].ranks.size() == most.ranks.size(), std::move(evidence));
    }

    [[nodiscard]] const Maker *find(Rank rank) const {
        const auto found = std::ranges::lower_bound(m_makers, rank, {}, &Maker::rank);
        return found != m_makers.end() && found->rank == rank ? &*found : nullptr;
    }

    /// The leaders of two groups have to name each other, with the same tag. Of a pair, the lower one is asked.
    void compareLeaders(const Maker &maker) {
        const CommunicatorMaking &own = *maker.making;
        const Maker *other = own.ownLeader == maker.rank && own.otherLeader != none ? find(own.otherLeader) : nullptr;
        if (other == nullptr || other->making->ownLeader == none)
            return;
        const CommunicatorMaking &its = *other->making;
        const std::string who = describeRankSet({maker.rank});
        const std::string whom = describeRankSet({other->rank});
        std::string evidence =
            who + " names " + whom + " for the leader of the other group in " + callOf(maker) + ", but " + whom;
        if (its.ownLeader != other->rank)
            evidence += " has " + describeRankSet({its.ownLeader}) + " for the leader of its group";
        else if (its.otherLeader != maker.rank && its.otherLeader != none)
            evidence += " names " + describeRankSet({its.otherLeader}) + " there";
        else if (its.otherLeader == maker.rank && own.tag != its.tag && maker.rank < other->rank)
            evidence = who + " gave " + tagOf(own, false) + " to " + callOf(maker) + ", but " + whom +
                       ", the leader of the other group, gave " + tagOf(its, true);
        else
            return;
        add({std::min(maker.rank, other->rank)}, {std::max(maker.rank, other->rank)}, true,
            evidence + callPlaceInBrackets(m_job.trace, other->callPath));
    }

    void add(RankSet waiters, RankSet odd, bool isEven, std::string evidence) {
        m_waits.push_back({.kind = Wait::Kind::Collective,
                           .waiters = std::move(waiters),
                           .on = std::move(odd),
                           .confidence = sure,
                           .evidence = std::move(evidence),
                           .mismatch = isEven ? Wait::Mismatch::Even : Wait::Mismatch::Odd});
    }

    const JobView &m_job;
    std::vector<Wait> &m_waits;
    std::vector<Maker> m_makers; ///< by rank
};

} // namespace

void findMakingMismatches(const JobView &job, std::vector<Wait> &waits) { Makers(job, waits).find(); }

} // namespace laggard
