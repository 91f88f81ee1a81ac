// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/selection/ZoomFilterStack.h"

#include <QSignalSpy>
#include <QTest>

using namespace laggard;

class TestZoomFilterStack : public QObject {
    Q_OBJECT
  private slots:
    void zoomIsClamped_data() {
        QTest::addColumn<qulonglong>("begin");
        QTest::addColumn<qulonglong>("end");
        QTest::addColumn<qulonglong>("shownBegin");
        QTest::addColumn<qulonglong>("shownEnd");
        QTest::newRow("inside") << 200ULL << 300ULL << 200ULL << 300ULL;
        QTest::newRow("before the start") << 0ULL << 150ULL << 100ULL << 250ULL;
        QTest::newRow("past the end") << 950ULL << 1200ULL << 750ULL << 1000ULL;
        QTest::newRow("larger than the trace") << 0ULL << 5000ULL << 100ULL << 1000ULL;
        QTest::newRow("too small") << 500ULL << 501ULL << 500ULL << 516ULL;
        QTest::newRow("backwards") << 500ULL << 400ULL << 500ULL << 516ULL;
    }
    void zoomIsClamped() {
        QFETCH(qulonglong, begin);
        QFETCH(qulonglong, end);
        QFETCH(qulonglong, shownBegin);
        QFETCH(qulonglong, shownEnd);
        ZoomFilterStack stack;
        stack.reset({100, 1000});
        stack.setZoom({begin, end});
        QCOMPARE(stack.zoom(), (TimeRange{shownBegin, shownEnd}));
    }

    void undoAndRedo() {
        ZoomFilterStack stack;
        stack.reset({0, 1000});
        stack.setZoom({100, 200});
        Filter filter;
        filter.minimumDuration = 5;
        stack.setFilter(filter);
        stack.undo();
        QVERIFY(stack.filter().isEmpty());
        QCOMPARE(stack.zoom(), (TimeRange{100, 200}));
        stack.undo();
        QCOMPARE(stack.zoom(), (TimeRange{0, 1000}));
        QVERIFY(!stack.canUndo());
        stack.redo();
        stack.redo();
        QCOMPARE(stack.filter(), filter);
        QVERIFY(!stack.canRedo());
    }

    void wheelStepsAreOneStep() {
        ZoomFilterStack stack;
        stack.reset({0, 1000});
        for (Tick i = 1; i < 20; ++i)
            stack.setZoom({i * 10, 1000 - i * 10}, true);
        stack.undo();
        QCOMPARE(stack.zoom(), (TimeRange{0, 1000}));
    }

    void onlyWhatChangedIsAnnounced() {
        ZoomFilterStack stack;
        stack.reset({0, 1000});
        QSignalSpy zoomed(&stack, &ZoomFilterStack::zoomChanged);
        QSignalSpy filtered(&stack, &ZoomFilterStack::filterChanged);
        stack.setZoom({1, 500});
        stack.setZoom({1, 500});
        QCOMPARE(zoomed.count(), 1);
        QCOMPARE(filtered.count(), 0);
    }

    void emptyTrace() {
        ZoomFilterStack stack;
        stack.reset({7, 7});
        stack.setZoom({0, 100});
        QCOMPARE(stack.zoom(), (TimeRange{7, 7}));
    }

    void regions() {
        Filter filter;
        QVERIFY(filter.showsRegion(3));
        filter.hiddenRegions = {3};
        QVERIFY(!filter.showsRegion(3));
        filter.onlyRegions = {3, 5};
        QVERIFY(!filter.showsRegion(3));
        QVERIFY(filter.showsRegion(5));
        QVERIFY(!filter.showsRegion(6));
    }
};

QTEST_GUILESS_MAIN(TestZoomFilterStack)
#include "tst_zoomfilterstack.moc"
