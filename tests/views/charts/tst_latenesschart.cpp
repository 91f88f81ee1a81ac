// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/TraceBuilder.h"
#include "views/charts/LatenessChart.h"

#include <QTest>

#include <cmath>

using namespace laggard;
using laggard::test::TraceBuilder;

namespace {

/// Twelve barriers of three ranks: rank 2 is last in ten, rank 0 in two.
TracePtr job() {
    TraceBuilder builder(3);
    for (Tick round = 0; round < 12; ++round) {
        const Tick begin = round * 100;
        const bool isUsual = round % 6 != 3;
        builder.collectiveCall(0, begin + (isUsual ? 0 : 20), begin + 50, CollectiveOperation::Barrier);
        builder.collectiveCall(1, begin + 10, begin + 50, CollectiveOperation::Barrier);
        builder.collectiveCall(2, begin + (isUsual ? 30 : 0), begin + 50, CollectiveOperation::Barrier);
    }
    return builder.finish(1200);
}

} // namespace

class tst_LatenessChart : public QObject {
    Q_OBJECT
  private slots:
    void sharesByRank() {
        const TracePtr trace = job();
        const Lateness lateness = countLateness(*trace, lateInCollectives(*trace, trace->range, Work{}), Work{});
        const Chart chart = latenessChart(*trace, lateness);
        QCOMPARE(chart.items.size(), std::size_t{3});
        QCOMPARE(chart.items[2].name, "rank 2");
        QCOMPARE(chart.series.size(), std::size_t{3});
        QVERIFY(std::abs(chart.series[0].values[2] - 1000.0 / 12) < 1e-9);
        QVERIFY(std::abs(chart.series[1].values[2] - 100.0 / 3) < 1e-9);
        // 10 · (30 + 20) of 10 · 50 + 2 · (10 + 20) is what others waited for rank 2.
        QVERIFY(std::abs(chart.series[2].values[2] - 100 * 500.0 / 560) < 1e-9);
        QCOMPARE(chart.series[0].emphasised, (std::vector<bool>{false, false, true}));
        QVERIFY2(chart.items[2].detail.contains("it recurs"), qPrintable(chart.items[2].detail));
        QCOMPARE(chart.marks.size(), std::size_t{1});
    }

    void withoutWaitingThereIsASentence() {
        TraceBuilder builder(2);
        builder.call(0, 0, 1, "work");
        const TracePtr trace = builder.finish(10);
        const Lateness lateness = countLateness(*trace, LateOccasions(), Work{});
        QVERIFY(latenessChart(*trace, lateness).isEmpty());
        QVERIFY(!latenessChart(*trace, lateness).emptyText.isEmpty());
        QVERIFY(hostLatenessChart(*trace, lateness).isEmpty());
    }
};

QTEST_GUILESS_MAIN(tst_LatenessChart)
#include "tst_latenesschart.moc"
