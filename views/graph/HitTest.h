// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/graph/GraphScene.h"

#include <cstdint>
#include <optional>

namespace laggard {

/// The node at a point of the scene.
[[nodiscard]] std::optional<std::uint32_t> nodeAt(const GraphScene &scene, QPointF point);

/// The edge that passes within `tolerance` pixels of a point, or whose label is there; the nearest if there are several.
[[nodiscard]] std::optional<std::uint32_t> edgeAt(const GraphScene &scene, QPointF point, qreal tolerance = 5);

enum class Heading : std::uint8_t { Left, Right, Up, Down };

/// Where the arrow keys lead from a node: the nearest one in that direction, those straight ahead first.
[[nodiscard]] std::optional<std::uint32_t> neighbour(const GraphScene &scene, std::uint32_t node, Heading heading);

} // namespace laggard
