// SPDX-License-Identifier: GPL-3.0-or-later
#include "SampleGraphs.h"

#include <random>

namespace laggard::test {
namespace {

using Kind = ProgressEdge::Kind;
using Dependence = ProgressEdge::Dependence;

ProgressNode inCall(const std::string &ranks, const char *call, const char *caller, const char *file, std::uint32_t line) {
    ProgressNode node;
    node.ranks = parseRanges(ranks);
    node.kind = ModelState::Kind::Communication;
    node.stack = {{call, "", 0}, {caller, file, line}, {"main", file, 210}};
    return node;
}

/// `after` is added to the graph's states.
ProgressNode computing(ProgressGraph &graph, const std::string &ranks, const char *function, const char *file, std::uint32_t line,
                       const char *after) {
    ProgressNode node;
    node.ranks = parseRanges(ranks);
    node.kind = ModelState::Kind::Computation;
    node.stack = {{function, file, line}, {"main", file, 210}};
    node.state = static_cast<std::uint32_t>(graph.models.states.size());
    graph.models.states.push_back({ModelState::Kind::Computation, none, {{after, "", 0}, {"main", file, 210}}});
    return node;
}

void markLeastProgressed(ProgressGraph &graph, std::size_t node, double confidence) {
    graph.nodes[node].leastProgressed = true;
    graph.leastProgressed = graph.nodes[node].ranks;
    graph.confidence = confidence;
}

} // namespace

ProgressGraph hungStencil() {
    ProgressGraph graph;
    graph.nodes.push_back(inCall("0-2,4-15", "MPI_Allreduce", "residual", "/home/user/src/stencil.c", 41));
    graph.nodes.push_back(computing(graph, "3", "compute_flux", "/home/user/src/stencil.c", 23, "MPI_Waitall"));
    graph.edges.push_back({0, 1, Kind::Collective, Dependence::Waits, 1, true,
                           "15 of 16 ranks have entered MPI_Allreduce number 40; rank 3 has not."});
    markLeastProgressed(graph, 1, 0.97);
    graph.why = "15 ranks wait in MPI_Allreduce for rank 3, which has been in compute_flux for 2.9 s.";
    return graph;
}

ProgressGraph bufferedWriter() {
    ProgressGraph graph;
    const char *file = "/g/ddcMD/src/pio.c";
    graph.nodes.push_back(inCall("0,2048,3072", "MPI_Recv", "Pclose_forWrite", file, 412));
    graph.nodes.push_back(inCall("1-2047,2049-3071,3073-3135,3137-6839", "MPI_Barrier", "Pclose", file, 518));
    graph.nodes.push_back(inCall("3136", "MPI_Recv", "Pclose_forWrite", file, 377));
    graph.nodes.push_back(inCall("6840", "MPI_Send", "Pclose_forWrite", file, 371));
    graph.nodes.push_back(inCall("6841-7995", "MPI_Barrier", "writeRestart", "/g/ddcMD/src/restart.c", 96));
    graph.edges = {{0, 2, Kind::PointToPoint, Dependence::Waits, 1, true, "0, 2048 and 3072 wait for a message of 3136."},
                   {1, 0, Kind::Collective, Dependence::Waits, 1, true, "MPI_Barrier"},
                   {3, 0, Kind::PointToPoint, Dependence::Waits, 0.81, true, "6840 sends to 0."},
                   {4, 3, Kind::Collective, Dependence::Waits, 0.93, false, "MPI_Barrier"},
                   {1, 4, Kind::Loop, Dependence::Undefined, 0, false, "P = 0.4 and 0.6"}};
    markLeastProgressed(graph, 2, 0.88);
    graph.why = "Task 3136 waits for nobody in a collective; 6840 depends on task 0, which is on another branch.";
    return graph;
}

ProgressGraph everyKind() {
    ProgressGraph graph;
    graph.nodes.push_back(inCall("0-3,8", "MPI_Allreduce", "norm", "/src/solver.cpp", 120));
    graph.nodes.push_back(inCall("4,6", "PMPI_Recv", "exchange_halo", "/src/halo.cpp", 77));
    graph.nodes.push_back(computing(graph, "5", "smooth", "/src/multigrid.cpp", 310, "MPI_Waitall"));
    graph.nodes.push_back(computing(graph, "7,9-11", "assemble", "/src/multigrid.cpp", 288, "MPI_Waitall"));
    graph.edges = {{0, 1, Kind::Collective, Dependence::Waits, 1, true, "MPI_Allreduce"},
                   {1, 2, Kind::PointToPoint, Dependence::Waits, 1, true, "MPI_Recv"},
                   {0, 2, Kind::Collective, Dependence::Waits, 0.62, false, "P(0,2) = 0.62"},
                   {3, 2, Kind::Loop, Dependence::Waits, 0.4, false, "5 and 6 rounds"},
                   {0, 3, Kind::Collective, Dependence::Undefined, 0, false, "both are possible"}};
    graph.nodes[1].damaged = true;
    graph.finished = parseRanges("12-13");
    graph.unknown = parseRanges("14-15");
    markLeastProgressed(graph, 2, 0.71);
    graph.why = "Rank 5 is the only one that waits for nobody.";
    return graph;
}

ProgressGraph randomGraph(std::size_t nodes, double edgesPerNode, unsigned seed) {
    std::mt19937 random(seed);
    const auto below = [&](std::size_t count) { return static_cast<std::uint32_t>(random() % count); };
    ProgressGraph graph;
    for (std::size_t i = 0; i < nodes; ++i) {
        const auto first = static_cast<Rank>(i * 10);
        const std::string ranks = std::to_string(first) + (below(2) ? "-" + std::to_string(first + 1 + below(8)) : "");
        const char *calls[] = {"MPI_Recv", "MPI_Waitall", "MPI_Allreduce", "MPI_Bcast"};
        if (below(4) == 0)
            graph.nodes.push_back(computing(graph, ranks, "compute", "kernel.c", 10 + below(500), "MPI_Waitall"));
        else
            graph.nodes.push_back(inCall(ranks, calls[below(4)], "exchange_boundaries", "halo.cpp", 10 + below(500)));
    }
    for (std::size_t i = 1; i < nodes; ++i) { // everyone waits for someone before it: a graph in one piece
        const auto back = static_cast<std::uint32_t>(i - 1 - below(std::min<std::size_t>(i, 8)));
        graph.edges.push_back({static_cast<std::uint32_t>(i), back, below(2) ? Kind::Collective : Kind::PointToPoint,
                               Dependence::Waits, below(3) ? 1.0 : below(100) / 100.0, below(2) == 0, "made up"});
    }
    while (static_cast<double>(graph.edges.size()) < static_cast<double>(nodes) * edgesPerNode) {
        const std::uint32_t from = 1 + below(nodes - 1);
        graph.edges.push_back(
            {from, below(from), Kind::Loop, below(4) ? Dependence::Waits : Dependence::Undefined, 1, false, "made up"});
    }
    markLeastProgressed(graph, 0, 0.5);
    graph.why = "Made up.";
    return graph;
}

ProgressGraph awkwardNames() {
    ProgressGraph graph;
    graph.nodes.push_back(inCall("0", "MPI_Recv", "operator<< \"a\\b\" & <c>", "/src/we\"ird\\file&.cpp", 1));
    graph.nodes.push_back(inCall("1", "MPI_Send", "größe_β_測試\x01\x1b[31m", "/src/\xff\xfe.c", 2));
    graph.nodes.push_back(inCall(
        "2", "MPI_Send",
        "std::enable_if<(Kokkos::is_view<View>::value), void>::type Solver::Detail<Kokkos::View<double***, "
        "Kokkos::LayoutRight>, (anonymous namespace)::Tag>::exchange(std::map<int, std::vector<double>> const&, int) const",
        "/src/a_source_file_with_a_name_that_somebody_let_grow_until_it_no_longer_fits_anywhere_at_all.cpp", 123456));
    std::string odd = "7";
    for (int rank = 9; rank < 3000; rank += 2)
        odd += "," + std::to_string(rank);
    graph.nodes.push_back(inCall(odd, "MPI_Barrier", std::string(3000, 'x').c_str(), "", 0));
    graph.edges = {{0, 1, Kind::Collective, Dependence::Waits, 0.5, false, "a \"quoted\" & <tagged> \\ sentence"},
                   {1, 2, Kind::PointToPoint, Dependence::Waits, 1, true, ""},
                   {3, 2, Kind::Loop, Dependence::Waits, 0.001, false, ""},
                   {3, 3, Kind::Collective, Dependence::Waits, 1, true, "a loop"}};
    markLeastProgressed(graph, 2, 1);
    graph.why = "Because of \"x < y\" && \\n.";
    return graph;
}

PictureContext sampleContext() {
    PictureContext context;
    context.source = QStringLiteral("hung-stencil/traces.otf2");
    context.atSeconds = 3.034;
    context.durationSeconds = 3.034;
    return context;
}

} // namespace laggard::test
