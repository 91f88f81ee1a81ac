// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/semimarkov/ClusterCut.h"
#include "views/graph/GraphPicture.h"

#include <QPen>

namespace laggard {

/// "A", "B", … "Z", "AA": short, as it stands on many edges.
[[nodiscard]] QString clusterLabel(std::uint32_t cluster);

/// "B (rank 7)".
[[nodiscard]] QString clusterName(const ClusterCut &cut, std::uint32_t cluster);

/// "B: rank 7, unusual".
[[nodiscard]] QString clusterText(const ClusterCut &cut, std::uint32_t cluster);

/// Colour and dashes of a cluster. The faulty one is vermilion with a pattern of its own; of the others the largest are told
/// apart by colour, further ones by dashes, too.
[[nodiscard]] EdgeLook clusterLook(const ClusterCut &cut, std::uint32_t cluster);

/// What several clusters do alike.
[[nodiscard]] EdgeLook sharedLook();

/// A pen of this look; `width` instead of the look's if it is not 0.
[[nodiscard]] QPen penOf(const EdgeLook &look, const QColor &background, qreal width = 0);

/// The clusters in the order in which they are told: the faulty one, then by falling size.
[[nodiscard]] std::vector<std::uint32_t> clusterOrder(const ClusterCut &cut);

} // namespace laggard
