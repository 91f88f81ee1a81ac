// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/report/PlainGraph.h"

#include "analysis/progress/ReducedEdges.h"
#include "trace/MpiName.h"
#include "trace/Phrases.h"
#include "trace/Printable.h"
#include "trace/RankSet.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <sstream>
#include <stdexcept>

namespace laggard {
namespace {

// Pixels. Letters of the fonts that viewers put in place of sans-serif are this wide on average; a line may be cut off at the
// end.
constexpr double letter = 7.2;
constexpr double lineHeight = 17;
constexpr double margin = 12;
constexpr std::size_t mostLetters = 48;

std::string labelOf(const std::string &text) {
    const std::string shown = printable(text);
    if (shown.size() <= mostLetters)
        return shown;
    std::size_t end = mostLetters;
    while (end > 0 && (static_cast<unsigned char>(shown[end]) & 0xC0U) == 0x80U) // not in the midst of a letter
        --end;
    return shown.substr(0, end) + "…";
}

const Frame *callOf(const ProgressNode &node) {
    const auto found = std::find_if(node.stack.rbegin(), node.stack.rend(), [](const Frame &f) { return isMpiName(f.function); });
    return found == node.stack.rend() ? nullptr : &*found;
}

PlainGraph::Node plainNode(const ProgressNode &node) {
    PlainGraph::Node plain{
        .lines = {}, .isLeastProgressed = node.leastProgressed, .isComputing = node.kind != ModelState::Kind::Communication};
    if (node.leastProgressed)
        plain.lines.emplace_back("least progressed");
    plain.lines.push_back((node.ranks.size() == 1 ? "rank " : "ranks ") + describeRanges(node.ranks));
    const Frame *call = callOf(node);
    if (node.finished)
        plain.lines.emplace_back("finished");
    else if (call != nullptr)
        plain.lines.push_back(labelOf(call->function));
    const std::size_t caller = call == nullptr ? 0 : static_cast<std::size_t>(call - node.stack.data()) + 1;
    if (caller < node.stack.size()) {
        const Frame &frame = node.stack[caller];
        plain.lines.push_back(labelOf((call != nullptr ? "in " : node.isExact ? "" : "in or below ") + frame.function));
        if (const std::string place = sourcePlace(frame); !place.empty())
            plain.lines.push_back(labelOf(place));
    } else if (call == nullptr && !node.finished) {
        plain.lines.emplace_back("between MPI calls");
    }
    if (node.damaged)
        plain.lines.emplace_back("events are missing");
    return plain;
}

/// Graphviz reads backslash sequences and HTML entities in labels.
std::string quoted(const std::string &text) {
    std::string result;
    for (const char each : text)
        result += each == '&' ? "&amp;" : each == '"' || each == '\\' ? std::string{'\\', each} : std::string{each};
    return result;
}

std::string escapedXml(const std::string &text) {
    std::string result;
    for (const char each : text)
        result += each == '&'   ? "&amp;"
                  : each == '<' ? "&lt;"
                  : each == '>' ? "&gt;"
                  : each == '"' ? "&quot;"
                                : std::string{each};
    return result;
}

double widthOf(const PlainGraph::Node &node) {
    std::size_t longest = 0;
    for (const std::string &line : node.lines)
        longest = std::max(longest, line.size());
    return std::ceil(static_cast<double>(longest) * letter + 2 * margin);
}

double heightOf(const PlainGraph::Node &node) {
    return std::ceil(static_cast<double>(node.lines.size()) * lineHeight + 2 * margin);
}

std::string number(double value) {
    if (!(std::abs(value) <= 1e7)) // as the protocol says
        throw std::runtime_error("laggard-layout answers with a place that is none");
    char text[32];
    std::snprintf(text, sizeof text, "%.1f", value);
    return text;
}

void writeNode(std::ostream &svg, const PlainGraph::Node &node, double x, double y) {
    const double width = widthOf(node);
    const double height = heightOf(node);
    const auto box = [&](double inset, double stroke) {
        svg << "<rect x=\"" << number(x - width / 2 + inset) << "\" y=\"" << number(y - height / 2 + inset) << "\" width=\""
            << number(width - 2 * inset) << "\" height=\"" << number(height - 2 * inset) << "\" rx=\""
            << (node.isComputing ? 0 : 8) << "\" fill=\"" << (node.isComputing ? "#fff4dc" : "#e8f0fa")
            << "\" stroke=\"#333333\" stroke-width=\"" << stroke << "\"/>\n";
    };
    box(0, 1.4);
    if (node.isLeastProgressed)
        box(4, 1.4);
    double line = y - static_cast<double>(node.lines.size()) * lineHeight / 2 + lineHeight * 0.75;
    for (const std::string &text : node.lines) {
        svg << "<text x=\"" << number(x) << "\" y=\"" << number(line) << "\" text-anchor=\"middle\">" << escapedXml(text)
            << "</text>\n";
        line += lineHeight;
    }
}

/// `points`: a start, curves of three points each, `curve` numbers in all; the tip, and perhaps the place of the label.
void writeEdge(std::ostream &svg, const PlainGraph::Edge &edge, const std::vector<double> &points, std::size_t curve) {
    svg << "<path fill=\"none\" stroke=\"#333333\"" << (edge.isUndefined ? " stroke-dasharray=\"2 4\"" : "")
        << (edge.isUndefined ? "" : " marker-end=\"url(#head)\"") << " d=\"M";
    for (std::size_t i = 0; i + 1 < curve; i += 2)
        svg << (i == 2 ? " C" : " ") << number(points[i]) << ' ' << number(points[i + 1]);
    svg << " L " << number(points[curve]) << ' ' << number(points[curve + 1]) << "\"/>\n";
    if (points.size() > curve + 2 && !edge.label.empty())
        svg << "<text x=\"" << number(points[points.size() - 2]) << "\" y=\"" << number(points.back())
            << "\" text-anchor=\"middle\">" << escapedXml(edge.label) << "</text>\n";
}

} // namespace

PlainGraph plainGraph(const ProgressGraph &graph, bool allEdges, double seconds) {
    PlainGraph plain;
    std::ostringstream title;
    title << "Progress dependence at " << seconds << " s";
    plain.title = title.str();
    for (const ProgressNode &node : graph.nodes)
        plain.nodes.push_back(plainNode(node));
    std::vector<std::uint32_t> shown(graph.edges.size());
    std::iota(shown.begin(), shown.end(), 0U);
    for (const std::uint32_t each : allEdges ? shown : essentialEdges(graph)) {
        const ProgressEdge &edge = graph.edges[each];
        const bool isUndefined = edge.dependence == ProgressEdge::Dependence::Undefined;
        const auto percent = static_cast<int>(std::floor(std::clamp(edge.confidence, 0.0, 1.0) * 100));
        plain.edges.push_back({edge.from, edge.to, isUndefined, edge.observed,
                               isUndefined || percent == 100 ? std::string() : std::to_string(percent) + " %"});
    }
    return plain;
}

std::string dotOf(const PlainGraph &graph) {
    std::ostringstream dot;
    dot << "digraph progress {\n  label=\"" << quoted(graph.title)
        << "\"; labelloc=t; rankdir=BT;\n  node [shape=box, fontname=\"sans-serif\", fontsize=11];\n";
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
        const PlainGraph::Node &node = graph.nodes[i];
        dot << "  n" << i << " [label=\"";
        for (std::size_t line = 0; line < node.lines.size(); ++line)
            dot << (line == 0 ? "" : "\\n") << quoted(node.lines[line]);
        dot << "\", style=\"" << (node.isComputing ? "filled" : "filled,rounded") << "\", fillcolor=\""
            << (node.isComputing ? "#fff4dc" : "#e8f0fa") << '"' << (node.isLeastProgressed ? ", peripheries=2" : "") << "];\n";
    }
    for (const PlainGraph::Edge &edge : graph.edges) {
        dot << "  n" << edge.from << " -> n" << edge.to << " [";
        if (edge.isUndefined)
            dot << "style=dotted, dir=none, constraint=false";
        else
            dot << "arrowhead=" << (edge.isObserved ? "normal" : "empty") << ", label=\"" << quoted(edge.label) << '"';
        dot << "];\n";
    }
    dot << "}\n";
    return dot.str();
}

std::string layoutQuestion(const PlainGraph &graph) {
    std::ostringstream text;
    text << "laggard-layout 1\ndirection up\ngap 34 58\n";
    for (const PlainGraph::Node &node : graph.nodes)
        text << "node " << number(widthOf(node)) << ' ' << number(heightOf(node)) << '\n';
    for (const PlainGraph::Edge &edge : graph.edges) {
        text << (edge.isUndefined ? "link " : "edge ") << edge.from << ' ' << edge.to;
        if (!edge.label.empty())
            text << ' ' << number(static_cast<double>(edge.label.size()) * letter) << ' ' << number(lineHeight);
        text << '\n';
    }
    text << "end\n";
    return text.str();
}

std::string svgOf(const PlainGraph &graph, const std::string &answer) {
    std::istringstream lines(answer);
    std::ostringstream body;
    double width = 0;
    double height = 0;
    std::size_t nodes = 0;
    std::size_t edges = 0;
    bool isWhole = false;
    for (std::string line; !isWhole && std::getline(lines, line);) {
        std::istringstream words(line);
        std::string word;
        words >> word;
        if (word == "bounds") {
            words >> width >> height;
        } else if (word == "node" && nodes < graph.nodes.size()) {
            double x = 0;
            double y = 0;
            words >> x >> y;
            writeNode(body, graph.nodes[nodes++], x, y);
        } else if (word == "edge" && edges < graph.edges.size()) {
            std::size_t count = 0;
            words >> count;
            std::vector<double> points;
            for (double value = 0; words >> value;)
                points.push_back(value);
            if (count < 4 || (points.size() != 2 * count + 2 && points.size() != 2 * count + 4))
                throw std::runtime_error("laggard-layout answers with an edge that is none");
            writeEdge(body, graph.edges[edges++], points, 2 * count);
        }
        isWhole = word == "end";
    }
    if (!isWhole || nodes != graph.nodes.size() || edges != graph.edges.size())
        throw std::runtime_error("laggard-layout has not answered to the end");
    constexpr double title = 30;
    std::ostringstream svg;
    svg << "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" << number(width + 2 * margin) << "\" height=\""
        << number(height + title + 2 * margin) << "\" font-family=\"sans-serif\" font-size=\"12\">\n"
        << "<defs><marker id=\"head\" viewBox=\"0 0 10 10\" refX=\"9\" refY=\"5\" markerWidth=\"8\" markerHeight=\"8\" "
           "orient=\"auto\"><path d=\"M0 0 L10 5 L0 10 z\" fill=\"#333333\"/></marker></defs>\n"
        << "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n<text x=\"" << number(margin)
        << "\" y=\"20\" font-weight=\"bold\">" << escapedXml(graph.title) << "</text>\n<g transform=\"translate("
        << number(margin) << ' ' << number(title + margin) << ")\">\n"
        << body.str() << "</g>\n</svg>\n";
    return svg.str();
}

} // namespace laggard
