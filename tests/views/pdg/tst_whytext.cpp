// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/pdg/WhyText.h"
#include "views/selection/SelectionModel.h"

#include <QTest>

using namespace laggard;

namespace {

/// Rank 0 computes, ranks 1 and 2 wait for it in a collective, rank 3 for them or not.
ProgressGraph sample() {
    ProgressGraph graph;
    graph.nodes.resize(3);
    graph.nodes[0].ranks = {0};
    graph.nodes[0].leastProgressed = true;
    graph.nodes[1].ranks = {1, 2};
    graph.nodes[2].ranks = {3};
    ProgressEdge collective;
    collective.from = 1;
    collective.confidence = 0.97;
    collective.observed = true;
    collective.evidence = "collective 5 on MPI_COMM_WORLD";
    ProgressEdge undefined;
    undefined.from = 2;
    undefined.to = 1;
    undefined.kind = ProgressEdge::Kind::Loop;
    undefined.dependence = ProgressEdge::Dependence::Undefined;
    undefined.confidence = 0;
    undefined.evidence = "both went round 7 times";
    graph.edges = {collective, undefined};
    graph.leastProgressed = {0};
    graph.confidence = 0.97;
    graph.why = "all wait for it";
    graph.namedByWaits = true;
    graph.probabilistic = {{0}, 0.5, "it is behind in the code"};
    return graph;
}

Selection ofEdge(std::uint32_t edge) {
    Selection selection;
    selection.edge = edge;
    return selection;
}

Selection ofRanks(RankSet ranks) {
    Selection selection;
    selection.ranks = std::move(ranks);
    return selection;
}

} // namespace

class TestWhyText : public QObject {
    Q_OBJECT
  private slots:
    void says_data() {
        QTest::addColumn<Selection>("selection");
        QTest::addColumn<QStringList>("said");
        QTest::addColumn<QStringList>("notSaid");
        QTest::newRow("nothing chosen: the verdict")
            << Selection()
            << QStringList{"Least progressed: rank 0", "97\u00a0% sure", "all wait for it", "it is behind in the code"}
            << QStringList{"MPI_COMM_WORLD"};
        QTest::newRow("a wait") << ofEdge(0)
                                << QStringList{"ranks 1 and 2 wait for rank 0 in a collective", "97\u00a0% sure",
                                               "Seen in calls and messages", "collective 5 on MPI_COMM_WORLD"}
                                << QStringList{"behind"};
        QTest::newRow("an undefined relation")
            << ofEdge(1) << QStringList{"Which of rank 3 and ranks 1 and 2 is behind is not known", "both went round 7 times"}
            << QStringList{"wait for"};
        QTest::newRow("a rank: all its edges")
            << ofRanks({1}) << QStringList{"collective 5 on MPI_COMM_WORLD", "both went round 7 times"}
            << QStringList{"all wait for it"};
        QTest::newRow("the named rank: the verdict, too")
            << ofRanks({0}) << QStringList{"Least progressed: rank 0", "collective 5 on MPI_COMM_WORLD"}
            << QStringList{"both went round"};
    }

    void says() {
        QFETCH(Selection, selection);
        QFETCH(QStringList, said);
        QFETCH(QStringList, notSaid);
        const QString text = whyText(sample(), selection);
        for (const QString &words : said)
            QVERIFY2(text.contains(words, Qt::CaseInsensitive), qPrintable(text + "\n  lacks: " + words));
        for (const QString &words : notSaid)
            QVERIFY2(!text.contains(words, Qt::CaseInsensitive), qPrintable(text + "\n  says: " + words));
    }

    void ofAJobThatWasSlowItSaysWhatWasFound() {
        ProgressGraph finished;
        finished.nodes.resize(1);
        finished.nodes[0].ranks = {0, 1, 2, 3};
        finished.why = "all 4 ranks finished";
        Verdict verdict;
        verdict.summary = "Rank 2 caused 88 % of all waiting.";
        verdict.findings = {
            {.method = "delays", .ranks = {2}, .function = {}, .file = {}, .why = "Rank 2 caused 88 % of all waiting."},
            {.method = "outliers", .ranks = {1}, .function = {}, .file = {}, .why = "Its time is spent elsewhere."}};
        for (const Selection &selection : {Selection(), ofRanks({1})}) {
            const QString text = whyText(finished, selection, &verdict);
            QVERIFY2(text.startsWith("Rank 2 caused 88 % of all waiting."), qPrintable(text));
            QVERIFY2(text.contains("Rank 1: Its time is spent elsewhere."), qPrintable(text));
            QVERIFY2(!text.contains("Nobody") && text.count("88 %") == 1, qPrintable(text));
        }
    }
};

QTEST_APPLESS_MAIN(TestWhyText)
#include "tst_whytext.moc"
