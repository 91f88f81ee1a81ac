// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/progress/LoopOrder.h"

#include <algorithm>

namespace laggard {

LoopOrder::LoopOrder(const ModelSet &models, InnerRoundsOfRank inner)
    : m_models(models), m_nest(models), m_inner(std::move(inner)) {
    for (std::uint32_t region = 0; region < m_nest.regions().size(); ++region) {
        if (m_nest.regions()[region].header != none || m_nest.regions()[region].parent != none)
            continue;
        std::uint64_t fewest = unknownRounds;
        for (std::uint32_t model = 0; model < models.models.size(); ++model)
            if (const auto rounds = m_nest.rounds(region, model); rounds && *rounds > 0)
                fewest = std::min(fewest, *rounds);
        m_fewest[region] = fewest;
    }
}

/// Unknown for a task without a header.
std::uint64_t LoopOrder::outermostRounds(std::uint32_t region, std::uint32_t model) const {
    const std::optional<std::uint64_t> rounds = m_nest.rounds(region, model);
    if (!rounds)
        return unknownRounds;
    const auto fewest = m_fewest.find(region);
    if (fewest == m_fewest.end())
        return *rounds;
    constexpr std::uint64_t enough = 10; // with fewer rounds, a task that is behind looks like one that comes through less often
    const std::uint64_t base = fewest->second;
    const std::uint64_t perRound =
        base < enough || base == unknownRounds ? 1 : std::max<std::uint64_t>(1, (2 * *rounds + base) / (2 * base));
    return *rounds * partsOfRound / perRound;
}

LoopPlace LoopOrder::placeOf(Rank rank) const {
    LoopPlace place;
    place.state = rank < m_models.stateOfRank.size() ? m_models.stateOfRank[rank] : none;
    const std::uint32_t model = rank < m_models.modelOfRank.size() ? m_models.modelOfRank[rank] : none;
    if (m_nest.innermost(place.state) == none || model >= m_models.models.size())
        return place;
    const std::vector<std::uint32_t> chain = m_nest.chain(place.state);
    const auto outermost = m_rounds.try_emplace({model, chain.front()}, unknownRounds);
    if (outermost.second)
        outermost.first->second = outermostRounds(chain.front(), model);
    place.rounds.assign(chain.size(), unknownRounds);
    place.rounds.front() = outermost.first->second;
    if (rank >= m_inner.size())
        return place;
    const std::vector<InnerRounds> &inner = m_inner[rank];
    for (std::size_t k = 1; k < chain.size() && k <= inner.size(); ++k)
        if (inner[k - 1].header != none && inner[k - 1].header == m_nest.regions()[chain[k]].header)
            place.rounds[k] = inner[k - 1].rounds;
    return place;
}

bool LoopOrder::isBefore(std::uint32_t earlier, std::uint32_t later, std::uint32_t region) const {
    const auto [entry, isNew] = m_before.try_emplace({earlier, later}, false);
    if (isNew)
        entry->second = m_nest.isBefore(earlier, later, region);
    return entry->second;
}

LoopAnswer LoopOrder::compare(const LoopPlace &first, const LoopPlace &second) const {
    LoopAnswer answer;
    const std::uint32_t common = m_nest.common(first.state, second.state);
    if (common == none || first.rounds.empty() || second.rounds.empty())
        return answer;
    answer.kind = LoopAnswer::Kind::Open;
    answer.region = common;
    const std::vector<std::uint32_t> chain = m_nest.chain(first.state);
    for (std::size_t k = 0; k <= m_nest.regions()[common].depth; ++k) {
        answer.first = first.rounds[k];
        answer.second = second.rounds[k];
        if (answer.first == unknownRounds || answer.second == unknownRounds)
            return answer;
        if (answer.first == answer.second)
            continue;
        answer.kind = answer.first < answer.second ? LoopAnswer::Kind::FirstBehind : LoopAnswer::Kind::SecondBehind;
        answer.region = chain[k];
        answer.byRounds = true;
        return answer;
    }
    if (first.state == second.state)
        return answer;
    if (isBefore(first.state, second.state, common))
        answer.kind = LoopAnswer::Kind::FirstBehind;
    else if (isBefore(second.state, first.state, common))
        answer.kind = LoopAnswer::Kind::SecondBehind;
    return answer;
}

} // namespace laggard
