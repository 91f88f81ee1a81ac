// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QPointF>
#include <QRectF>
#include <QSizeF>

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <vector>

namespace laggard {

/// Why a graph could not be laid out; one sentence for people.
struct LayoutError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

struct LayoutEdge {
    std::uint32_t from = 0;
    std::uint32_t to = 0;
    bool directed = true;        ///< false: a line without a head that does not say who is above whom
    std::optional<QSizeF> label; ///< room to keep free beside it
};

/// A graph to be laid out, the heads of its edges above their tails. Lengths in pixels.
struct LayoutRequest {
    QSizeF gap{34, 58}; ///< between neighbours of one level, and between levels
    std::vector<QSizeF> nodes;
    std::vector<LayoutEdge> edges;
};

/// The way of an edge.
struct EdgeRoute {
    std::vector<QPointF> curve;   ///< start, then control, control, end of each cubic Bézier curve
    QPointF tip;                  ///< tip of the arrow head that follows the curve's end; without a head, that end itself
    std::optional<QPointF> label; ///< centre of the label
};

/// Where everything goes: y grows downwards, everything lies in `bounds`.
struct GraphLayout {
    QRectF bounds;
    std::vector<QRectF> nodes;
    std::vector<EdgeRoute> edges;
};

/// The text that laggard-layout reads (docs/layout-protocol.md).
[[nodiscard]] QByteArray writeLayoutRequest(const LayoutRequest &request);

/// What laggard-layout answered to `request`. Throws LayoutError, also where a coordinate is beyond 10,000,000.
[[nodiscard]] GraphLayout readLayoutReply(const QByteArray &reply, const LayoutRequest &request);

} // namespace laggard
