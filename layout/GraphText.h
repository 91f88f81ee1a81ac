// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <istream>
#include <optional>
#include <ostream>
#include <stdexcept>
#include <string>
#include <vector>

namespace layout {

// The text that goes in and out of laggard-layout: docs/layout-protocol.md. All lengths are in the caller's unit.

struct Size {
    double width = 0;
    double height = 0;
};

struct Point {
    double x = 0;
    double y = 0; ///< grows downwards
};

/// Where the head of an edge lies, seen from its tail.
enum class Direction : std::uint8_t { Down, Up, Right, Left };

struct Edge {
    std::uint32_t from = 0;
    std::uint32_t to = 0;
    bool directed = true;      ///< false: no arrow head, and no say in who is above whom
    std::optional<Size> label; ///< room to keep free beside the edge
};

struct Graph {
    Direction direction = Direction::Down;
    Size gap{24, 48}; ///< between neighbours of one level, and between levels
    std::vector<Size> nodes;
    std::vector<Edge> edges;
};

/// The way of an edge: a start, then control, control, end of each cubic Bezier curve. The arrow head reaches from the
/// last point to the tip.
struct Route {
    std::vector<Point> curve;
    Point tip;                  ///< the last point of the curve where there is no arrow head
    std::optional<Point> label; ///< centre of the label
};

struct Drawing {
    Size bounds;              ///< everything lies in (0, 0) to this
    std::vector<Point> nodes; ///< centres
    std::vector<Route> routes;
};

/// What is wrong with the input, in one sentence.
struct BadInput : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// Throws BadInput with the number of the line.
[[nodiscard]] Graph readGraph(std::istream &in);

void writeDrawing(std::ostream &out, const Drawing &drawing);

} // namespace layout
