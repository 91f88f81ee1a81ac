// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/TraceBuilder.h"
#include "views/compare/RunAlignment.h"

#include <QTest>

using namespace laggard;
using laggard::test::TraceBuilder;

namespace {

std::shared_ptr<Trace> withClock(std::uint64_t ticksPerSecond) {
    auto trace = std::make_shared<Trace>();
    trace->clock.ticksPerSecond = ticksPerSecond;
    return trace;
}

} // namespace

class tst_RunAlignment : public QObject {
    Q_OBJECT
  private slots:
    /// A millisecond is 1,000 ticks here and 10 there.
    void clocksMayDiffer() {
        const RunAlignment alignment(*withClock(1'000'000), 5'000, *withClock(10'000), 300);
        QCOMPARE(alignment.toThere(Tick{6'000}), Tick{310});
        QCOMPARE(alignment.toThere(Tick{4'000}), Tick{290});
        QCOMPARE(alignment.toHere(Tick{310}), Tick{6'000});
        QCOMPARE(alignment.toThere(TimeRange{4'000, 6'000}), (TimeRange{290, 310}));
    }

    void beforeTheOtherClockBeginsThereIsNothing() {
        const RunAlignment alignment(*withClock(1000), 500, *withClock(1000), 100);
        QVERIFY(alignment.reaches(400));
        QVERIFY(!alignment.reaches(399));
        QCOMPARE(alignment.toThere(Tick{0}), Tick{0});
    }

    void hugeTimesStayTimes() {
        const RunAlignment alignment(*withClock(1), 0, *withClock(1'000'000'000), 0);
        QCOMPARE(alignment.toThere(openEnd - 1), openEnd - 1);
        QCOMPARE(alignment.toHere(Tick{0}), Tick{0});
    }

    void instancesAreThoseOfTheFirstRankThatComesToThem() {
        TraceBuilder builder(2);
        builder.call(0, 10, 20, "step").enter(0, 30, "step").call(0, 32, 35, "step").leave(0, 40, "step").call(0, 50, 60, "step");
        builder.call(1, 12, 20, "step").call(1, 28, 40, "step");
        const TracePtr trace = builder.finish(100);
        QCOMPARE(instanceOf(*trace, "step", 0), std::optional<Tick>(10));
        QCOMPARE(instanceOf(*trace, "step", 1), std::optional<Tick>(28));
        QCOMPARE(instanceOf(*trace, "step", 2), std::optional<Tick>(50));
        QCOMPARE(instanceOf(*trace, "step", 3), std::optional<Tick>());
        QCOMPARE(instanceOf(*trace, "other", 0), std::optional<Tick>());
    }
};

QTEST_APPLESS_MAIN(tst_RunAlignment)
#include "tst_runalignment.moc"
