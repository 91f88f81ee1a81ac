// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/TimeAxis.h"

#include <QTest>

using namespace laggard;

class TestTimeAxis : public QObject {
    Q_OBJECT
  private slots:
    void aTimeBesideOthersIsInTheirUnit() {
        QCOMPARE(formatDurationIn(1, 0.764123, 9), QString("0.764123\u00a0s"));
        QCOMPARE(formatDurationIn(1e-3, 1.5, 9), QString("1500\u00a0ms"));
        QCOMPARE(formatDurationIn(1e-3, 0, 9), QString("0 ms"));
    }

    void ticksAndPixels() {
        const TimeAxis axis{{1000, 2000}, 100, 500};
        QCOMPARE(axis.x(1000), 100.0);
        QCOMPARE(axis.x(1500), 350.0);
        QCOMPARE(axis.x(0), -400.0);
        QCOMPARE(axis.tick(350), Tick{1500});
        QCOMPARE(axis.tick(-50), Tick{1000});
        QCOMPARE(axis.tick(9999), Tick{2000});
    }

    void thereAndBackFarFromZero() {
        constexpr Tick far = (Tick{1} << 63U) + 12345;
        const TimeAxis axis{{far, far + 16}, 0, 1600};
        for (Tick t = far; t <= far + 16; ++t)
            QCOMPARE(axis.tick(axis.x(t)), t);
    }

    void zoomKeepsWhatIsUnderThePointer() {
        const TimeAxis axis{{1000, 2000}, 0, 1000};
        const TimeRange whole{0, 10000};
        const TimeRange in = axis.zoomed(0.5, 250, whole);
        QCOMPARE(in.length(), Tick{500});
        QCOMPARE((TimeAxis{in, 0, 1000}).x(1250), 250.0);
        QCOMPARE(axis.zoomed(100, 250, whole), whole);
        const TimeRange atTheEdge = TimeAxis{{0, 1000}, 0, 1000}.zoomed(2, 900, whole);
        QCOMPARE(atTheEdge, (TimeRange{0, 2000}));
    }

    void zoomOfHugeRanges() {
        const TimeRange whole{0, openEnd - 1};
        const TimeRange out = TimeAxis{{whole.end / 2, whole.end / 2 + (Tick{1} << 62U)}, 0, 1000}.zoomed(1.5, 500, whole);
        QVERIFY(out.begin >= whole.begin && out.end <= whole.end && out.end > out.begin);
    }

    void panStopsAtTheEnds() {
        const TimeAxis axis{{1000, 2000}, 0, 1000};
        const TimeRange whole{500, 2300};
        QCOMPARE(axis.panned(100, whole), (TimeRange{1100, 2100}));
        QCOMPARE(axis.panned(-100, whole), (TimeRange{900, 1900}));
        QCOMPARE(axis.panned(5000, whole), (TimeRange{1300, 2300}));
        QCOMPARE(axis.panned(-5000, whole), (TimeRange{500, 1500}));
    }

    void durations_data() {
        QTest::addColumn<double>("seconds");
        QTest::addColumn<QString>("text");
        QTest::newRow("zero") << 0.0 << "0 s";
        QTest::newRow("seconds") << 12.5 << "12.5 s";
        QTest::newRow("milli") << 0.0123456 << "12.35 ms";
        QTest::newRow("micro") << 5e-6 << "5 µs";
        QTest::newRow("nano") << 12e-9 << "12 ns";
        QTest::newRow("less than one") << 0.5e-9 << "0.5 ns";
        QTest::newRow("a thousand micro is one milli") << 1e-3 << "1 ms";
        QTest::newRow("hours are seconds") << 7200.0 << "7200 s";
    }
    void durations() {
        QFETCH(double, seconds);
        QFETCH(QString, text);
        QCOMPARE(formatDuration(seconds).replace(QChar(0xa0), ' '), text);
    }

    void marks_data() {
        QTest::addColumn<double>("from");
        QTest::addColumn<double>("to");
        QTest::addColumn<QString>("unit");
        QTest::newRow("hours") << 0.0 << 36000.0 << "s";
        QTest::newRow("seconds") << 0.0 << 12.0 << "s";
        QTest::newRow("milliseconds") << 0.551 << 0.571 << "ms";
        QTest::newRow("microseconds") << 0.00100 << 0.00105 << "µs";
        QTest::newRow("microseconds late in the trace") << 0.55100 << 0.55150 << "ms";
        QTest::newRow("nanoseconds far from the start") << 123.456789 << 123.4567891 << "ns";
    }
    void marks() {
        QFETCH(double, from);
        QFETCH(double, to);
        QFETCH(QString, unit);
        const Clock clock;
        const Tick begin = 5'000'000'000'000;
        const TimeAxis axis{{begin + static_cast<Tick>(from * 1e9), begin + static_cast<Tick>(to * 1e9)}, 100, 1600};
        const AxisMarks marks = axisMarks(axis, clock, begin, 100);
        QVERIFY2(marks.marks.size() >= 3 && marks.marks.size() <= 17, "about every 100 to 250 pixels");
        QSet<QString> labels;
        for (std::size_t i = 0; i < marks.marks.size(); ++i) {
            QVERIFY(marks.marks[i].x >= 99 && marks.marks[i].x <= 1701);
            if (i > 0)
                QVERIFY2(marks.marks[i].x - marks.marks[i - 1].x >= 99, "labels would overlap");
            QVERIFY2(marks.marks[i].label.endsWith(QChar(0xa0) + unit), qPrintable(marks.marks[i].label));
            QVERIFY2(marks.marks[i].label.size() < 14, qPrintable(marks.marks[i].label));
            labels.insert(marks.marks[i].label);
        }
        QCOMPARE(labels.size(), static_cast<qsizetype>(marks.marks.size())); // no two the same
    }

    void deepZoomShowsTheOriginOnce() {
        const TimeAxis axis{{123'456'789'000, 123'456'789'100}, 0, 1000};
        const AxisMarks marks = axisMarks(axis, Clock(), 0, 100);
        QVERIFY(!marks.origin.isEmpty());
        QVERIFY2(marks.origin.startsWith("123.456789"), qPrintable(marks.origin));
    }
};

QTEST_APPLESS_MAIN(TestTimeAxis)
#include "tst_timeaxis.moc"
