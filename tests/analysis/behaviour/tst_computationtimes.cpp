// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/behaviour/ComputationTimes.h"
#include "tests/support/TraceBuilder.h"

#include <QTest>

#include <cmath>

using namespace laggard;
using test::TraceBuilder;

class TestComputationTimes : public QObject {
    Q_OBJECT
  private slots:
    void byHand() {
        // Six calls, between which 40, 10, 30, 20 and 50 ns are computed; then an unfinished computation.
        TraceBuilder builder(1);
        builder.enter(0, 0, "main");
        Tick now = 100;
        builder.call(0, now, now + 5, "MPI_Barrier");
        for (const Tick length : {40, 10, 30, 20, 50}) {
            now += 5 + length;
            builder.call(0, now, now + 5, "MPI_Barrier");
        }
        const TracePtr trace = builder.finish(10'000);
        const Trace *traces[] = {trace.get()};
        const Histories histories = buildHistories(traces, {});
        const PhaseTable phases = findPhases(traces, histories, "", 0, {});
        const auto times = computationTimes(histories, phases, 0, 0, 0);
        QCOMPARE(times.size(), std::size_t{2}); // before the first call, and between calls
        const ComputationTime &between = times[0].count == 5 ? times[0] : times[1];
        QCOMPARE(between.count, 5.0);
        QVERIFY(std::abs(between.median - 30e-9) < 1e-15);
        QVERIFY(std::abs(between.quartile - 20e-9) < 1e-15);
        QVERIFY(!histories.table.isCensored(between.transition));
    }

    void withoutOne() {
        const SortedTimes times{{1, 2, 3, 4, 5}};
        QCOMPARE(times.medianWithout(5), 2.5);
        QCOMPARE(times.medianWithout(1), 3.5);
        QCOMPARE(times.quartileWithout(5, 3), 1.0);
        QCOMPARE(times.quartileWithout(1, 3), 2.0);
        QCOMPARE(times.quartileWithout(1, 5), 0.0);
        const SortedTimes two{{1, 7}};
        QCOMPARE(two.medianWithout(7), 1.0);
        QCOMPARE(two.quartileWithout(1, 1), 7.0);
        const SortedTimes alone{{1}};
        QCOMPARE(alone.medianWithout(1), 0.0);
        QCOMPARE(alone.quartileWithout(1, 0), 0.0);
    }
};

QTEST_APPLESS_MAIN(TestComputationTimes)
#include "tst_computationtimes.moc"
