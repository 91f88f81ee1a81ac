// SPDX-License-Identifier: GPL-3.0-or-later
#include "ingest/recording/ClockMap.h"

#include <QTest>

using namespace laggard;
using namespace laggard::recording;

class TestClockMap : public QObject {
    Q_OBJECT
  private slots:
    void withoutMeasurementsTheClockStaysAsItIs() {
        const ClockOffsets offsets;
        QVERIFY(offsets.empty());
        QCOMPARE(offsets(12345), std::uint64_t{12345});
    }

    void oneMeasurementHoldsForAllTimes() {
        const ClockOffsets offsets({{1'000, -300, 10}});
        QCOMPARE(offsets(1'000), std::uint64_t{700});
        QCOMPARE(offsets(5'000'000), std::uint64_t{4'999'700});
        QCOMPARE(offsets(100), std::uint64_t{0}); // there is no time before 0
    }

    void betweenTwoItGoesOnALine() {
        const ClockOffsets offsets({{1'000'000, 500, 10}, {3'000'000, 900, 10}});
        QCOMPARE(offsets(0), std::uint64_t{500});
        QCOMPARE(offsets(1'000'000), std::uint64_t{1'000'500});
        QCOMPARE(offsets(2'000'000), std::uint64_t{2'000'700});
        QCOMPARE(offsets(3'000'000), std::uint64_t{3'000'900});
        QCOMPARE(offsets(9'000'000), std::uint64_t{9'000'900});
    }

    void whatNoClocksDoIsAMistake() {
        // A drift of a fifth: the better measurement counts alone.
        const ClockOffsets offsets({{1'000'000, 500, 10}, {2'000'000, 200'500, 9'000}});
        QCOMPARE(offsets(2'000'000), std::uint64_t{2'000'500});
        const ClockOffsets other({{1'000'000, 500, 9'000}, {2'000'000, 200'500, 10}});
        QCOMPARE(other(1'000'000), std::uint64_t{1'200'500});
        // Short runs: as much as the measurements are uncertain.
        const ClockOffsets near({{1'000'000, 500, 900}, {1'010'000, 1'200, 900}});
        QCOMPARE(near(1'005'000), std::uint64_t{1'005'850});
        // The same moment twice.
        const ClockOffsets twice({{1'000, 5, 9}, {1'000, 7, 3}});
        QCOMPARE(twice(1'000), std::uint64_t{1'007});
    }

    void timesNeverGoBack() {
        const ClockOffsets offsets({{1'000'000, 0, 900}, {1'000'900, -890, 900}}); // all but standing still
        std::uint64_t before = 0;
        for (std::uint64_t ticks = 999'000; ticks < 1'003'000; ticks += 7) {
            const std::uint64_t now = offsets(ticks);
            QVERIFY(now >= before);
            before = now;
        }
    }

    void leadsToTheTrace() {
        ClockMap map{5'000, 100, 1'000'000'000, openEnd - 1, {}};
        QCOMPARE(map(5'050), Tick{150});
        map.offsets = ClockOffsets({{1'000, 4'000, 10}});
        QCOMPARE(map(1'050), Tick{150}); // 5,050 by the other clock
    }
};

QTEST_APPLESS_MAIN(TestClockMap)
#include "tst_clockmap.moc"
