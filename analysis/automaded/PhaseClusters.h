// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/automaded/Clustering.h"
#include "analysis/semimarkov/ModelDifference.h"
#include "trace/RankSet.h"

#include <vector>

namespace laggard {

/// The models of all ranks in one phase, equal ones collapsed, and their hierarchy.
struct PhaseHierarchy {
    std::vector<std::uint32_t>
        leafOf;                  ///< by rank: number of its model among the different ones; `none` if it does not have the phase
    std::vector<RankSet> leaves; ///< ranks with that model
    std::vector<PreparedModel> models; ///< by leaf
    Dendrogram dendrogram;             ///< over the leaves

    /// Cluster of each rank (`none` without the phase) at a threshold.
    [[nodiscard]] std::vector<std::uint32_t> clusters(double threshold) const;
    /// The largest branch of the dendrogram that has the rank and at most half of all ranks.
    [[nodiscard]] RankSet minorityWith(Rank rank) const;
};

/// How much work a hierarchy may be.
struct HierarchyLimits {
    std::size_t exact = 2048; ///< up to so many different models all pairs are compared; above, all with `leaders`
    std::size_t leaders = 256;
};
/// Histograms take about twenty times as long to compare.
[[nodiscard]] HierarchyLimits usualLimits(DistributionKind distribution);

/// `groups`: natural groups by rank (naturalGroups), may be empty. Throws Cancelled.
[[nodiscard]] PhaseHierarchy clusterPhase(const Histories &histories, const PhaseTable &phases, const ModelScale &scale,
                                          std::uint32_t buckets, std::span<const double> inverseNoise,
                                          std::span<const std::uint32_t> groups, std::size_t run, std::size_t phase,
                                          const HierarchyLimits &limits, const Work &work);

/// Ranks that visit the same states, by rank; made from the references, or from the run without phase `judged`. Empty if that
/// says nothing: more groups than `clusters` (if given), or fewer than four ranks in a group on average.
[[nodiscard]] std::vector<std::uint32_t> naturalGroups(const Histories &histories, const PhaseTable &phases, std::size_t judged,
                                                       std::size_t clusters, const Work &work);

/// The threshold that the training phases give on average (AutomaDeD §3.4): with references, phase `judged` and up to seven
/// others of each; else the first phase of the set. Throws Cancelled.
[[nodiscard]] double trainedThreshold(const Histories &histories, const PhaseTable &phases, const ModelScale &scale,
                                      std::uint32_t buckets, std::span<const double> inverseNoise,
                                      std::span<const std::uint32_t> groups, std::size_t judged, std::size_t clusters,
                                      const Work &work);

/// Deviation of phases by the cluster metric (AutomaDeD §4.2): root mean square of the Mirkin distances to the counterparts. Only
/// phases that were clustered have a score; where all would take too long, evenly spread ones and those in `always` do.
struct ClusterDeviation {
    double threshold = 0;
    std::vector<bool> known;                                           ///< by phase
    std::vector<double> self;                                          ///< by phase, to the other clustered phases of the set
    std::vector<double> toPrevious;                                    ///< to the clustered phase before
    std::vector<double> samples;                                       ///< to the same phase in the references; empty without
    std::vector<std::vector<std::uint32_t>> clusters;                  ///< by phase, then rank; empty where not known
    std::vector<std::vector<std::vector<std::uint32_t>>> ofReferences; ///< by reference, phase, rank
};

[[nodiscard]] ClusterDeviation clusterDeviations(const Histories &histories, const PhaseTable &phases, const ModelScale &scale,
                                                 std::uint32_t buckets, std::span<const double> inverseNoise,
                                                 std::span<const std::uint32_t> groups, double threshold,
                                                 const std::vector<std::uint32_t> &always, const Work &work);

} // namespace laggard
