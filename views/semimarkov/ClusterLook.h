// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/behaviour/ClusterCut.h"
#include "views/graph/GraphPicture.h"

#include <QPen>

namespace laggard {

/// "A", "B", … "Z", "AA": short, as it stands on many edges.
[[nodiscard]] QString clusterLabel(std::uint32_t cluster);

/// "B (rank 7)".
[[nodiscard]] QString clusterName(const ClusterCut &cut, std::uint32_t cluster);

/// "unusual", or "has rank 7 of the verdict" where that is with others; nothing of other clusters.
[[nodiscard]] QString clusterNote(const ClusterCut &cut, std::uint32_t cluster);

/// "B: rank 7, unusual".
[[nodiscard]] QString clusterText(const ClusterCut &cut, std::uint32_t cluster);

/// "Unusual: cluster B (rank 7)", or "Unusual: rank 7, in cluster A (ranks 0–7)". The cut must have a faulty cluster.
[[nodiscard]] QString unusualText(const ClusterCut &cut);

/// What the clusters say of whom the verdict names, where that is not plain to see: that they do not set it apart from others,
/// or, of several in a run in which nothing is unusual, that none of them is. Empty otherwise.
[[nodiscard]] QString clusterJudgement(const SemiMarkovReport &report, const ClusterCut &cut);

/// Whom the characteristic transitions set apart: "cluster B", or "rank 7". The cut must have a faulty cluster.
[[nodiscard]] QString unusualName(const ClusterCut &cut);

/// A cluster that has the verdict's ranks and no others.
[[nodiscard]] bool isUnusual(const ClusterCut &cut, std::uint32_t cluster);

/// Colour and dashes of a cluster. The unusual one is vermilion with a pattern of its own; the largest of the others are told
/// apart by colour, further ones by dashes, too.
[[nodiscard]] EdgeLook clusterLook(const ClusterCut &cut, std::uint32_t cluster);

/// The look of what is unusual, and of what sets it apart.
[[nodiscard]] EdgeLook unusualLook();

/// What one cluster alone does, where that is not what is unusual.
[[nodiscard]] EdgeLook aloneLook();

/// What several clusters do alike.
[[nodiscard]] EdgeLook sharedLook();

/// A pen of this look; `width` instead of the look's if it is not 0.
[[nodiscard]] QPen penOf(const EdgeLook &look, const QColor &background, qreal width = 0);

/// The clusters in the order in which they are told: the faulty one, then by falling size.
[[nodiscard]] std::vector<std::uint32_t> clusterOrder(const ClusterCut &cut);

} // namespace laggard
