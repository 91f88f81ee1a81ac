// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/verdict/Describe.h"
#include "tests/support/TraceBuilder.h"

#include <QTest>

using namespace laggard;
using test::TraceBuilder;

class TestDescribe : public QObject {
    Q_OBJECT
  private slots:
    void durations_data() {
        QTest::addColumn<double>("seconds");
        QTest::addColumn<QString>("text");
        QTest::newRow("nothing") << 0.0 << "0 s";
        QTest::newRow("nanoseconds") << 12e-9 << "12 ns";
        QTest::newRow("microseconds") << 1.5e-6 << "1.5 µs";
        QTest::newRow("milliseconds") << 0.0205 << "20.5 ms";
        QTest::newRow("seconds") << 3.0272 << "3.03 s";
        QTest::newRow("below two minutes") << 119.0 << "119 s";
        QTest::newRow("minutes") << 125.0 << "2 min 5 s";
        QTest::newRow("negative") << -0.002 << "-2 ms";
    }
    void durations() {
        QFETCH(double, seconds);
        QFETCH(QString, text);
        QCOMPARE(QString::fromStdString(describeDuration(seconds)), text);
    }
    void counts_data() {
        QTest::addColumn<qulonglong>("count");
        QTest::addColumn<QString>("text");
        QTest::newRow("0") << 0ULL << "0";
        QTest::newRow("three digits") << 999ULL << "999";
        QTest::newRow("four digits") << 1000ULL << "1,000";
        QTest::newRow("five digits") << 34314ULL << "34,314";
        QTest::newRow("seven digits") << 1234567ULL << "1,234,567";
    }
    void counts() {
        QFETCH(qulonglong, count);
        QFETCH(QString, text);
        QCOMPARE(QString::fromStdString(describeCount(count)), text);
    }
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
    void plurals() {
        QCOMPARE(plural(1, "rank"), std::string("1 rank"));
        QCOMPARE(plural(0, "rank"), std::string("0 ranks"));
        QCOMPARE(plural(7996, "rank"), std::string("7,996 ranks"));
    }
};

QTEST_APPLESS_MAIN(TestDescribe)
#include "tst_describe.moc"
