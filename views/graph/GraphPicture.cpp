// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/graph/GraphPicture.h"

#include <algorithm>

namespace laggard {

qreal rowHeight(const TextRow &row) {
    qreal height = 0;
    for (const PictureText &piece : row) {
        const bool beginsGroup =
            piece.role == TextRole::Function || piece.role == TextRole::Note || piece.role == TextRole::Damaged;
        height = std::max(height, metricsOf(piece.role).height() + (beginsGroup ? 5 : 0));
    }
    return height;
}

LayoutRequest layoutRequest(const GraphPicture &picture) {
    LayoutRequest request;
    for (const PictureNode &node : picture.nodes)
        request.nodes.push_back(picture.sideways ? node.size.transposed() : node.size);
    for (const PictureEdge &edge : picture.edges) {
        LayoutEdge placed{edge.from, edge.to, edge.style != EdgeStyle::Undefined, {}};
        if (!edge.label.isEmpty()) {
            const QSizeF label = sizeOfText({edge.label, TextRole::EdgeLabel}) + QSizeF(8, 2);
            placed.label = picture.sideways ? label.transposed() : label;
        }
        request.edges.push_back(placed);
    }
    return request;
}

} // namespace laggard
