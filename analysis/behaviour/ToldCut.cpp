// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/behaviour/ToldCut.h"

#include "analysis/behaviour/ClusterCut.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace laggard {
namespace {

constexpr double leastOfPhaseTime = 0.05; // share of the phase's time; SlownessGate asks for as much of the run's
constexpr double leastOften = 0.25;       // difference in probability, as for Separation

/// What some ranks do in the phase, added up.
struct Deeds {
    struct Taken {
        double count = 0;
        double seconds = 0; ///< in the state before
    };
    std::map<std::uint32_t, Taken> transitions;
    std::size_t ranks = 0;

    void add(const SemiMarkovModel &model, std::size_t ofRanks) {
        for (const ModelTransition &each : model.transitions) {
            Taken &taken = transitions[each.transition];
            taken.count += each.times.count;
            taken.seconds += each.times.count * each.times.mean;
        }
        ranks += ofRanks;
    }
    void add(const Deeds &other) {
        for (const auto &[transition, taken] : other.transitions) {
            transitions[transition].count += taken.count;
            transitions[transition].seconds += taken.seconds;
        }
        ranks += other.ranks;
    }
    [[nodiscard]] Taken of(std::uint32_t transition) const {
        const auto found = transitions.find(transition);
        return found == transitions.end() ? Taken() : found->second;
    }
    /// How often each state was left.
    [[nodiscard]] std::map<std::uint32_t, double> visits(const StateTable &table) const {
        std::map<std::uint32_t, double> counts;
        for (const auto &[transition, taken] : transitions)
            counts[table.transitions[transition].from] += taken.count;
        return counts;
    }
};

/// By how much two groups of ranks differ.
struct Gap {
    bool inWhatTheyDo = false;
    double seconds = 0; ///< a rank, in the phase, in the state before …
    std::uint32_t transition = none;
};

Gap gapBetween(const StateTable &table, const Deeds &a, const Deeds &b) {
    Gap apart;
    const std::map<std::uint32_t, double> visitsA = a.visits(table);
    const std::map<std::uint32_t, double> visitsB = b.visits(table);
    std::set<std::uint32_t> transitions;
    for (const Deeds *side : {&a, &b})
        for (const auto &[transition, taken] : side->transitions)
            transitions.insert(transition);
    const auto share = [&table](const std::map<std::uint32_t, double> &visits, const Deeds &side, std::uint32_t transition) {
        const auto found = visits.find(table.transitions[transition].from);
        return found == visits.end() || found->second <= 0 ? 0 : side.of(transition).count / found->second;
    };
    for (const std::uint32_t transition : transitions) {
        const double often = share(visitsA, a, transition) - share(visitsB, b, transition);
        apart.inWhatTheyDo = apart.inWhatTheyDo || std::abs(often) >= leastOften;
        const double seconds = std::abs(a.of(transition).seconds / static_cast<double>(std::max<std::size_t>(1, a.ranks)) -
                                        b.of(transition).seconds / static_cast<double>(std::max<std::size_t>(1, b.ranks)));
        if (seconds > apart.seconds || apart.transition == none) {
            apart.seconds = seconds;
            apart.transition = transition;
        }
    }
    return apart;
}

/// Joins clusters from the trained threshold upwards.
class Ascent {
  public:
    explicit Ascent(const SemiMarkovReport &report) : m_report(report), m_tree(report.hierarchy.dendrogram) {
        m_deeds.resize(report.clusters.size());
        for (std::size_t id = 0; id < report.clusters.size(); ++id)
            m_deeds[id].add(report.models[id].model, report.clusters[id].ranks.size());
        m_clusterOf.resize(m_tree.leaves + m_tree.merges.size());
        for (std::size_t leaf = 0; leaf < m_tree.leaves; ++leaf)
            m_clusterOf[leaf] = report.clusterOf[report.hierarchy.leaves[leaf].front()];
    }

    std::optional<ToldCut> climb() {
        ToldCut told;
        const double mean = m_report.times.seconds[m_report.shownPhase];
        told.phaseSeconds = mean > 0 ? mean : m_report.histories.runs[0].seconds(m_report.ranges[m_report.shownPhase].length());
        const double least = leastOfPhaseTime * told.phaseSeconds;
        for (std::size_t i = 0; i + m_tree.natural < m_tree.merges.size(); ++i) {
            const Merge &merge = m_tree.merges[i];
            const std::uint32_t a = m_clusterOf[merge.a];
            const std::uint32_t b = m_clusterOf[merge.b];
            m_clusterOf[m_tree.leaves + i] = a;
            if (merge.height <= m_report.clusterDeviation.threshold)
                continue;
            const Gap apart = gapBetween(m_report.histories.table, m_deeds[a], m_deeds[b]);
            if (apart.inWhatTheyDo || apart.seconds >= least)
                break;
            m_deeds[a].add(m_deeds[b]);
            told.threshold = merge.height;
            if (apart.seconds >= told.seconds) {
                told.seconds = apart.seconds;
                told.transition = apart.transition;
            }
        }
        if (told.threshold <= m_report.clusterDeviation.threshold)
            return std::nullopt;
        const std::vector<std::uint32_t> clusterOf = m_report.hierarchy.clusters(told.threshold);
        for (Rank rank = 0; rank < clusterOf.size(); ++rank) {
            if (clusterOf[rank] == none)
                continue;
            told.clusters.resize(std::max<std::size_t>(told.clusters.size(), clusterOf[rank] + 1));
            told.clusters[clusterOf[rank]].push_back(rank);
        }
        return told;
    }

  private:
    const SemiMarkovReport &m_report;
    const Dendrogram &m_tree;
    std::vector<Deeds> m_deeds;             ///< by cluster of the trained threshold, of what was joined into it
    std::vector<std::uint32_t> m_clusterOf; ///< by node of the dendrogram: where its deeds are
};

} // namespace

std::optional<ToldCut> toldCut(const SemiMarkovReport &report) {
    if (report.options.clusters > 0 || report.faultyCluster || report.clusters.size() < 2)
        return std::nullopt;
    return Ascent(report).climb();
}

ClusterCut openingCut(const SemiMarkovReport &report) {
    if (!report.told)
        return trainedCut(report);
    ClusterCut cut;
    cut.threshold = report.told->threshold;
    cut.clusterOf.assign(report.clusterOf.size(), none);
    for (std::uint32_t id = 0; id < report.told->clusters.size(); ++id) {
        for (const Rank rank : report.told->clusters[id])
            cut.clusterOf[rank] = id;
        cut.clusters.push_back({report.told->clusters[id], {}, {}});
    }
    for (std::size_t part = 0; part < report.clusters.size(); ++part)
        cut.clusters[cut.clusterOf[report.clusters[part].ranks.front()]].model.merge(report.models[part].model);
    for (ClusterCut::Cluster &cluster : cut.clusters)
        cluster.probabilities = cluster.model.probabilities(report.histories.table);
    return cut;
}

} // namespace laggard
