// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/progress/ProgressEdges.h"

#include <QTest>

#include <cmath>

using namespace laggard;

namespace {

using Kind = ProgressEdge::Kind;

/// States: 0 start, 1 MPI_Allreduce, 2 after it, 3 MPI_Recv, 4 after it.
std::vector<ModelState> states() {
    const std::vector<Frame> allreduce{{"MPI_Allreduce", "", 0}, {"main", "main.c", 3}};
    const std::vector<Frame> receive{{"MPI_Recv", "", 0}, {"main", "main.c", 3}};
    return {{},
            {ModelState::Kind::Communication, none, allreduce},
            {ModelState::Kind::Computation, none, allreduce},
            {ModelState::Kind::Communication, none, receive},
            {ModelState::Kind::Computation, none, receive}};
}

/// Start, then a loop of allreduce and receive, left from state 4 in one of 50 times for state 0's end, 5.
ModelSet loop(std::vector<std::uint32_t> stateOfRank) {
    ModelSet models;
    models.states = states();
    models.states.push_back({ModelState::Kind::Communication, none, {{"MPI_Finalize", "", 0}}});
    models.models = {{{{0, 1, 1}, {1, 2, 50}, {2, 3, 50}, {3, 4, 50}, {4, 1, 49}, {4, 5, 1}}}};
    models.modelOfRank.assign(stateOfRank.size(), 0);
    models.stateOfRank = std::move(stateOfRank);
    models.lastStateOfRank.assign(models.stateOfRank.size(), none);
    return models;
}

ProgressNode node(RankSet ranks, std::uint32_t state) {
    ProgressNode node;
    node.ranks = std::move(ranks);
    node.state = state;
    return node;
}

Wait wait(Wait::Kind kind, RankSet waiters, RankSet on, double confidence, std::string evidence) {
    return {kind, std::move(waiters), std::move(on), false, confidence, std::move(evidence)};
}

std::vector<ProgressEdge> edgesOf(const ModelSet &models, const std::vector<ProgressNode> &nodes,
                                  const std::vector<ProgressEdge> &observed) {
    return modelledEdges(models, stateDependences(models, {}), LoopOrder(models), nodes, observed, {});
}

} // namespace

class TestProgressEdges : public QObject {
    Q_OBJECT
  private slots:
    void mapsWaitsToNodes();
    void aNodeDoesNotWaitForItself();
    void saysWhatTheModelsTell();
    void observedWaitsDecide();
    void waitsThroughOthersDecideToo();
    void judgesDisagree();
    void staysOpenWhereNobodySawEnough();
    void unseenIsNotUsedAgainstBetterKnowledge();
    void sameStateNeedsNoModel();
    void tellsEqualNamesApart();
};

void TestProgressEdges::mapsWaitsToNodes() {
    TaskGroups groups{{{0, 1}, {2}, {3}}, {0, 0, 1, 2}, {}};
    const auto edges = observedEdges(
        {wait(Wait::Kind::Collective, {0}, {2, 3}, 0.7, "early"), wait(Wait::Kind::Collective, {1}, {2}, 0.9, "late"),
         wait(Wait::Kind::PointToPoint, {2}, {3}, 0.5, "message"), wait(Wait::Kind::PointToPoint, {1}, {2}, 0.6, "too")},
        groups);
    QCOMPARE(edges.size(), std::size_t{4});
    QCOMPARE(QString::fromStdString(edges[0].evidence), QString("late (and 1 more)"));
    QCOMPARE(edges[0].confidence, 0.9);
    QVERIFY2(edges[0].observed, "waits are observed");
    QVERIFY2(edges[1].from == 0 && edges[1].to == 1 && edges[1].kind == Kind::PointToPoint,
             "one edge of each kind between two nodes");
    QVERIFY2(edges[2].from == 0 && edges[2].to == 2, "a wait for two nodes makes two edges");
    QVERIFY2(edges[3].from == 1 && edges[3].to == 2 && edges[3].kind == Kind::PointToPoint, "from 2 to 3");
}

void TestProgressEdges::aNodeDoesNotWaitForItself() {
    QVERIFY(observedEdges({wait(Wait::Kind::PointToPoint, {0}, {1}, 1, "")}, {{{0, 1}}, {0, 0}, {}}).empty());
}

void TestProgressEdges::saysWhatTheModelsTell() {
    const ModelSet models = loop({2, 1, 1});
    const auto edges = edgesOf(models, {node({0}, 2), node({1, 2}, 1)}, {});
    QCOMPARE(edges.size(), std::size_t{1});
    QVERIFY2(edges[0].from == 0 && edges[0].to == 1 && edges[0].dependence == ProgressEdge::Dependence::Waits,
             "1 → 2 is certain, back is not");
    QCOMPARE(QString::fromStdString(edges[0].evidence), QString("P(MPI_Allreduce → after MPI_Allreduce) = 1, P(back) = 0.98 in "
                                                                "the model of rank 0, which came to MPI_Allreduce 50 times "
                                                                "and to after MPI_Allreduce 50 times"));
    QVERIFY(!edges[0].observed);
    QVERIFY2(std::abs(edges[0].confidence - 0.02) < 1e-9, qPrintable(QString::number(edges[0].confidence)));
}

void TestProgressEdges::observedWaitsDecide() {
    const ModelSet models = loop({2, 1, 3});
    const std::vector<ProgressNode> nodes{node({0}, 2), node({1}, 1), node({2}, 3)};
    const std::vector<ProgressEdge> observed{{1, 0, Kind::PointToPoint, ProgressEdge::Dependence::Waits, 1, true, "seen"}};
    for (const ProgressEdge &edge : edgesOf(models, nodes, observed))
        QVERIFY2(edge.from == 2 || edge.to == 2, "between nodes 0 and 1 the observed wait decides");
}

void TestProgressEdges::waitsThroughOthersDecideToo() {
    const ModelSet models = loop({2, 1, 3});
    const std::vector<ProgressNode> nodes{node({0}, 2), node({1}, 1), node({2}, 3)};
    const auto seen = [](std::uint32_t from, std::uint32_t to) {
        return ProgressEdge{from, to, Kind::PointToPoint, ProgressEdge::Dependence::Waits, 1, true, "seen"};
    };
    QVERIFY2(edgesOf(models, nodes, {seen(1, 0), seen(0, 2)}).empty(),
             "1 waits for 2 through 0: the models have nothing to add about any pair");
}

void TestProgressEdges::judgesDisagree() {
    ModelSet models;
    models.states = states();
    models.models = {{{{0, 1, 1}, {1, 3, 1}, {3, 4, 1}}}, {{{0, 3, 1}, {3, 1, 1}, {1, 2, 1}}}};
    models.modelOfRank = {0, 1};
    models.stateOfRank = {1, 3};
    models.lastStateOfRank = {none, none};
    const auto edges = edgesOf(models, {node({0}, 1), node({1}, 3)}, {});
    QCOMPARE(edges.size(), std::size_t{1});
    QVERIFY(edges[0].dependence == ProgressEdge::Dependence::Undefined);
    QCOMPARE(
        QString::fromStdString(edges[0].evidence),
        QString("the models disagree: P(MPI_Allreduce → MPI_Recv) = 0, P(back) = 1 in the model of rank 1, which came to "
                "MPI_Allreduce once and to MPI_Recv once; P(MPI_Allreduce → MPI_Recv) = 1, P(back) = 0 in the model of rank 0, "
                "which came to MPI_Allreduce once and to MPI_Recv once"));
}

void TestProgressEdges::staysOpenWhereNobodySawEnough() {
    // Rank 0 went to state 3 rather than 1 after state 2, and its history breaks off there; rank 1 knows only 1 and 2.
    ModelSet models;
    models.states = states();
    models.models = {{{{0, 2, 9}, {2, 1, 8}, {2, 3, 1}, {1, 0, 8}, {2, 4, 1}}}};
    models.modelOfRank = {0, none};
    models.stateOfRank = {3, 2};
    const auto edges = edgesOf(models, {node({0}, 3), node({1}, 2)}, {});
    QCOMPARE(edges.size(), std::size_t{1});
    QVERIFY(edges[0].dependence == ProgressEdge::Dependence::Undefined);
    QCOMPARE(QString::fromStdString(edges[0].evidence), QString("P(after MPI_Allreduce → MPI_Recv) = 0.50, P(back) not known in "
                                                                "the model of rank 0, which came to after MPI_Allreduce "
                                                                "9 times and to MPI_Recv once"));
    QCOMPARE(edges[0].confidence, 0.0);
}

void TestProgressEdges::unseenIsNotUsedAgainstBetterKnowledge() {
    // Rank 0 is stuck in the first round of a loop that rank 1 has gone round: what it has not seen decides nothing, the rounds
    // do.
    ModelSet models;
    models.states = states();
    models.models = {{{{0, 1, 1}, {1, 2, 1}}}, {{{0, 1, 1}, {1, 2, 1}, {2, 3, 1}, {3, 1, 1}}}};
    models.modelOfRank = {0, 1};
    models.stateOfRank = {2, 1};
    const auto edges = edgesOf(models, {node({0}, 2), node({1}, 1)}, {});
    QCOMPARE(edges.size(), std::size_t{1});
    QVERIFY(edges[0].kind == Kind::Loop && edges[0].dependence == ProgressEdge::Dependence::Waits && edges[0].to == 0);
}

void TestProgressEdges::sameStateNeedsNoModel() {
    const ModelSet models = loop({2, 2});
    QVERIFY(edgesOf(models, {node({0}, 2), node({1}, 2)}, {}).empty());
}

void TestProgressEdges::tellsEqualNamesApart() {
    ModelSet models;
    models.states = {{},
                     {ModelState::Kind::Communication, none, {{"MPI_Barrier", "", 0}, {"load", "", 0}}},
                     {ModelState::Kind::Communication, none, {{"MPI_Barrier", "", 0}, {"store", "", 0}}}};
    models.models = {{{{0, 1, 1}, {1, 2, 1}}}};
    models.modelOfRank = {0, 0};
    models.stateOfRank = {1, 2};
    const auto edges = edgesOf(models, {node({0}, 1), node({1}, 2)}, {});
    QCOMPARE(edges.size(), std::size_t{1});
    QVERIFY2(edges[0].evidence.starts_with("P(MPI_Barrier in load → MPI_Barrier in store) = 1"), edges[0].evidence.c_str());
}

QTEST_APPLESS_MAIN(TestProgressEdges)
#include "tst_progressedges.moc"
