// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/automaded/ClusterIsolation.h"

#include "trace/Parallel.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace laggard {
namespace {

constexpr std::size_t mostRepresentatives = 64;
constexpr std::size_t mostMembers = 512;       ///< members of all clusters together that are compared with each other
constexpr std::size_t mostOtherClusters = 512; ///< other clusters that one is compared with, evenly spread
constexpr double nearlyEqual = 1e-6;

/// At most `most` of the values, evenly spread.
template <typename T> std::vector<T> spread(const std::vector<T> &values, std::size_t most) {
    if (values.size() <= most)
        return values;
    std::vector<T> result;
    for (std::size_t i = 0; i < most; ++i)
        result.push_back(values[i * values.size() / most]);
    return result;
}

struct Counterpart {
    std::size_t run = 0;
    std::size_t phase = 0;
};

std::vector<Counterpart> counterparts(const Histories &histories, const PhaseTable &phases, std::span<const std::uint32_t> lags,
                                      std::size_t phase) {
    std::vector<Counterpart> result;
    for (std::size_t run = 1; run < histories.runs.size(); ++run)
        result.push_back({run, phase});
    if (!result.empty())
        return result;
    for (std::size_t p = 0; p < phases.size(); ++p) {
        if (p == phase || phases.phases[p].set != phases.phases[phase].set)
            continue;
        const std::uint32_t a = phases.phases[p].index;
        const std::uint32_t b = phases.phases[phase].index;
        if (std::find(lags.begin(), lags.end(), a > b ? a - b : b - a) != lags.end())
            result.push_back({0, p});
    }
    return result;
}

/// Adds up which transition contributes most in pairs of models.
class Contest {
  public:
    explicit Contest(std::size_t transitions) : m_of(transitions) {}

    void add(const PreparedModel &a, const PreparedModel &b, std::span<const double> inverseNoise) {
        std::uint32_t winner = none;
        double best = -1;
        for (const Contribution &c : contributions(a, b, inverseNoise)) {
            m_of[c.transition].sum += c.value;
            m_of[c.transition].takesPart = true;
            if (c.value > best) {
                best = c.value;
                winner = c.transition;
            }
        }
        if (winner != none)
            m_of[winner].wins += 1;
        m_pairs += 1;
    }
    [[nodiscard]] std::vector<CharacteristicTransition> ranking(std::size_t most) const {
        std::vector<CharacteristicTransition> result;
        for (std::uint32_t t = 0; t < m_of.size(); ++t)
            if (m_of[t].takesPart)
                result.push_back({t, m_of[t].wins / m_pairs, m_of[t].sum / m_pairs});
        std::stable_sort(result.begin(), result.end(), [](const CharacteristicTransition &a, const CharacteristicTransition &b) {
            return std::pair(a.wins, a.contribution) > std::pair(b.wins, b.contribution);
        });
        result.resize(std::min(result.size(), most));
        return result;
    }

  private:
    struct OfTransition {
        double sum = 0;
        double wins = 0;
        bool takesPart = false;
    };
    std::vector<OfTransition> m_of;
    double m_pairs = 0;
};

/// Ranks that have the phase and are no members. If some of them are in the members' own natural groups, only these.
RankSet ranksOutside(const PhaseHierarchy &hierarchy, std::span<const std::uint32_t> groups, const RankSet &members) {
    RankSet outside;
    for (std::size_t rank = 0; rank < hierarchy.leafOf.size(); ++rank)
        if (hierarchy.leafOf[rank] != none && !std::binary_search(members.begin(), members.end(), static_cast<Rank>(rank)))
            outside.push_back(static_cast<Rank>(rank));
    if (groups.empty())
        return outside;
    std::vector<bool> isOwn(*std::max_element(groups.begin(), groups.end()) + std::size_t{1});
    for (const Rank member : members)
        isOwn[groups[member]] = true;
    RankSet alike;
    std::copy_if(outside.begin(), outside.end(), std::back_inserter(alike), [&](Rank rank) { return isOwn[groups[rank]]; });
    return alike.empty() ? outside : alike;
}

/// SmmCluster::contrast of all clusters. They are compared through a few members each, and of many clusters with some others: all
/// pairs would be all pairs of ranks.
void addContrasts(std::vector<SmmCluster> &clusters, const PhaseHierarchy &hierarchy, const StateTable &table,
                  std::span<const double> inverseNoise, const Work &work) {
    const std::size_t members = std::max<std::size_t>(1, mostMembers / std::max<std::size_t>(1, clusters.size()));
    std::vector<std::vector<const PreparedModel *>> models;
    for (const SmmCluster &cluster : clusters) {
        models.emplace_back();
        for (const Rank rank : spread(cluster.ranks, members))
            models.back().push_back(&hierarchy.models[hierarchy.leafOf[rank]]);
    }
    const auto meanDiff = [&](std::size_t a, std::size_t b) {
        TimeMoments diff;
        for (const PreparedModel *one : models[a])
            for (const PreparedModel *other : models[b])
                diff.add(difference(*one, *other, table, inverseNoise).total);
        return diff.mean;
    };
    const std::size_t others = clusters.empty() ? 0 : clusters.size() - 1;
    const std::size_t compared = std::min(others, mostOtherClusters);
    forEachParallel(clusters.size(), work, [&](std::size_t c, unsigned) {
        throwIfCancelled(work);
        double contrast = 0;
        for (std::size_t i = 0; i < compared; ++i) {
            const std::size_t other = i * others / compared;
            const double mean = meanDiff(c, other < c ? other : other + 1);
            contrast += mean * mean / static_cast<double>(compared);
        }
        clusters[c].contrast = std::sqrt(contrast);
    });
}

} // namespace

std::vector<double> rankDeviations(const Histories &histories, const PhaseTable &phases, const ModelScale &scale,
                                   std::uint32_t buckets, std::span<const double> inverseNoise,
                                   std::span<const std::uint32_t> lags, std::size_t phase, const Work &work) {
    const std::vector<Counterpart> others = counterparts(histories, phases, lags, phase);
    std::vector<double> result(phases.ranks());
    forEachParallel(result.size(), work, [&](std::size_t rank, unsigned) {
        const PhaseSpan &own = phases.span(0, phase, rank);
        if (!own.present())
            return;
        ModelMaker maker(histories.table, scale.distribution == DistributionKind::Histogram, buckets);
        double squares = 0;
        double count = 0;
        for (const Counterpart &other : others) {
            const PhaseSpan &span = phases.span(other.run, other.phase, rank);
            if (!span.present())
                continue;
            const ModelPair pair = comparableModels(maker, histories, scale, rank, 0, own, other.run, span);
            const double d = difference(pair.a, pair.b, histories.table, inverseNoise).total;
            squares += d * d;
            count += 1;
        }
        result[rank] = count > 0 ? std::sqrt(squares / count) : 0;
    });
    return result;
}

std::vector<SmmCluster> scoreClusters(const Histories &histories, const PhaseTable &phases, const PhaseHierarchy &hierarchy,
                                      std::span<const std::uint32_t> clusterOf, const ClusterDeviation &deviation,
                                      std::span<const double> rankDeviation, std::span<const double> inverseNoise,
                                      std::size_t phase, const Work &work) {
    std::vector<SmmCluster> clusters;
    for (std::size_t rank = 0; rank < clusterOf.size(); ++rank) {
        if (clusterOf[rank] == none)
            continue;
        if (clusterOf[rank] >= clusters.size())
            clusters.resize(clusterOf[rank] + 1);
        clusters[clusterOf[rank]].ranks.push_back(static_cast<Rank>(rank));
    }
    std::vector<const std::vector<std::uint32_t> *> counterparts;
    for (const auto &reference : deviation.ofReferences)
        counterparts.push_back(&reference[phase]);
    for (std::size_t p = 0; p < phases.size() && deviation.ofReferences.empty(); ++p)
        if (p != phase && deviation.known[p] && phases.phases[p].set == phases.phases[phase].set)
            counterparts.push_back(&deviation.clusters[p]);
    for (const auto *other : counterparts) {
        const std::vector<double> distances = mirkinDistancesOf(clusterOf, *other);
        for (std::size_t c = 0; c < distances.size(); ++c)
            clusters[c].cluster += distances[c] * distances[c] / static_cast<double>(counterparts.size());
    }
    for (SmmCluster &cluster : clusters) {
        for (const Rank rank : cluster.ranks)
            cluster.smm += rankDeviation[rank] * rankDeviation[rank] / static_cast<double>(cluster.ranks.size());
        cluster.smm = std::sqrt(cluster.smm);
        cluster.cluster = std::sqrt(cluster.cluster);
    }
    addContrasts(clusters, hierarchy, histories.table, inverseNoise, work);
    return clusters;
}

std::optional<std::uint32_t> mostUnusual(const std::vector<SmmCluster> &clusters, double SmmCluster::*score) {
    if (clusters.size() < 2)
        return {};
    std::uint32_t best = 0;
    for (std::uint32_t c = 1; c < clusters.size(); ++c) {
        const double a = clusters[c].*score;
        const double b = clusters[best].*score;
        const bool equal = std::abs(a - b) <= nearlyEqual * std::max(std::abs(a), std::abs(b));
        if (equal ? clusters[c].ranks.size() < clusters[best].ranks.size() : a > b)
            best = c;
    }
    return best;
}

std::vector<CharacteristicTransition>
characteristicTransitions(const Histories &histories, const PhaseTable &phases, const ModelScale &scale, std::uint32_t buckets,
                          const PhaseHierarchy &hierarchy, std::span<const double> inverseNoise,
                          std::span<const std::uint32_t> groups, const RankSet &members, std::size_t phase, std::size_t most) {
    const RankSet outside = ranksOutside(hierarchy, groups, members);
    Contest contest(histories.table.transitions.size());
    if (!outside.empty()) {
        for (const Rank a : spread(members, mostRepresentatives))
            for (const Rank b : spread(outside, mostRepresentatives))
                contest.add(hierarchy.models[hierarchy.leafOf[a]], hierarchy.models[hierarchy.leafOf[b]], inverseNoise);
        return contest.ranking(most);
    }
    const std::vector<std::uint32_t> adjacent{1};
    ModelMaker maker(histories.table, scale.distribution == DistributionKind::Histogram, buckets);
    for (const Rank rank : spread(members, mostRepresentatives))
        for (const Counterpart &other : counterparts(histories, phases, adjacent, phase))
            if (const PhaseSpan &span = phases.span(other.run, other.phase, rank); span.present()) {
                const ModelPair pair =
                    comparableModels(maker, histories, scale, rank, 0, phases.span(0, phase, rank), other.run, span);
                contest.add(pair.a, pair.b, inverseNoise);
            }
    return contest.ranking(most);
}

} // namespace laggard
