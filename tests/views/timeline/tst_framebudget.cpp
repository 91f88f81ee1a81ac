// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/FrameBudget.h"

#include <QTest>

using namespace laggard;

/// How coarse frames are while something moves, by what frames took before. Nothing is timed here: the times are given.
class TestFrameBudget : public QObject {
    Q_OBJECT
  private slots:
    void whatWasNeverPaintedIsCoarse() {
        FrameBudget budget;
        QCOMPARE(budget.columns(kind(20)), FrameBudget::coarsest);
    }

    void columnsFollowTheLastFrame_data() {
        QTest::addColumn<int>("columns");
        QTest::addColumn<double>("milliseconds");
        QTest::addColumn<int>("next");
        QTest::newRow("quick in full") << 1 << 5.0 << 1;
        QTest::newRow("as long as may be") << 1 << FrameBudget::quick << 1;
        QTest::newRow("a little too long") << 1 << 13.0 << 2;
        QTest::newRow("three times") << 1 << 36.0 << 3;
        QTest::newRow("for ever") << 1 << 1000.0 << FrameBudget::coarsest;
        QTest::newRow("coarse, and would be quick in full") << 4 << 2.0 << 1;
        QTest::newRow("coarse, and needs to be") << 4 << 9.0 << 3;
    }
    void columnsFollowTheLastFrame() {
        QFETCH(int, columns);
        QFETCH(double, milliseconds);
        FrameBudget budget;
        budget.painted(kind(20), columns, milliseconds);
        QTEST(budget.columns(kind(20)), "next");
    }

    /// From a stretch in which frames are quick to everything, in which they are not, and back.
    void aJumpIsNotSurprised() {
        FrameBudget budget;
        budget.painted(kind(20), 1, 4);
        QCOMPARE(budget.columns(kind(35)), FrameBudget::coarsest);
        budget.painted(kind(35), 4, 12);
        budget.painted(kind(35), 1, 40);
        QCOMPARE(budget.columns(kind(20)), 1);
        QCOMPARE(budget.columns(kind(35)), 4);
    }

    void zoomsNearTellOfEachOther() {
        FrameBudget budget;
        budget.painted(kind(20), 1, 4);
        QCOMPARE(budget.columns(kind(22)), 1);
        budget.painted(kind(23), 1, 30);
        QVERIFY2(budget.columns(kind(22)) == 3, "of two that are near the one that takes longer counts");
        QCOMPARE(budget.columns(kind(20)), 1);
    }

    void otherRowsAreOtherFrames() {
        FrameBudget budget;
        budget.painted(kind(20), 1, 4);
        FrameKind other = kind(20);
        other.isNested = true;
        QCOMPARE(budget.columns(other), FrameBudget::coarsest);
        other = kind(20);
        other.laneHeight = 3;
        QCOMPARE(budget.columns(other), FrameBudget::coarsest);
    }

    void whatIsRememberedHasAnEnd() {
        FrameBudget budget;
        for (int height = 0; height < 10'000; ++height) {
            FrameKind one = kind(20);
            one.laneHeight = height;
            budget.painted(one, 1, 1);
        }
        QCOMPARE(budget.columns(kind(20)), FrameBudget::coarsest);
    }

  private:
    static FrameKind kind(int level) { return {level, 1600, 14, false, false}; }
};

QTEST_APPLESS_MAIN(TestFrameBudget)
#include "tst_framebudget.moc"
