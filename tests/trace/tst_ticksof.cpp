// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace/TicksOf.h"

#include <QTest>

#include <limits>

using namespace laggard;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double notANumber = std::numeric_limits<double>::quiet_NaN();
constexpr Tick last = openEnd - 1;

} // namespace

class TestTicksOf : public QObject {
    Q_OBJECT

  private slots:
    void ticks_data() {
        QTest::addColumn<double>("calculated");
        QTest::addColumn<qulonglong>("ticks");
        QTest::newRow("nothing") << 0.0 << 0ULL;
        QTest::newRow("a part of one") << 0.99 << 0ULL;
        QTest::newRow("some and a part") << 7.99 << 7ULL;
        QTest::newRow("negative") << -1.0 << 0ULL;
        QTest::newRow("very negative") << -1e300 << 0ULL;
        QTest::newRow("as negative as can be") << -infinity << 0ULL;
        QTest::newRow("no number") << notANumber << 0ULL;
        QTest::newRow("more than a signed number holds") << 0x1p63 << (1ULL << 63U);
        QTest::newRow("the largest that fits") << 0x1.fffffffffffffp63 << 0xFFFFFFFFFFFFF800ULL;
        QTest::newRow("one too many") << 0x1p64 << qulonglong{last};
        QTest::newRow("very many") << 1e300 << qulonglong{last};
        QTest::newRow("endless") << infinity << qulonglong{last};
    }
    void ticks() {
        QFETCH(double, calculated);
        QFETCH(qulonglong, ticks);
        QCOMPARE(qulonglong{ticksOf(calculated)}, ticks);
    }

    void seconds_data() {
        QTest::addColumn<double>("seconds");
        QTest::addColumn<qulonglong>("ticksPerSecond");
        QTest::addColumn<qulonglong>("ticks");
        QTest::newRow("usual") << 0.25 << 1'000'000'000ULL << 250'000'000ULL;
        QTest::newRow("a clock that no machine has") << 2.0 << (1ULL << 63U) << qulonglong{last};
        QTest::newRow("the fastest") << 0.25 << qulonglong{openEnd} << (1ULL << 62U);
        QTest::newRow("no number") << notANumber << 1'000ULL << 0ULL;
        QTest::newRow("before the beginning") << -3.0 << 1'000ULL << 0ULL;
    }
    void seconds() {
        QFETCH(double, seconds);
        QFETCH(qulonglong, ticksPerSecond);
        QFETCH(qulonglong, ticks);
        Clock clock;
        clock.ticksPerSecond = ticksPerSecond;
        QCOMPARE(qulonglong{ticksOf(seconds, clock)}, ticks);
    }
};

QTEST_GUILESS_MAIN(TestTicksOf)
#include "tst_ticksof.moc"
