// SPDX-License-Identifier: MIT
#include "DotLayout.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>

#include <graphviz/gvc.h>

extern "C" {
extern gvplugin_library_t gvplugin_dot_layout_LTX_library;
}

namespace layout {
namespace {

constexpr double pointsPerInch = 72;
constexpr double arrowLength = 10; // what Graphviz leaves for an arrow head

std::string firstMessage; // Graphviz reports errors through a plain function

int keepFirstMessage(char *text) {
    if (firstMessage.empty())
        firstMessage = text;
    return 0;
}

std::string number(double value) {
    char text[32];
    const auto [end, error] = std::to_chars(text, text + sizeof text, value, std::chars_format::fixed, 4);
    return error == std::errc() ? std::string(text, end) : std::string("0");
}

/// How much time dot may spend. Its defaults iterate until nothing improves: 46 s at 1,000 nodes.
struct Effort {
    const char *simplexRounds;  ///< nslimit, nslimit1: times the number of nodes
    const char *crossingRounds; ///< mclimit: times the usual number
};

/// dot's work grows with the number of levels that all edges cross together, not with the number of nodes.
Effort effortFor(std::size_t levelsCrossed) {
    if (levelsCrossed <= 600)
        return {"10", "1"};
    if (levelsCrossed <= 1200)
        return {"1", "0.3"};
    return {"0.2", "0.05"};
}

/// Room for labels doubles the number of levels; beyond this, labels lie on the middle of their edges instead.
constexpr std::size_t mostForLabels = 400;

/// Beyond this, the longest edges are left out of the layout and drawn straight.
std::size_t mostLevelsCrossed(const Graph &graph) { return std::min<std::size_t>(4000, 1000 + 3 * graph.nodes.size()); }

/// A Graphviz context and graph, freed in the right order.
class DotGraph {
  public:
    DotGraph() {
        // Only the layout engine that is linked in: the plugin list that `dot -c` writes is not read.
        static const lt_symlist_t plugins[] = {{"gvplugin_dot_layout_LTX_library", &gvplugin_dot_layout_LTX_library},
                                               {nullptr, nullptr}};
        agseterrf(keepFirstMessage);
        m_context = gvContextPlugins(plugins, 0);
        m_graph = agopen(const_cast<char *>("g"), Agdirected, nullptr);
        if (!m_context || !m_graph)
            throw LayoutFailed("Graphviz could not be started");
    }
    ~DotGraph() {
        if (m_graph) {
            gvFreeLayout(m_context, m_graph);
            agclose(m_graph);
        }
        if (m_context)
            gvFreeContext(m_context);
    }
    DotGraph(const DotGraph &) = delete;
    DotGraph &operator=(const DotGraph &) = delete;

    void declare(int kind, const char *name, const std::string &value) {
        agattr(m_graph, kind, const_cast<char *>(name), const_cast<char *>(value.c_str()));
    }
    static void set(void *object, const char *name, const std::string &value) {
        agset(object, const_cast<char *>(name), const_cast<char *>(value.c_str()));
    }
    static void setHtml(Agraph_t *graph, void *object, const char *name, const std::string &value) {
        char *html = agstrdup_html(graph, const_cast<char *>(value.c_str()));
        agset(object, const_cast<char *>(name), html);
        agstrfree(graph, html);
    }
    [[nodiscard]] Agraph_t *graph() { return m_graph; }
    void run() {
        if (gvLayout(m_context, m_graph, "dot") != 0)
            throw LayoutFailed(firstMessage.empty() ? "Graphviz failed without a reason" : firstMessage);
    }

  private:
    GVC_t *m_context = nullptr;
    Agraph_t *m_graph = nullptr;
};

const char *rankdir(Direction direction) {
    switch (direction) {
    case Direction::Down:
        return "TB";
    case Direction::Up:
        return "BT";
    case Direction::Right:
        return "LR";
    case Direction::Left:
        return "RL";
    }
    return "TB";
}

void declareAttributes(DotGraph &dot, const Graph &graph, const Effort &effort) {
    dot.declare(AGRAPH, "rankdir", rankdir(graph.direction));
    dot.declare(AGRAPH, "nodesep", number(graph.gap.width / pointsPerInch));
    dot.declare(AGRAPH, "ranksep", number(graph.gap.height / pointsPerInch));
    dot.declare(AGRAPH, "nslimit", effort.simplexRounds);
    dot.declare(AGRAPH, "nslimit1", effort.simplexRounds);
    dot.declare(AGRAPH, "mclimit", effort.crossingRounds);
    dot.declare(AGRAPH, "splines", "true");
    dot.declare(AGNODE, "shape", "box");
    dot.declare(AGNODE, "fixedsize", "true");
    dot.declare(AGNODE, "label", "");
    dot.declare(AGNODE, "width", "1");
    dot.declare(AGNODE, "height", "1");
    dot.declare(AGEDGE, "label", "");
    dot.declare(AGEDGE, "dir", "forward");
    dot.declare(AGEDGE, "constraint", "true");
}

/// A label of exactly this size, without any text to measure.
std::string emptyTable(const Size &size) {
    const auto whole = [](double value) { return std::to_string(static_cast<int>(value + 0.999)); };
    return "<table border=\"0\" cellborder=\"0\" cellspacing=\"0\" cellpadding=\"0\" fixedsize=\"true\" width=\"" +
           whole(size.width) + "\" height=\"" + whole(size.height) + "\"><tr><td></td></tr></table>";
}

/// The point halfway along the middle one of a route's curves.
Point middleOf(const std::vector<Point> &curve) {
    const std::size_t curves = (curve.size() - 1) / 3;
    if (curves == 0)
        return curve.front();
    const Point *p = &curve[(curves / 2) * 3];
    return {(p[0].x + 3 * p[1].x + 3 * p[2].x + p[3].x) / 8, (p[0].y + 3 * p[1].y + 3 * p[2].y + p[3].y) / 8};
}

template <typename Placed> Route routeOf(Agedge_t *edge, Placed placed, bool labelled) {
    Route route;
    const splines *all = ED_spl(edge);
    if (!all || all->size == 0)
        throw LayoutFailed(firstMessage.empty() ? "Graphviz found no way for an edge" : firstMessage);
    for (int b = 0; b < all->size; ++b) {
        const bezier &piece = all->list[b];
        for (int i = b == 0 ? 0 : 1; i < piece.size; ++i)
            route.curve.push_back(placed(piece.list[i]));
    }
    const bezier &last = all->list[all->size - 1];
    route.tip = last.eflag ? placed(last.ep) : route.curve.back();
    if (labelled)
        route.label = ED_label(edge) ? placed(ED_label(edge)->pos) : middleOf(route.curve);
    return route;
}

using Nodes = std::vector<Agnode_t *>;

Nodes addNodes(DotGraph &dot, const Graph &graph) {
    Nodes nodes;
    nodes.reserve(graph.nodes.size());
    for (const Size &size : graph.nodes) {
        Agnode_t *node = agnode(dot.graph(), nullptr, 1);
        DotGraph::set(node, "width", number(size.width / pointsPerInch));
        DotGraph::set(node, "height", number(size.height / pointsPerInch));
        nodes.push_back(node);
    }
    return nodes;
}

Agedge_t *addEdge(DotGraph &dot, const Nodes &nodes, const Edge &edge, bool roomForLabels) {
    Agedge_t *added = agedge(dot.graph(), nodes[edge.from], nodes[edge.to], nullptr, 1);
    if (!edge.directed) {
        DotGraph::set(added, "dir", "none");
        DotGraph::set(added, "constraint", "false");
    }
    if (edge.label && roomForLabels)
        DotGraph::setHtml(dot.graph(), added, "label", emptyTable(*edge.label));
    return added;
}

/// How many levels each edge crosses, from a run of dot that stops after it has assigned the levels.
std::vector<std::size_t> levelsCrossed(const Graph &graph) {
    DotGraph dot;
    declareAttributes(dot, graph, effortFor(0));
    dot.declare(AGRAPH, "phase", "1");
    const Nodes nodes = addNodes(dot, graph);
    for (const Edge &edge : graph.edges)
        addEdge(dot, nodes, edge, false);
    dot.run();
    std::vector<std::size_t> levels;
    levels.reserve(graph.edges.size());
    for (const Edge &edge : graph.edges)
        levels.push_back(static_cast<std::size_t>(std::abs(ND_rank(nodes[edge.from]) - ND_rank(nodes[edge.to]))));
    return levels;
}

/// The edges that take part in the layout: all, or the shortest ones that together cross few enough levels.
std::vector<bool> affordable(const std::vector<std::size_t> &levels, std::size_t most, std::size_t &sum) {
    std::vector<std::size_t> order(levels.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return levels[a] < levels[b]; });
    std::vector<bool> takesPart(levels.size(), false);
    sum = 0;
    for (const std::size_t edge : order) {
        if (sum + levels[edge] > most)
            break;
        sum += levels[edge];
        takesPart[edge] = true;
    }
    return takesPart;
}

/// Where the way from the centre of a node towards `target` leaves its box.
Point borderPoint(Point centre, const Size &size, Point target) {
    const double dx = target.x - centre.x;
    const double dy = target.y - centre.y;
    const double scale = std::max(std::abs(dx) / std::max(size.width / 2, 1e-9), std::abs(dy) / std::max(size.height / 2, 1e-9));
    return scale <= 1 ? centre : Point{centre.x + dx / scale, centre.y + dy / scale};
}

Point between(Point a, Point b, double share) { return {a.x + (b.x - a.x) * share, a.y + (b.y - a.y) * share}; }

Route straightRoute(const Graph &graph, const Edge &edge, const std::vector<Point> &centres) {
    const Point start = borderPoint(centres[edge.from], graph.nodes[edge.from], centres[edge.to]);
    const Point tip = borderPoint(centres[edge.to], graph.nodes[edge.to], centres[edge.from]);
    const double length = std::hypot(tip.x - start.x, tip.y - start.y);
    const Point end = edge.directed && length > 2 * arrowLength ? between(tip, start, arrowLength / length) : tip;
    Route route;
    route.curve = {start, between(start, end, 1.0 / 3), between(start, end, 2.0 / 3), end};
    route.tip = tip;
    if (edge.label)
        route.label = between(start, end, 0.5);
    return route;
}

} // namespace

Drawing layOut(const Graph &graph) {
    Drawing drawing;
    if (graph.nodes.empty())
        return drawing;
    std::size_t crossed = 0;
    const std::vector<bool> takesPart = affordable(levelsCrossed(graph), mostLevelsCrossed(graph), crossed);

    DotGraph dot;
    declareAttributes(dot, graph, effortFor(crossed));
    const Nodes nodes = addNodes(dot, graph);
    std::vector<Agedge_t *> edges(graph.edges.size(), nullptr);
    for (std::size_t i = 0; i < edges.size(); ++i) {
        if (takesPart[i])
            edges[i] = addEdge(dot, nodes, graph.edges[i], crossed <= mostForLabels);
    }
    dot.run();

    const boxf bounds = GD_bb(dot.graph());
    const auto placed = [&](pointf p) { return Point{p.x - bounds.LL.x, bounds.UR.y - p.y}; };
    drawing.bounds = {bounds.UR.x - bounds.LL.x, bounds.UR.y - bounds.LL.y};
    for (Agnode_t *node : nodes)
        drawing.nodes.push_back(placed(ND_coord(node)));
    for (std::size_t i = 0; i < edges.size(); ++i) {
        const Edge &edge = graph.edges[i];
        drawing.routes.push_back(edges[i] ? routeOf(edges[i], placed, edge.label.has_value())
                                          : straightRoute(graph, edge, drawing.nodes));
    }
    return drawing;
}

} // namespace layout
