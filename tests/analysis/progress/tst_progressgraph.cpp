// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/progress/ProgressGraph.h"
#include "analysis/progress/StateDependences.h"
#include "tests/support/TraceBuilder.h"

#include <QTest>

#include <algorithm>
#include <numeric>
#include <random>
#include <set>

using namespace laggard;
using test::TraceBuilder;

namespace {

/// PDI §3.2: tasks a … e (ranks 0 … 4) blocked in 1, 3, 5, 8 and 10 of one model.
ModelSet workedExample() {
    ModelSet models;
    for (std::uint32_t state = 0; state <= 10; ++state)
        models.states.push_back({ModelState::Kind::Communication, none, {{"MPI_" + std::to_string(state), "", 0}}});
    models.models = {{{{1, 2, 10}, {2, 3, 5}, {2, 10, 5}, {3, 5, 5}, {5, 8, 45}, {5, 9, 5}, {8, 5, 45}}}};
    models.modelOfRank.assign(5, 0);
    models.stateOfRank = {1, 3, 5, 8, 10};
    return models;
}

const ProgressEdge *edgeBetween(const ProgressGraph &graph, Rank a, Rank b) {
    const auto holds = [&](std::uint32_t node, Rank rank) {
        const RankSet &ranks = graph.nodes[node].ranks;
        return std::binary_search(ranks.begin(), ranks.end(), rank);
    };
    for (const ProgressEdge &edge : graph.edges)
        if ((holds(edge.from, a) && holds(edge.to, b)) || (holds(edge.from, b) && holds(edge.to, a)))
            return &edge;
    return nullptr;
}

bool waitsFor(const ProgressGraph &graph, Rank waiter, Rank other) {
    const ProgressEdge *edge = edgeBetween(graph, waiter, other);
    return edge != nullptr && edge->dependence == ProgressEdge::Dependence::Waits && graph.nodes[edge->to].ranks.front() == other;
}

QStringList described(const ProgressGraph &graph) {
    QStringList list;
    for (const ProgressNode &node : graph.nodes)
        list << QString::fromStdString(formatRanges(node.ranks)) + (node.leastProgressed ? "*" : "") +
                    (node.stack.empty() ? "" : " " + QString::fromStdString(node.stack.front().function));
    return list;
}

/// LP flags of nodes and the LP ranks must say the same, and nobody may be in two places.
void checkConsistent(const ProgressGraph &graph) {
    RankSet flagged;
    std::set<Rank> seen;
    for (const ProgressNode &node : graph.nodes) {
        QVERIFY(!node.ranks.empty());
        for (const Rank rank : node.ranks)
            QVERIFY2(seen.insert(rank).second, "a rank must not be in two nodes");
        if (node.leastProgressed)
            flagged.insert(flagged.end(), node.ranks.begin(), node.ranks.end());
    }
    std::sort(flagged.begin(), flagged.end());
    QCOMPARE(flagged, graph.leastProgressed);
    std::set<std::tuple<std::uint32_t, std::uint32_t, ProgressEdge::Kind>> pairs;
    for (const ProgressEdge &edge : graph.edges) {
        QVERIFY(edge.from != edge.to && edge.from < graph.nodes.size() && edge.to < graph.nodes.size());
        QVERIFY2(pairs.insert({edge.from, edge.to, edge.kind}).second, "at most one edge of each kind");
        QVERIFY2(!edge.evidence.empty(), "every edge says why");
    }
}

/// main { loop: work, exchange (send to the right, receive from the left), allreduce }; `stuck` stays in the work of round 2
/// within `function`, the others wait in the allreduce.
TracePtr stencil(Rank ranks, Rank stuck, Tick shift = 0, Tick unit = 1) {
    TraceBuilder builder(ranks);
    const auto at = [&](Tick t) { return shift + unit * t; };
    for (Rank rank = 0; rank < ranks; ++rank) {
        builder.enter(rank, at(1), "main");
        for (Tick round = 0; round < 3; ++round) {
            const Tick begin = 10 + 100 * round;
            builder.enter(rank, at(begin), "work");
            if (rank == stuck && round == 2) {
                builder.enter(rank, at(begin + 5), "flux");
                break;
            }
            builder.leave(rank, at(begin + 20), "work");
            builder.enter(rank, at(begin + 50), "MPI_Allreduce");
            if (round < 2)
                builder.leave(rank, at(begin + 60), "MPI_Allreduce");
        }
    }
    return builder.finish(at(1000));
}

RankSet all(Rank ranks) {
    RankSet set(ranks);
    std::iota(set.begin(), set.end(), Rank{0});
    return set;
}

RankSet without(RankSet ranks, Rank rank) {
    std::erase(ranks, rank);
    return ranks;
}

WaitForGraph unknownWaits(const Trace &trace) {
    WaitForGraph waits;
    waits.at = trace.range.end;
    waits.activities.assign(trace.processes.size(), {});
    for (Activity &activity : waits.activities)
        activity.kind = Activity::Kind::Computing;
    return waits;
}

Wait wait(Wait::Kind kind, RankSet waiters, RankSet on) {
    return {kind, std::move(waiters), std::move(on), false, 1, "it was seen"};
}

} // namespace

class TestProgressGraph : public QObject {
    Q_OBJECT
  private slots:
    void workedExampleOfThePaper();
    void doesNotDependOnRankNumbers();
    void doesNotDependOnTimeAndUnit();
    void groupsByOpenCallPath();
    void theVerdictOfTheWaitsDecides();
    void theVerdictCutsANode();
    void probabilitiesAnswerWhereTheWaitsDoNot();
    void aDeadlockCutsANode();
    void rankThatLeftEarlyHasANode();
    void finishedAndUnknownRanks();
    void allFinished();
    void damagedRanks();
    void anyMoment();
    void badModelSets();
    void manyTasks();
};

void TestProgressGraph::workedExampleOfThePaper() {
    const ProgressGraph graph = buildProgressGraph(workedExample(), {});
    checkConsistent(graph);
    QCOMPARE(graph.nodes.size(), std::size_t{5});
    QVERIFY2(waitsFor(graph, 2, 1), "c must wait for b");
    QVERIFY2(waitsFor(graph, 2, 3), "c must wait for d");
    for (Rank other = 1; other < 5; ++other)
        QVERIFY2(waitsFor(graph, other, 0), "everyone must wait for a");
    for (Rank other = 1; other < 4; ++other)
        QVERIFY2(edgeBetween(graph, 4, other) == nullptr, "there must be nothing between e and b, c, d");
    QCOMPARE(graph.leastProgressed, RankSet{0});
    QCOMPARE(graph.probabilistic.ranks, RankSet{0});
    QVERIFY(!graph.namedByWaits);
    QCOMPARE(
        QString::fromStdString(edgeBetween(graph, 2, 3)->evidence),
        QString(
            "P(MPI_8 → MPI_5) = 1, P(back) = 0.90 in the model of rank 2, which came to MPI_8 45 times and to MPI_5 50 times"));
}

void TestProgressGraph::doesNotDependOnRankNumbers() {
    std::mt19937 random(7);
    for (int round = 0; round < 40; ++round) {
        // Random walks of 12 ranks over 9 states, each broken off somewhere.
        constexpr Rank ranks = 12;
        ModelSet models;
        models.states.resize(9);
        for (ModelState &state : models.states)
            state = {ModelState::Kind::Communication, none, {{"MPI_x", "", 0}}};
        for (Rank rank = 0; rank < ranks; ++rank) {
            std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> counts;
            std::uint32_t state = 0;
            for (std::uint32_t steps = random() % 30; steps > 0; --steps) {
                const std::uint32_t next = random() % 4 == 0 ? random() % 9 : (state + 1) % 9;
                ++counts[{state, next}];
                state = next;
            }
            MarkovModel model;
            for (const auto &[edge, count] : counts)
                model.transitions.push_back({edge.first, edge.second, count});
            models.models.push_back(model);
            models.modelOfRank.push_back(rank);
            models.stateOfRank.push_back(state);
        }
        std::vector<Rank> renumbered = all(ranks);
        std::shuffle(renumbered.begin(), renumbered.end(), random);
        ModelSet other = models;
        for (Rank rank = 0; rank < ranks; ++rank) {
            other.modelOfRank[renumbered[rank]] = models.modelOfRank[rank];
            other.stateOfRank[renumbered[rank]] = models.stateOfRank[rank];
        }
        const auto relations = [](const ProgressGraph &graph, const std::vector<Rank> &numbers) {
            std::set<std::tuple<Rank, Rank, ProgressEdge::Dependence>> result;
            for (const ProgressEdge &edge : graph.edges)
                for (const Rank from : graph.nodes[edge.from].ranks)
                    for (const Rank to : graph.nodes[edge.to].ranks) {
                        Rank a = numbers[from];
                        Rank b = numbers[to];
                        if (edge.dependence == ProgressEdge::Dependence::Undefined && a > b)
                            std::swap(a, b);
                        result.emplace(a, b, edge.dependence);
                    }
            return result;
        };
        const ProgressGraph before = buildProgressGraph(models, {});
        const ProgressGraph after = buildProgressGraph(other, {});
        checkConsistent(before);
        QVERIFY(relations(before, renumbered) == relations(after, all(ranks)));
        RankSet expected;
        for (const Rank rank : before.leastProgressed)
            expected.push_back(renumbered[rank]);
        std::sort(expected.begin(), expected.end());
        QCOMPARE(after.leastProgressed, expected);
        QVERIFY(std::abs(before.confidence - after.confidence) < 1e-9);
    }
}

void TestProgressGraph::doesNotDependOnTimeAndUnit() {
    const TracePtr plain = stencil(6, 3);
    const TracePtr moved = stencil(6, 3, 1'000'000'000'000, 1'000'000);
    const ProgressGraph a = buildProgressGraph(*plain, unknownWaits(*plain), {});
    const ProgressGraph b = buildProgressGraph(*moved, unknownWaits(*moved), {});
    QCOMPARE(described(a), described(b));
    QCOMPARE(a.edges.size(), b.edges.size());
    for (std::size_t i = 0; i < a.edges.size(); ++i)
        QCOMPARE(a.edges[i].evidence, b.edges[i].evidence);
    QCOMPARE(a.leastProgressed, b.leastProgressed);
    QCOMPARE(a.confidence, b.confidence);
}

void TestProgressGraph::groupsByOpenCallPath() {
    TraceBuilder builder(3);
    for (Rank rank = 0; rank < 3; ++rank)
        builder.enter(rank, 1, "main").call(rank, 2, 3, "MPI_Barrier").enter(rank, 4, rank == 1 ? "residual" : "flux");
    const TracePtr trace = builder.finish(9);
    const ProgressGraph graph = buildProgressGraph(*trace, unknownWaits(*trace), {});
    checkConsistent(graph);
    QCOMPARE(graph.nodes.size(), std::size_t{2});
    QCOMPARE(graph.nodes[0].ranks, RankSet({0, 2}));
    QCOMPARE(graph.nodes[0].state, graph.nodes[1].state);
    QVERIFY(graph.nodes[0].stack == std::vector<Frame>({{"flux", "flux.c", 1, true}, {"main", "main.c", 1, true}}));
    QVERIFY(graph.nodes[0].kind == ModelState::Kind::Computation);
}

void TestProgressGraph::theVerdictOfTheWaitsDecides() {
    const TracePtr trace = stencil(6, 3);
    WaitForGraph waits = unknownWaits(*trace);
    waits.waits = {wait(Wait::Kind::Collective, without(all(6), 3), {3})};
    waits.verdict = {};
    waits.verdict.kind = WaitForVerdict::Kind::Computing;
    waits.verdict.ranks = {3};
    waits.verdict.confidence = 0.9;
    waits.verdict.why = "Rank 3 computes.";
    const ProgressGraph graph = buildProgressGraph(*trace, waits, {});
    checkConsistent(graph);
    QCOMPARE(described(graph), QStringList({"0-2,4-5 MPI_Allreduce", "3* flux"}));
    QCOMPARE(graph.edges.size(), std::size_t{1});
    QVERIFY2(graph.edges[0].observed && graph.edges[0].from == 0, "the wait that was seen replaces what the models guess");
    QVERIFY(graph.namedByWaits);
    QCOMPARE(graph.confidence, 0.9);
    QCOMPARE(QString::fromStdString(graph.why), QString("Rank 3 computes."));
    QCOMPARE(graph.probabilistic.ranks, RankSet{3});
    QVERIFY(!graph.probabilistic.why.empty());
}

void TestProgressGraph::theVerdictCutsANode() {
    const TracePtr trace = stencil(6, 3);
    WaitForGraph waits = unknownWaits(*trace);
    waits.verdict.kind = WaitForVerdict::Kind::StuckInCall;
    waits.verdict.ranks = {1};
    const ProgressGraph graph = buildProgressGraph(*trace, waits, {});
    checkConsistent(graph);
    QCOMPARE(described(graph), QStringList({"0,2,4-5 MPI_Allreduce", "1* MPI_Allreduce", "3 flux"}));
}

void TestProgressGraph::probabilitiesAnswerWhereTheWaitsDoNot() {
    // The first collective of the program: who has not come there yet is behind.
    TraceBuilder builder(4);
    for (Rank rank = 0; rank < 4; ++rank) {
        builder.enter(rank, 1, "main").call(rank, 2, 3, "MPI_Barrier");
        builder.enter(rank, 4, rank == 2 ? "setup" : "MPI_Bcast");
    }
    const TracePtr trace = builder.finish(9);
    const ProgressGraph graph = buildProgressGraph(*trace, unknownWaits(*trace), {});
    checkConsistent(graph);
    QCOMPARE(graph.leastProgressed, RankSet{2});
    QVERIFY(!graph.namedByWaits);
    QCOMPARE(graph.why, graph.probabilistic.why);
    QVERIFY2(waitsFor(graph, 0, 2), "those in MPI_Bcast wait for the one before it");
}

void TestProgressGraph::aDeadlockCutsANode() {
    TraceBuilder builder(5);
    for (Rank rank = 0; rank < 5; ++rank)
        builder.enter(rank, 1, "main").enter(rank, 2, "MPI_Recv");
    const TracePtr trace = builder.finish(9);
    WaitForGraph waits = unknownWaits(*trace);
    waits.waits = {wait(Wait::Kind::PointToPoint, {1}, {3}), wait(Wait::Kind::PointToPoint, {3}, {1}),
                   wait(Wait::Kind::PointToPoint, {0}, {1}), wait(Wait::Kind::PointToPoint, {4}, {3})};
    const ProgressGraph graph = buildProgressGraph(*trace, waits, {});
    checkConsistent(graph);
    QCOMPARE(graph.leastProgressed, RankSet({1, 3}));
    QVERIFY2(graph.why.find("deadlock") != std::string::npos, graph.why.c_str());
    QVERIFY2(graph.why.find("Ranks 1, 3 also wait for others of their own group") != std::string::npos, graph.why.c_str());
}

void TestProgressGraph::rankThatLeftEarlyHasANode() {
    TraceBuilder builder(4);
    for (Rank rank = 0; rank < 4; ++rank) {
        builder.enter(rank, 1, "main").call(rank, 2, 3, "MPI_Barrier");
        if (rank >= 2)
            builder.call(rank, 4, 5, "MPI_Finalize").leave(rank, 6, "main");
        else
            builder.enter(rank, 4, "MPI_Allreduce");
    }
    const TracePtr trace = builder.finish(9);
    WaitForGraph waits = unknownWaits(*trace);
    waits.activities[2].kind = waits.activities[3].kind = Activity::Kind::Finished;
    waits.waits = {wait(Wait::Kind::Collective, {0, 1}, {2})};
    waits.verdict.kind = WaitForVerdict::Kind::LeftEarly;
    waits.verdict.ranks = {2};
    const ProgressGraph graph = buildProgressGraph(*trace, waits, {});
    checkConsistent(graph);
    QCOMPARE(graph.leastProgressed, RankSet{2});
    QCOMPARE(graph.finished, RankSet({2, 3}));
    QCOMPARE(graph.nodes.size(), std::size_t{2});
    QVERIFY2(graph.nodes[1].finished && graph.nodes[1].ranks == RankSet{2},
             "the rank that left has a node of its own, rank 3 has none");
    QCOMPARE(graph.edges.size(), std::size_t{1});
}

void TestProgressGraph::finishedAndUnknownRanks() {
    const TracePtr trace = stencil(6, 3);
    WaitForGraph waits = unknownWaits(*trace);
    waits.activities[0].kind = Activity::Kind::Finished;
    waits.activities[1].kind = Activity::Kind::Unknown;
    const ProgressGraph graph = buildProgressGraph(*trace, waits, {});
    checkConsistent(graph);
    QCOMPARE(graph.finished, RankSet{0});
    QCOMPARE(graph.unknown, RankSet{1});
    // In a loop the probabilities alone tell nobody apart, and of all ranks nobody is singled out.
    QCOMPARE(described(graph), QStringList({"2,4-5 MPI_Allreduce", "3 flux"}));
    QVERIFY2(graph.leastProgressed.empty(), "the order within the loop is open, so that nobody is named");
}

void TestProgressGraph::allFinished() {
    const TracePtr trace = TraceBuilder(2).call(0, 1, 2, "main").call(1, 1, 2, "main").finish(9);
    WaitForGraph waits = unknownWaits(*trace);
    for (Activity &activity : waits.activities)
        activity.kind = Activity::Kind::Finished;
    waits.verdict.kind = WaitForVerdict::Kind::Finished;
    waits.verdict.why = "Every rank has finished.";
    const ProgressGraph graph = buildProgressGraph(*trace, waits, {});
    QVERIFY(graph.nodes.empty() && graph.edges.empty() && graph.leastProgressed.empty());
    QCOMPARE(graph.finished, RankSet({0, 1}));
    QCOMPARE(QString::fromStdString(graph.why), QString("Every rank has finished."));
}

void TestProgressGraph::damagedRanks() {
    Trace trace = std::move(const_cast<Trace &>(*stencil(4, 3)));
    trace.locations[1].damaged = true;
    const ProgressGraph graph = buildProgressGraph(trace, unknownWaits(trace), {});
    QCOMPARE(graph.nodes.size(), std::size_t{2});
    QVERIFY2(graph.nodes[0].damaged, "ranks 0-2 include a damaged one");
    QVERIFY(!graph.nodes[1].damaged);
}

void TestProgressGraph::anyMoment() {
    const TracePtr trace = stencil(4, 3);
    WaitForGraph waits = unknownWaits(*trace);
    waits.at = 15;
    const ProgressGraph graph = buildProgressGraph(*trace, waits, {});
    checkConsistent(graph);
    QCOMPARE(graph.at, Tick{15});
    QCOMPARE(described(graph), QStringList({"0-3 work"}));
    waits.at = openEnd;
    QCOMPARE(buildProgressGraph(*trace, waits, {}).at, Tick{1000});
}

void TestProgressGraph::badModelSets() {
    ModelSet models = workedExample();
    models.stateOfRank = {1, 77, none, 3};
    models.modelOfRank = {0, 0, none, 9, 0};
    const ProgressGraph graph = buildProgressGraph(models, {});
    checkConsistent(graph);
    QCOMPARE(graph.finished, RankSet({1, 4}));
    QCOMPARE(graph.unknown, RankSet{2});
    QVERIFY(buildProgressGraph(ModelSet{}, {}).nodes.empty());
}

void TestProgressGraph::manyTasks() {
    constexpr Rank ranks = 32'768;
    // Every rank has other counts, so that no two models are equal, and 40 states in a row of two loops.
    ModelSet models;
    models.states.resize(81);
    for (ModelState &state : models.states)
        state = {ModelState::Kind::Communication, none, {{"MPI_x", "", 0}}};
    for (Rank rank = 0; rank < ranks; ++rank) {
        MarkovModel model;
        for (std::uint32_t s = 0; s < 80; ++s)
            model.transitions.push_back({s, s + 1, 100 + rank});
        model.transitions.push_back({40, 1, 99 + rank});
        model.transitions.push_back({79, 41, 99 + rank});
        std::sort(model.transitions.begin(), model.transitions.end());
        models.models.push_back(std::move(model));
        models.modelOfRank.push_back(rank);
        models.stateOfRank.push_back(rank == 4711 ? 20 : 41 + rank % 30);
    }
    models.lastStateOfRank.assign(ranks, none);
    const ProgressGraph graph = buildProgressGraph(std::move(models), {});
    checkConsistent(graph);
    constexpr std::size_t mostSplit = 256; // ranks of one state that are in different rounds of its loop
    QVERIFY2(graph.nodes.size() >= 31 && graph.nodes.size() <= 31 + mostSplit, qPrintable(QString::number(graph.nodes.size())));
    QCOMPARE(graph.leastProgressed, RankSet{4711});
}

QTEST_APPLESS_MAIN(TestProgressGraph)
#include "tst_progressgraph.moc"
