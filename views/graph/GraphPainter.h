// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/graph/GraphScene.h"
#include "views/graph/GraphTheme.h"

#include <optional>
#include <set>

class QPainter;

namespace laggard {

/// What a window adds to the bare graph.
struct GraphEmphasis {
    std::set<std::uint32_t> selectedNodes;
    std::optional<std::uint32_t> selectedEdge;
    std::optional<std::uint32_t> hoveredNode; ///< everything but it and its neighbours stands back
    bool texts = true;                        ///< false where they would be too small to read: minimap
};

/// Nodes and edges, in the scene's coordinates; the background is not filled.
void paintGraph(QPainter &painter, const GraphScene &scene, const GraphTheme &theme, const GraphEmphasis &emphasis = {});

/// Title, remarks and legend, in the scene's coordinates.
void paintAnnotations(QPainter &painter, const GraphScene &scene, const GraphTheme &theme);

/// The whole picture, with its background.
void paintPicture(QPainter &painter, const GraphScene &scene, const GraphTheme &theme);

[[nodiscard]] QColor colourOf(EdgeStyle style, const GraphTheme &theme);
[[nodiscard]] QColor colourOf(TextRole role, const GraphTheme &theme);

/// As it can be seen on the theme's background.
[[nodiscard]] QColor colourOf(const EdgeLook &look, const GraphTheme &theme);

/// Lengths of dashes and gaps in pixels; empty for a solid line. Different for every style.
[[nodiscard]] std::vector<qreal> dashesOf(EdgeStyle style);

} // namespace laggard
