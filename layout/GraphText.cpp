// SPDX-License-Identifier: MIT
#include "GraphText.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string_view>

namespace layout {
namespace {

constexpr std::string_view firstLine = "laggard-layout 1";
constexpr std::size_t mostNodes = 100'000; // far beyond what dot can lay out, and what a person can read
constexpr std::size_t mostEdges = 1'000'000;
constexpr double longest = 10'000; // dot gives up on nodes of more than 65,535 points; drawings use much less

/// One line of input, taken apart word by word.
class Line {
  public:
    Line(std::string_view text, std::size_t number) : m_rest(text), m_number(number) {}

    [[nodiscard]] bool atEnd() {
        skipBlanks();
        return m_rest.empty();
    }

    std::string_view word(const char *what) {
        if (atEnd())
            fail(std::string(what) + " is missing");
        const std::string_view word = m_rest.substr(0, m_rest.find_first_of(" \t"));
        m_rest.remove_prefix(word.size());
        return word;
    }

    double length(const char *what) {
        const std::string_view text = word(what);
        double value = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value) || value < 0 || value > longest)
            fail(std::string(what) + " must be a number from 0 to 10000, not \"" + std::string(text.substr(0, 40)) + "\"");
        return value;
    }

    std::uint32_t node(const char *what, std::size_t count) {
        const std::string_view text = word(what);
        std::uint32_t value = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        if (error != std::errc() || end != text.data() + text.size() || value >= count)
            fail(std::string(what) + " must be the number of a node listed before it, not \"" + std::string(text.substr(0, 40)) +
                 "\"");
        return value;
    }

    void finish() {
        if (!atEnd())
            fail("unexpected \"" + std::string(m_rest.substr(0, 40)) + "\"");
    }

    [[noreturn]] void fail(const std::string &why) const { throw BadInput("line " + std::to_string(m_number) + ": " + why); }

  private:
    void skipBlanks() { m_rest.remove_prefix(std::min(m_rest.find_first_not_of(" \t"), m_rest.size())); }

    std::string_view m_rest;
    std::size_t m_number;
};

Direction readDirection(Line &line) {
    const std::string_view word = line.word("the direction");
    if (word == "down")
        return Direction::Down;
    if (word == "up")
        return Direction::Up;
    if (word == "right")
        return Direction::Right;
    if (word == "left")
        return Direction::Left;
    line.fail("the direction must be down, up, right or left");
}

Edge readEdge(Line &line, std::size_t nodes, bool directed) {
    Edge edge;
    edge.from = line.node("the tail", nodes);
    edge.to = line.node("the head", nodes);
    edge.directed = directed;
    if (!line.atEnd()) {
        edge.label.emplace();
        edge.label->width = line.length("the width of the label");
        edge.label->height = line.length("the height of the label");
    }
    return edge;
}

/// False for the last line.
bool readLine(Line &line, Graph &graph) {
    if (line.atEnd())
        return true;
    const std::string_view word = line.word("a keyword");
    if (word == "end") {
        line.finish();
        return false;
    }
    if (word == "node") {
        if (graph.nodes.size() == mostNodes)
            line.fail("more than 100000 nodes");
        Size size;
        size.width = line.length("the width");
        size.height = line.length("the height");
        graph.nodes.push_back(size);
    } else if (word == "edge" || word == "link") {
        if (graph.edges.size() == mostEdges)
            line.fail("more than 1000000 edges");
        graph.edges.push_back(readEdge(line, graph.nodes.size(), word == "edge"));
    } else if (word == "direction") {
        graph.direction = readDirection(line);
    } else if (word == "gap") {
        graph.gap.width = line.length("the gap within a level");
        graph.gap.height = line.length("the gap between levels");
    } else {
        line.fail("unknown keyword \"" + std::string(word.substr(0, 40)) + "\"");
    }
    line.finish();
    return true;
}

void write(std::ostream &out, double value) {
    char text[32];
    const auto [end, error] = std::to_chars(text, text + sizeof text, value, std::chars_format::fixed, 2);
    out << ' ' << std::string_view(text, error == std::errc() ? static_cast<std::size_t>(end - text) : 0);
}

void write(std::ostream &out, Point point) {
    write(out, point.x);
    write(out, point.y);
}

} // namespace

Graph readGraph(std::istream &in) {
    std::string text;
    if (!std::getline(in, text) || text != firstLine)
        throw BadInput("line 1: expected \"laggard-layout 1\"");
    Graph graph;
    for (std::size_t number = 2; std::getline(in, text); ++number) {
        Line line(text, number);
        if (!readLine(line, graph))
            return graph;
    }
    throw BadInput("the input ends before the line \"end\"");
}

void writeDrawing(std::ostream &out, const Drawing &drawing) {
    out << firstLine << "\nbounds";
    write(out, Point{drawing.bounds.width, drawing.bounds.height});
    out << '\n';
    for (const Point &centre : drawing.nodes) {
        out << "node";
        write(out, centre);
        out << '\n';
    }
    for (const Route &route : drawing.routes) {
        out << "edge " << route.curve.size();
        for (const Point &point : route.curve)
            write(out, point);
        write(out, route.tip);
        if (route.label)
            write(out, *route.label);
        out << '\n';
    }
    out << "end\n";
}

} // namespace layout
