// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/automaded/ClusterIsolation.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace laggard {

struct SemiMarkovReport;

/// Ranks that the verdict tells apart from others of their cluster (ours). Clusters are cut without knowledge of the verdict:
/// this stands beside them and changes none.
struct SetApart {
    std::uint32_t cluster = 0; ///< the cluster that has these ranks
    RankSet ranks;             ///< a proper part of it
    bool byBranch = false;     ///< those in which the verdict shows are too many to list: the branch of the dendrogram instead
    std::vector<CharacteristicTransition> characteristic; ///< between them and the other ranks of the phase
};

/// Nothing if the clusters, by rank, have the verdict's ranks by themselves, or nobody is named.
[[nodiscard]] std::optional<SetApart> setApartFrom(const SemiMarkovReport &report, std::span<const std::uint32_t> clusterOf);

/// "The verdict's rank 3 is in the cluster of ranks 0-7: …". `cluster`: the ranks of the cluster.
[[nodiscard]] std::string describe(const SetApart &apart, const RankSet &cluster);

} // namespace laggard
