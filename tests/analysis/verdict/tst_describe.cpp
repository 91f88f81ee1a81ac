// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/verdict/Describe.h"
#include "tests/support/TraceBuilder.h"

#include <QTest>

using namespace laggard;
using test::TraceBuilder;

class TestDescribe : public QObject {
    Q_OBJECT
  private slots:
    void rankSets_data() {
        QTest::addColumn<QList<int>>("ranks");
        QTest::addColumn<QString>("text");
        QTest::newRow("none") << QList<int>{} << "no rank";
        QTest::newRow("one") << QList<int>{3} << "rank 3";
        QTest::newRow("two") << QList<int>{9, 10} << "ranks 9 and 10";
        QTest::newRow("ranges") << QList<int>{0, 1, 2, 4, 5} << "ranks 0-2, 4-5";
    }
    void rankSets() {
        QFETCH(QList<int>, ranks);
        QFETCH(QString, text);
        QCOMPARE(QString::fromStdString(describeRankSet(RankSet(ranks.begin(), ranks.end()))), text);
    }
    void calls() {
        const TracePtr trace = TraceBuilder(1).enter(0, 0, "main").enter(0, 1, "solve").enter(0, 2, "MPI_Recv").finish(10);
        const Track &track = trace->mainEvents(0)->track;
        QCOMPARE(describeCall(*trace, none), std::string("code outside all recorded calls"));
        QCOMPARE(describeCall(*trace, track.callPath[1]), std::string("solve (solve.c:1)"));
        QCOMPARE(describeCall(*trace, track.callPath[2]), std::string("MPI_Recv, called from solve (solve.c:1)"));
        QCOMPARE(nearestWithSource(*trace, track.callPath[2]), track.callPath[1]);
        QCOMPARE(nearestWithSource(*trace, none), none);
    }
    void confidences() {
        QCOMPARE(describeConfidence(0.97), std::string("0.97 (high)"));
        QCOMPARE(describeConfidence(0.7), std::string("0.70 (fair)"));
        QCOMPARE(describeConfidence(0.4), std::string("0.40 (low)"));
        QCOMPARE(describeConfidence(0.9752), std::string("0.97 (high)")); // as the pictures' 97 %
        QCOMPARE(describeConfidence(0.999), std::string("0.99 (high)"));  // not certain
        QCOMPARE(confidencePercent(0.29), 29);
        QCOMPARE(confidencePercent(1), 100);
        QCOMPARE(describeConfidence(0.0), std::string("0.00 (very low)"));
    }
};

QTEST_APPLESS_MAIN(TestDescribe)
#include "tst_describe.moc"
