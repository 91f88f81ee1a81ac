// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/progress/StateDependences.h"

#include "analysis/progress/LoopNest.h"
#include "trace/Parallel.h"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <utility>

namespace laggard {
namespace {

/// Tasks that judge in the same way: the classes of the probabilities depend on which transitions there are, not on
/// their counts.
struct Jury {
    const MarkovModel *model = nullptr;
    std::uint32_t last = none;
    std::map<std::uint32_t, Rank> judges; ///< own state -> lowest rank in it
};

struct Finding {
    std::uint32_t own = none;
    std::uint32_t other = none;
    Dependence dependence = Dependence::None;
    Rank judge = none;
};

std::vector<Jury> juries(const ModelSet &models) {
    const std::vector<std::uint32_t> structure = structuresOf(models.models);
    std::map<std::pair<std::uint32_t, std::uint32_t>, Jury> byStructure;
    for (Rank rank = 0; rank < models.stateOfRank.size(); ++rank) {
        const std::uint32_t model = rank < models.modelOfRank.size() ? models.modelOfRank[rank] : none;
        if (model >= models.models.size() || models.stateOfRank[rank] == none)
            continue;
        const std::uint32_t last = lastState(models, rank);
        Jury &jury = byStructure[{structure[model], last}];
        jury.model = jury.model == nullptr ? &models.models[model] : jury.model;
        jury.last = last;
        jury.judges.try_emplace(models.stateOfRank[rank], rank);
    }
    std::vector<Jury> result;
    for (auto &[key, jury] : byStructure)
        result.push_back(std::move(jury));
    return result;
}

std::vector<Finding> judge(const Jury &jury, const std::vector<bool> &occupied) {
    const ReachingProbability probability(*jury.model, jury.last);
    const std::vector<std::uint32_t> &states = probability.states();
    // To and from the judges' own states, and that is all that is asked of the model.
    std::map<std::uint32_t, std::vector<Reach>> towards;
    for (const std::uint32_t state : states)
        if (occupied[state])
            towards[state] = probability.reachFromAll(state);
    std::vector<Finding> findings;
    for (const auto &[own, rank] : jury.judges) {
        const auto ownPlace = std::lower_bound(states.begin(), states.end(), own);
        if (ownPlace == states.end() || *ownPlace != own)
            continue;
        const std::vector<Reach> &towardsOwn = towards[own];
        for (const auto &[other, towardsOther] : towards) {
            if (other == own)
                continue;
            const Reach there = towardsOther[static_cast<std::size_t>(ownPlace - states.begin())];
            const Reach back =
                towardsOwn[static_cast<std::size_t>(std::lower_bound(states.begin(), states.end(), other) - states.begin())];
            const Dependence found = dependence(there, back);
            const bool isOpen =
                (there == Reach::Possible && back == Reach::Unseen) || (there == Reach::Unseen && back == Reach::Possible);
            if (found != Dependence::None || isOpen)
                findings.push_back({own, other, found, rank});
        }
    }
    return findings;
}

} // namespace

std::uint32_t lastState(const ModelSet &models, Rank rank) {
    const std::vector<std::uint32_t> &states = models.lastStateOfRank.empty() ? models.stateOfRank : models.lastStateOfRank;
    return rank < states.size() ? states[rank] : none;
}

std::vector<StatePair> stateDependences(const ModelSet &models, const Work &work) {
    std::uint32_t states = static_cast<std::uint32_t>(models.states.size());
    for (const MarkovModel &model : models.models)
        for (const Transition &t : model.transitions)
            states = std::max({states, t.from + 1, t.to + 1});
    std::vector<bool> occupied(states, false);
    for (const std::uint32_t state : models.stateOfRank)
        if (state < states)
            occupied[state] = true;

    const std::vector<Jury> all = juries(models);
    std::vector<std::vector<Finding>> findings(all.size());
    forEachParallel(all.size(), work, [&](std::size_t i, unsigned) { findings[i] = judge(all[i], occupied); });

    std::unordered_map<std::uint64_t, StatePair> pairs;
    for (const std::vector<Finding> &some : findings)
        for (const Finding &finding : some) {
            const std::uint32_t row = std::min(finding.own, finding.other);
            const std::uint32_t column = std::max(finding.own, finding.other);
            const Dependence found = finding.own == row ? finding.dependence : mirrored(finding.dependence);
            StatePair &pair = pairs[std::uint64_t{row} << 32U | column];
            pair.row = row;
            pair.column = column;
            pair.dependence = unite(pair.dependence, found);
            Rank &witness = pair.witness[static_cast<std::size_t>(found)];
            witness = std::min(witness, finding.judge);
        }
    std::vector<StatePair> result;
    result.reserve(pairs.size());
    for (const auto &[key, pair] : pairs)
        result.push_back(pair);
    std::sort(result.begin(), result.end(),
              [](const StatePair &a, const StatePair &b) { return std::pair(a.row, a.column) < std::pair(b.row, b.column); });
    return result;
}

} // namespace laggard
