// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/automaded/PhaseClusters.h"
#include "analysis/automaded/PhaseDeviation.h"

#include <optional>
#include <vector>

namespace laggard {

/// Ranks that behave alike in a phase, and how unusual they are (AutomaDeD §4.3).
struct SmmCluster {
    RankSet ranks;
    /// SMM metric: root mean square over the members of their deviation from their own counterparts (references, else other
    /// phases).
    double smm = 0;
    /// Cluster metric: share of the pairs with a member that are grouped differently in the counterparts (Mirkin), root mean
    /// square.
    double cluster = 0;
    /// Deviation from the other clusters of the phase: root mean square over them of the mean Diff between members; with two
    /// clusters the same for both. Of more than 512 others, evenly spread ones stand for them (ours).
    double contrast = 0;
};

/// Deviation of each rank in `phase` from its own counterparts: root mean square of Diff to the same phase in the references,
/// else to the phases of its set at the compared lags. 0 where the rank does not have the phase.
[[nodiscard]] std::vector<double> rankDeviations(const Histories &histories, const PhaseTable &phases, const ModelScale &scale,
                                                 std::uint32_t buckets, std::span<const double> inverseNoise,
                                                 std::span<const std::uint32_t> lags, std::size_t phase, const Work &work);

/// The clusters of a phase with all scores. `clusterOf` by rank.
[[nodiscard]] std::vector<SmmCluster> scoreClusters(const Histories &histories, const PhaseTable &phases,
                                                    const PhaseHierarchy &hierarchy, std::span<const std::uint32_t> clusterOf,
                                                    const ClusterDeviation &deviation, std::span<const double> rankDeviation,
                                                    std::span<const double> inverseNoise, std::size_t phase, const Work &work);

/// The cluster with the largest score; of (nearly) equal ones the smallest. Nothing if there is one cluster only.
[[nodiscard]] std::optional<std::uint32_t> mostUnusual(const std::vector<SmmCluster> &clusters, double SmmCluster::*score);

/// A transition that sets a cluster apart (AutomaDeD §4.3).
struct CharacteristicTransition {
    std::uint32_t transition = none;
    double wins = 0;         ///< share of the compared pairs in which it contributes most to Diff
    double contribution = 0; ///< χ: its mean contribution to Diff over the pairs
};

/// The transitions that contribute most to Diff between members of the cluster and other ranks, by the number of pairs in which
/// they contribute most, ties by mean contribution; at most `most`. Of more than 64 ranks on a side, evenly spread ones stand for
/// the others. `groups`: natural groups by rank (may be empty); members are compared with others of their own group if there are
/// any, because everything is characteristic of a master among workers (ours). If nobody is outside, members are compared with
/// their own counterparts (references, else the phases before and after).
[[nodiscard]] std::vector<CharacteristicTransition>
characteristicTransitions(const Histories &histories, const PhaseTable &phases, const ModelScale &scale, std::uint32_t buckets,
                          const PhaseHierarchy &hierarchy, std::span<const double> inverseNoise,
                          std::span<const std::uint32_t> groups, const RankSet &members, std::size_t phase, std::size_t most);

} // namespace laggard
