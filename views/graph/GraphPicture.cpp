// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/graph/GraphPicture.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

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

namespace {

// Beside labels along the way an arrow needs less room than below each other, where heads and tails of several edges meet.
constexpr qreal betweenLevelsSideways = 30;

QSizeF gapOf(bool sideways) {
    LayoutRequest usual;
    if (sideways)
        usual.gap.setHeight(betweenLevelsSideways);
    return usual.gap;
}

QSizeF labelSize(const PictureEdge &edge) {
    return edge.label.isEmpty() ? QSizeF() : sizeOfText({edge.label, TextRole::EdgeLabel}) + QSizeF(8, 2);
}

/// By node: how many edges lead to it on the longest way without circles.
std::vector<std::size_t> levelsOf(const GraphPicture &picture) {
    const std::size_t count = picture.nodes.size();
    std::vector<std::vector<std::size_t>> next(count);
    for (const PictureEdge &edge : picture.edges)
        if (edge.from < count && edge.to < count && edge.from != edge.to)
            next[edge.from].push_back(edge.to);
    enum class Seen : std::uint8_t { No, Open, Done };
    std::vector<Seen> seen(count, Seen::No);
    std::vector<std::size_t> behind(count, 0); // longest way from here on
    for (std::size_t start = 0; start < count; ++start) {
        std::vector<std::pair<std::size_t, std::size_t>> way; // node, and which of its edges comes next
        if (seen[start] == Seen::No)
            way.emplace_back(start, 0);
        while (!way.empty()) {
            auto &[node, edge] = way.back();
            seen[node] = Seen::Open;
            if (edge < next[node].size()) {
                const std::size_t to = next[node][edge++];
                if (seen[to] == Seen::Done)
                    behind[node] = std::max(behind[node], behind[to] + 1);
                else if (seen[to] == Seen::No)
                    way.emplace_back(to, 0);
                continue;
            }
            const std::size_t done = node;
            seen[done] = Seen::Done;
            way.pop_back();
            if (!way.empty())
                behind[way.back().first] = std::max(behind[way.back().first], behind[done] + 1);
        }
    }
    return behind;
}

} // namespace

QSizeF extentOf(const GraphPicture &picture, bool sideways) {
    const std::vector<std::size_t> levels = levelsOf(picture);
    const QSizeF gap = gapOf(sideways);
    const auto along = [sideways](const QSizeF &size) { return sideways ? size.width() : size.height(); };
    const auto across = [sideways](const QSizeF &size) { return sideways ? size.height() : size.width(); };
    std::vector<qreal> longest;
    std::vector<qreal> broadest;
    std::vector<qreal> labels;
    for (std::size_t node = 0; node < levels.size(); ++node) {
        const std::size_t level = levels[node];
        longest.resize(std::max(longest.size(), level + 1));
        broadest.resize(longest.size());
        longest[level] = std::max(longest[level], along(picture.nodes[node].size));
        broadest[level] += across(picture.nodes[node].size) + gap.width();
    }
    labels.resize(longest.size());
    for (const PictureEdge &edge : picture.edges)
        if (edge.from < levels.size() && edge.to < levels.size() && levels[edge.from] > levels[edge.to])
            labels[levels[edge.from]] = std::max(labels[levels[edge.from]], along(labelSize(edge)));
    qreal length = 0;
    qreal breadth = 0;
    for (std::size_t level = 0; level < longest.size(); ++level) {
        length += longest[level] + labels[level] + (level == 0 ? 0 : gap.height());
        breadth = std::max(breadth, broadest[level] - gap.width());
    }
    return sideways ? QSizeF(length, breadth) : QSizeF(breadth, length);
}

LayoutRequest layoutRequest(const GraphPicture &picture) {
    LayoutRequest request;
    request.gap = gapOf(picture.sideways);
    for (const PictureNode &node : picture.nodes)
        request.nodes.push_back(picture.sideways ? node.size.transposed() : node.size);
    for (const PictureEdge &edge : picture.edges) {
        LayoutEdge placed{edge.from, edge.to, edge.style != EdgeStyle::Undefined, {}};
        if (!edge.label.isEmpty()) {
            const QSizeF label = labelSize(edge);
            placed.label = picture.sideways ? label.transposed() : label;
        }
        request.edges.push_back(placed);
    }
    return request;
}

} // namespace laggard
