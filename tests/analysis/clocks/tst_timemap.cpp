// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/clocks/TimeMap.h"

#include <QTest>

using namespace laggard;

class TestTimeMap : public QObject {
    Q_OBJECT

  private slots:
    void goesThroughItsPoints_data();
    void goesThroughItsPoints();
    void staysWithoutPoints();
    void keepsOrder();
    void reachesAllOfTime();
};

void TestTimeMap::goesThroughItsPoints_data() {
    QTest::addColumn<qulonglong>("from");
    QTest::addColumn<qulonglong>("to");
    QTest::newRow("before all points: by the same amount as the first") << 90ULL << 100ULL;
    QTest::newRow("a point") << 100ULL << 110ULL;
    QTest::newRow("between two: on the line") << 150ULL << 135ULL;
    QTest::newRow("the next point") << 200ULL << 160ULL;
    QTest::newRow("where time stands still") << 250ULL << 160ULL;
    QTest::newRow("behind all points: by the same amount as the last") << 400ULL << 260ULL;
    QTest::newRow("never") << static_cast<qulonglong>(openEnd) << static_cast<qulonglong>(openEnd);
}

void TestTimeMap::goesThroughItsPoints() {
    QFETCH(qulonglong, from);
    QFETCH(qulonglong, to);
    TimeMap map;
    map.add(100, 110);
    map.add(200, 160);
    map.add(200, 150); // less: left out
    map.add(150, 170); // behind: left out
    map.add(300, 160);
    QCOMPARE(static_cast<qulonglong>(map(from)), to);
}

void TestTimeMap::staysWithoutPoints() {
    const TimeMap map;
    QVERIFY(map.isIdentity());
    QCOMPARE(map(17), Tick{17});
}

void TestTimeMap::keepsOrder() {
    TimeMap map;
    map.add(1'000'000'000'000, 7);
    map.add(1'000'000'000'999, 1'000'000);
    map.add(1'000'000'100'000, 1'000'001);
    Tick before = 0;
    for (Tick time = 999'999'999'990; time < 1'000'000'100'010; time += 7) {
        QVERIFY2(map(time) >= before, "a later time has become an earlier one");
        before = map(time);
    }
}

/// As many ticks as there are, of which a number with a fraction is one too many.
void TestTimeMap::reachesAllOfTime() {
    TimeMap map;
    map.add(0, 0);
    map.add(openEnd - 2, openEnd - 1);
    QCOMPARE(qulonglong{map(openEnd - 3)}, qulonglong{openEnd - 1});
    QCOMPARE(qulonglong{map(openEnd - 2)}, qulonglong{openEnd - 1});
    QCOMPARE(qulonglong{map(1)}, 1ULL);
}

QTEST_GUILESS_MAIN(TestTimeMap)
#include "tst_timemap.moc"
