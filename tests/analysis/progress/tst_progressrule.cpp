// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/progress/ProgressRule.h"

#include <QTest>

using namespace laggard;

namespace {

/// Ranks 0, 4 and 5 are in MPI_Reduce, the others wait for them in MPI_Finalize; no models, so that the edges stand as they are.
ProgressGraph reduceAndFinalize() {
    ProgressGraph graph;
    const auto node = [](RankSet ranks) {
        ProgressNode made;
        made.ranks = std::move(ranks);
        made.kind = ModelState::Kind::Communication;
        return made;
    };
    graph.nodes = {node({0, 4, 5}), node({1, 2, 3, 6, 7})};
    graph.edges = {{.from = 1, .to = 0, .confidence = 0.9, .evidence = {}}};
    return graph;
}

} // namespace

class TestProgressRule : public QObject {
    Q_OBJECT
  private slots:
    /// Who has made the call and not got into the library waits for nobody yet, whatever those inside wait for.
    void ranksBeforeTheLibrary_data() {
        QTest::addColumn<RankSet>("atLibrary");
        QTest::addColumn<RankSet>("named");
        QTest::newRow("nothing is known") << RankSet{} << RankSet{0, 4, 5};
        QTest::newRow("one of those named") << RankSet{5} << RankSet{5};
        QTest::newRow("one that the order has dropped") << RankSet{2} << RankSet{0, 4, 5};
        QTest::newRow("one of each") << RankSet{2, 4} << RankSet{4};
        QTest::newRow("all of those named") << RankSet{0, 4, 5} << RankSet{0, 4, 5};
    }
    void ranksBeforeTheLibrary() {
        QFETCH(RankSet, atLibrary);
        QFETCH(RankSet, named);
        ProgressGraph graph = reduceAndFinalize();
        graph.atLibrary = atLibrary;
        const ProgressRule rule = progressByRule(graph, {}, {});
        QVERIFY2(rule.leastProgressed == named, rule.why.c_str());
        QVERIFY2(rule.confidence < 0.9, "by position alone nothing is certain");
    }

    /// Ranks that compute, of those in several groups of which no order is known.
    void ranksOutsideMpi() {
        ProgressGraph graph = reduceAndFinalize();
        graph.edges.clear();
        graph.nodes[0].kind = ModelState::Kind::Computation;
        QVERIFY((progressByRule(graph, {}, {}).leastProgressed == RankSet{0, 4, 5}));
        graph.nodes[1].kind = ModelState::Kind::Computation;
        QVERIFY2(progressByRule(graph, {}, {}).leastProgressed.empty(), "of a job in which all compute, that tells nothing");
    }

    void agreement_data() {
        QTest::addColumn<RankSet>("rule");
        QTest::addColumn<RankSet>("waits");
        QTest::addColumn<int>("agreement");
        const auto is = [](RuleAgreement agreement) { return static_cast<int>(agreement); };
        QTest::newRow("the same") << RankSet{1, 2} << RankSet{1, 2} << is(RuleAgreement::Same);
        QTest::newRow("in part") << RankSet{1, 2} << RankSet{2} << is(RuleAgreement::Part);
        QTest::newRow("others") << RankSet{1} << RankSet{2} << is(RuleAgreement::Other);
        QTest::newRow("no rule") << RankSet{} << RankSet{2} << is(RuleAgreement::NoRule);
        QTest::newRow("rule only") << RankSet{1} << RankSet{} << is(RuleAgreement::OnlyRule);
        QTest::newRow("nobody") << RankSet{} << RankSet{} << is(RuleAgreement::NobodyTold);
    }
    void agreement() {
        QFETCH(RankSet, rule);
        QFETCH(RankSet, waits);
        ProgressGraph graph;
        graph.leastProgressed = waits;
        QTEST(static_cast<int>(agreementOf({.leastProgressed = rule, .why = {}, .alone = {}}, graph)), "agreement");
    }
};

QTEST_APPLESS_MAIN(TestProgressRule)
#include "tst_progressrule.moc"
