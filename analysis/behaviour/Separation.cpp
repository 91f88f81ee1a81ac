// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/behaviour/Separation.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>

namespace laggard {
namespace {

constexpr double leastTimesLonger = 1.1;  ///< ratio of times
constexpr double leastPartOfMost = 0.1;   ///< part of the largest difference in time
constexpr double leastProbability = 0.25; ///< difference in probability

/// The model of some ranks, with its probabilities.
struct Side {
    SemiMarkovModel model;
    std::vector<double> probabilities;
    std::size_t ranks = 0;

    [[nodiscard]] std::optional<std::size_t> find(std::uint32_t transition) const {
        const auto found = std::lower_bound(model.transitions.begin(), model.transitions.end(), transition,
                                            [](const ModelTransition &t, std::uint32_t number) { return t.transition < number; });
        if (found == model.transitions.end() || found->transition != transition || found->times.count <= 0)
            return {};
        return static_cast<std::size_t>(found - model.transitions.begin());
    }
    [[nodiscard]] bool isIn(const StateTable &table, std::uint32_t state) const {
        return std::any_of(model.transitions.begin(), model.transitions.end(), [&](const ModelTransition &t) {
            return t.times.count > 0 && table.transitions[t.transition].from == state;
        });
    }
};

Side sideOf(const SemiMarkovReport &report, const RankSet &ranks) {
    Side side{mergedModel(report, 0, report.shownPhase, ranks), {}, ranks.size()};
    side.probabilities = side.model.probabilities(report.histories.table);
    return side;
}

std::vector<Side> otherSides(const SemiMarkovReport &report, const ClusterCut &cut, const RankSet &unusual) {
    std::vector<Side> others;
    for (std::uint32_t id = 0; id < cut.clusters.size(); ++id) {
        const ClusterCut::Cluster &cluster = cut.clusters[id];
        if (id != *cut.faulty) {
            others.push_back({cluster.model, cluster.probabilities, cluster.ranks.size()});
            continue;
        }
        RankSet rest;
        std::set_difference(cluster.ranks.begin(), cluster.ranks.end(), unusual.begin(), unusual.end(), std::back_inserter(rest));
        if (!rest.empty())
            others.push_back(sideOf(report, rest));
    }
    return others;
}

/// What is to be said of one transition, and how many seconds a rank lost in it.
struct Apart {
    Separation said;
    double seconds = 0;
    bool differs = false;
};

Apart apartIn(const StateTable &table, std::uint32_t transition, const Side &own, const std::vector<Side> &others) {
    Apart candidate;
    candidate.said.transition = transition;
    const std::optional<std::size_t> at = own.find(transition);
    if (!at)
        return candidate;
    const double mean = own.model.transitions[*at].times.mean;
    const double probability = own.probabilities[*at];
    double lowTime = INFINITY;
    double highTime = 0;
    double low = 1;
    double high = 0;
    bool shared = false;
    bool reached = false;
    for (const Side &side : others) {
        if (!side.isIn(table, table.transitions[transition].from))
            continue;
        reached = true;
        const std::optional<std::size_t> there = side.find(transition);
        low = std::min(low, there ? side.probabilities[*there] : 0);
        high = std::max(high, there ? side.probabilities[*there] : 0);
        if (!there)
            continue;
        shared = true;
        lowTime = std::min(lowTime, side.model.transitions[*there].times.mean);
        highTime = std::max(highTime, side.model.transitions[*there].times.mean);
    }
    using What = Separation::What;
    if (!shared) {
        candidate.said = {transition, What::Alone, mean, 0, 0};
        candidate.differs = reached;
        return candidate;
    }
    const double apart = mean > highTime ? mean - highTime : mean < lowTime ? lowTime - mean : 0;
    candidate.seconds = apart * own.model.transitions[*at].times.count / static_cast<double>(std::max<std::size_t>(1, own.ranks));
    candidate.said = {transition, What::Time, mean, lowTime, highTime};
    candidate.differs = mean > leastTimesLonger * highTime || mean * leastTimesLonger < lowTime;
    if (!candidate.differs && (probability > high + leastProbability || probability < low - leastProbability)) {
        candidate.said = {transition, What::Probability, probability, low, high};
        candidate.differs = true;
        candidate.seconds = 0;
    }
    return candidate;
}

} // namespace

std::vector<Separation> separations(const SemiMarkovReport &report, const ClusterCut &cut) {
    if (!cut.faulty || cut.characteristic.empty())
        return {};
    const RankSet &unusual = cut.setApart ? cut.setApart->ranks : cut.clusters[*cut.faulty].ranks;
    const Side own = cut.setApart
                         ? sideOf(report, unusual)
                         : Side{cut.clusters[*cut.faulty].model, cut.clusters[*cut.faulty].probabilities, unusual.size()};
    const std::vector<Side> others = otherSides(report, cut, unusual);
    std::vector<Apart> candidates;
    double most = 0;
    for (const CharacteristicTransition &ct : cut.characteristic) {
        candidates.push_back(apartIn(report.histories.table, ct.transition, own, others));
        most = std::max(most, candidates.back().seconds);
    }
    std::vector<Separation> result;
    for (const Apart &candidate : candidates)
        if (candidate.differs && (candidate.said.what != Separation::What::Time || candidate.seconds >= leastPartOfMost * most))
            result.push_back(candidate.said);
    if (result.empty() && own.find(candidates.front().said.transition))
        result.push_back(candidates.front().said);
    return result;
}

} // namespace laggard
