// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/graph/GraphLayout.h"
#include "views/picture/PictureText.h"

#include <QRgb>
#include <QSizeF>

#include <optional>
#include <vector>

namespace laggard {

/// How an edge is drawn: each has a colour and a dash pattern of its own.
enum class EdgeStyle : std::uint8_t { Collective, PointToPoint, Loop, Undefined };

/// How an edge is drawn where it is none of these: by cluster, for one.
struct EdgeLook {
    QRgb hue = 0;              ///< one of hue::, moved to where it can be seen on the background
    std::vector<qreal> dashes; ///< pixels of dashes and gaps in turn; empty for a solid line
    qreal width = 1.4;         ///< pixels
    bool operator==(const EdgeLook &) const = default;
};

using TextRow = std::vector<PictureText>; ///< side by side

struct PictureNode {
    std::vector<TextRow> rows;
    QSizeF size; ///< pixels, room for all rows
    bool leastProgressed = false;
    bool damaged = false;
    bool computing = false; ///< between MPI calls; otherwise inside one
    QString fullText;       ///< nothing shortened: tooltips and lists
    bool absent = false;    ///< it should be there, and is not: a dashed outline, not filled
};

/// Height of a row of a node, with the gap above it, in pixels.
[[nodiscard]] qreal rowHeight(const TextRow &row);

/// `from` waits for `to`, unless the style is Undefined.
struct PictureEdge {
    std::uint32_t from = 0;
    std::uint32_t to = 0;
    EdgeStyle style = EdgeStyle::Collective;
    bool observed = false; ///< filled head; an open head is inferred from probabilities
    double confidence = 1;
    QString label; ///< empty when there is no doubt
    QString fullText;
    std::optional<EdgeLook> look = {}; ///< instead of the style's
    std::uint32_t number = 0;          ///< in the graph that is drawn
};

struct LegendEntry {
    enum class Sample : std::uint8_t {
        Edge,
        Observed,
        Inferred,
        Doubt,
        LeastProgressed,
        Damaged,
        Communication,
        Computation,
        Absent
    };
    Sample sample = Sample::Edge;
    EdgeStyle style = EdgeStyle::Collective; ///< for an Edge: its style
    QString text;
    std::optional<EdgeLook> look = {}; ///< for an Edge: its look, instead of the style's
};

/// Everything a picture of a graph says, in words and sizes; no positions and no colours yet.
/// The legend explains what occurs, and nothing else.
struct GraphPicture {
    QString title;
    std::vector<PictureText> head;    ///< above the graph; one paragraph each
    std::vector<PictureText> remarks; ///< below it
    std::vector<PictureNode> nodes;   ///< as in the graph
    std::vector<PictureEdge> edges;   ///< in the order of the graph's
    std::vector<LegendEntry> legend;
    bool downwards = false; ///< edges lead from above to below; else the other way
    bool sideways = false;  ///< with downwards: they lead from left to right
};

/// About how large a picture becomes when it is laid out downwards, or sideways: levels by the longest way through the graph,
/// edges that close a circle left out. In pixels, at scale 1.
[[nodiscard]] QSizeF extentOf(const GraphPicture &picture, bool sideways);

/// What to lay out. For a picture that goes sideways width and height are exchanged: makeScene turns what comes back.
[[nodiscard]] LayoutRequest layoutRequest(const GraphPicture &picture);

} // namespace laggard
