// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/progress/LeastProgressed.h"

#include <QTest>

#include <cmath>

using namespace laggard;

namespace {

using Kind = ProgressEdge::Kind;

ProgressNode node(RankSet ranks) {
    ProgressNode node;
    node.ranks = std::move(ranks);
    return node;
}

ProgressEdge edge(std::uint32_t from, std::uint32_t to, Kind kind, bool observed = true, double confidence = 1,
                  ProgressEdge::Dependence dependence = ProgressEdge::Dependence::Waits) {
    return {from, to, kind, dependence, confidence, observed, "because"};
}

Wait message(RankSet waiters, RankSet on, double confidence = 1, bool anyOf = false) {
    return {Wait::Kind::PointToPoint, std::move(waiters), std::move(on), anyOf, confidence, "a message"};
}

QString ranksOf(const LeastProgressedDecision &decision) { return QString::fromStdString(formatRanges(decision.ranks)); }

} // namespace

class TestLeastProgressed : public QObject {
    Q_OBJECT
  private slots:
    void theOneThatWaitsForNoOther();
    void undefinedAndMessagesDoNotCount();
    void dropsTheOtherBranch();
    void doesNotDropWithinOneBranch();
    void severalWithoutEvidenceStay();
    void aCycleOfCertainMessagesIsADeadlock();
    void guessesAndAlternativesMakeNoDeadlock();
    void theEndOfTheLongestCertainChain();
    void noneAtAll();
    void oneGroupOnly();
    void weighsItsConfidence();
};

void TestLeastProgressed::theOneThatWaitsForNoOther() {
    const auto decision =
        leastProgressed({node({0, 1}), node({2}), node({3})}, {edge(0, 1, Kind::Collective), edge(1, 2, Kind::Collective)}, {});
    QCOMPARE(ranksOf(decision), QString("3"));
    QCOMPARE(decision.confidence, 1.0);
    QCOMPARE(QString::fromStdString(decision.why),
             QString("Of all groups of ranks only rank 3 waits for no other in a collective."));
}

void TestLeastProgressed::undefinedAndMessagesDoNotCount() {
    const auto decision = leastProgressed({node({0, 1}), node({2})},
                                          {edge(0, 1, Kind::Collective), edge(1, 0, Kind::PointToPoint),
                                           edge(1, 0, Kind::Collective, false, 0, ProgressEdge::Dependence::Undefined)},
                                          {});
    QCOMPARE(ranksOf(decision), QString("2"));
}

void TestLeastProgressed::dropsTheOtherBranch() {
    // PDI §5.1: 3136 and 6840 are candidates; 6840 waits in a message for 0, which is none and in another branch.
    const std::vector<ProgressNode> nodes{node({0, 2048, 3072}), node({1, 2, 3}), node({3136}), node({6840}), node({6841, 7995})};
    const std::vector<ProgressEdge> edges{edge(0, 2, Kind::Collective), edge(1, 0, Kind::Collective),
                                          edge(3, 0, Kind::PointToPoint), edge(4, 3, Kind::Collective)};
    const auto decision = leastProgressed(nodes, edges, {message({6840}, {0})});
    QCOMPARE(ranksOf(decision), QString("3136"));
    QVERIFY2(decision.why.find("Rank 6840 dropped out: waiting point-to-point for ranks 0, 2048, 3072") != std::string::npos,
             decision.why.c_str());
}

void TestLeastProgressed::doesNotDropWithinOneBranch() {
    // 2 waits in a message for 0, which waits for 2 in a collective: one branch, so 2 stays, and so does 1.
    const auto decision = leastProgressed({node({0}), node({1}), node({2})},
                                          {edge(0, 2, Kind::Collective), edge(2, 0, Kind::PointToPoint, true, 0.5)}, {});
    QCOMPARE(ranksOf(decision), QString("2")); // by evidence: the only certain wait leads there
    QVERIFY2(decision.why.find("cannot choose") != std::string::npos, decision.why.c_str());
}

void TestLeastProgressed::severalWithoutEvidenceStay() {
    const auto decision = leastProgressed({node({0, 1}), node({2}), node({3})}, {edge(0, 1, Kind::Collective, false, 0.4)}, {});
    QCOMPARE(ranksOf(decision), QString("2-3"));
    QVERIFY2(decision.why.find("so all of them stay") != std::string::npos, decision.why.c_str());
}

void TestLeastProgressed::aCycleOfCertainMessagesIsADeadlock() {
    const std::vector<ProgressNode> nodes{node({0, 1, 2}), node({8}), node({9, 10})};
    const std::vector<ProgressEdge> edges{edge(1, 2, Kind::PointToPoint)};
    const auto decision = leastProgressed(nodes, edges, {message({8}, {9}), message({9}, {10}), message({10}, {9}, 0.97)});
    QCOMPARE(ranksOf(decision), QString("9-10"));
    QCOMPARE(decision.confidence, 0.97);
    QVERIFY2(decision.why.find("deadlock") != std::string::npos, decision.why.c_str());
}

void TestLeastProgressed::guessesAndAlternativesMakeNoDeadlock() {
    const std::vector<ProgressNode> nodes{node({0}), node({1})};
    for (const Wait &back : {message({1}, {0}, 0.8), message({1}, {0, 2}, 1, true)}) {
        const auto decision = leastProgressed(nodes, {edge(0, 1, Kind::PointToPoint), edge(1, 0, Kind::PointToPoint, true, 0.8)},
                                              {message({0}, {1}), back});
        QCOMPARE(ranksOf(decision), QString("1")); // the end of the certain wait
    }
}

void TestLeastProgressed::theEndOfTheLongestCertainChain() {
    const std::vector<ProgressNode> nodes{node({0}), node({1}), node({2}), node({3}), node({4})};
    const auto decision = leastProgressed(
        nodes, {edge(0, 1, Kind::PointToPoint), edge(1, 2, Kind::PointToPoint), edge(3, 4, Kind::PointToPoint)}, {});
    QCOMPARE(ranksOf(decision), QString("2"));
    QVERIFY2(decision.why.find("the longest chain of certain waits ends at rank 2") != std::string::npos, decision.why.c_str());
}

void TestLeastProgressed::noneAtAll() {
    const auto decision = leastProgressed(
        {node({0}), node({1})}, {edge(0, 1, Kind::Collective, false, 0.5), edge(1, 0, Kind::Collective, false, 0.5)}, {});
    QVERIFY(decision.ranks.empty());
    QCOMPARE(decision.confidence, 0.0);
    QVERIFY2(decision.why.find("nobody can be singled out") != std::string::npos, decision.why.c_str());
    QVERIFY(leastProgressed({}, {}, {}).ranks.empty());
}

void TestLeastProgressed::oneGroupOnly() {
    const auto decision = leastProgressed({node({0, 1, 2})}, {}, {});
    QVERIFY(decision.ranks.empty());
    QCOMPARE(decision.confidence, 0.0);
    QVERIFY2(decision.why.find("nobody can be singled out") != std::string::npos, decision.why.c_str());
}

void TestLeastProgressed::weighsItsConfidence() {
    // Three ranks wait with 0.8 at the weakest place of their way, the one in the middle with 0.9.
    const auto decision =
        leastProgressed({node({0, 1, 2}), node({3}), node({4})},
                        {edge(0, 1, Kind::Collective, false, 0.8), edge(1, 2, Kind::Collective, false, 0.9)}, {});
    QCOMPARE(ranksOf(decision), QString("4"));
    QVERIFY(std::abs(decision.confidence - (3 * 0.8 + 0.9) / 4) < 1e-12);
}

QTEST_APPLESS_MAIN(TestLeastProgressed)
#include "tst_leastprogressed.moc"
