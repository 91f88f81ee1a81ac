// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/charts/TimeCharts.h"

#include "tests/support/TraceBuilder.h"
#include "views/charts/ChartPanel.h"
#include "views/charts/ChartView.h"
#include "views/charts/TimePanel.h"

#include <QTest>

#include <cmath>

using namespace laggard;
using test::TraceBuilder;

namespace {

TracePtr lateTrace() {
    TraceBuilder builder(2);
    builder.collectiveCall(0, 10, 105, CollectiveOperation::Barrier);
    builder.call(1, 0, 100, "work").collectiveCall(1, 100, 105, CollectiveOperation::Barrier);
    return builder.finish(110);
}

} // namespace

class TestTimeCharts : public QObject {
    Q_OBJECT
  private slots:
    void functionsByTheirOwnTime() {
        const TracePtr trace = lateTrace();
        const Chart chart = timeByFunctionChart(*trace, callStatistics(*trace, trace->range, {0, 1}, Work{}));
        QCOMPARE(chart.items.size(), std::size_t{2}); // work 100, MPI_Barrier 95 + 5
        QCOMPARE(chart.items[0].name, QString("MPI_Barrier"));
        QVERIFY2(std::isnan(chart.series[0].values[0]), "it is not the program's own");
        QCOMPARE(chart.series[1].values[0], 50.0);
        QCOMPARE(chart.items[1].name, QString("work"));
        QCOMPARE(chart.series[0].values[1], 50.0);
        QVERIFY(!timeByFunctionChart(*trace, {}).emptyText.isEmpty());
    }

    /// They take most of a short job, and nobody asks for them.
    void startAndEndAreLeftOut() {
        TraceBuilder builder(1);
        builder.enter(0, 0, "main").call(0, 0, 900, "MPI_Init").call(0, 900, 950, "work").call(0, 950, 1000, "MPI_Finalize");
        const TracePtr trace = builder.leave(0, 1000, "main").finish(1000);
        const Chart chart = timeByFunctionChart(*trace, callStatistics(*trace, trace->range, {0}, Work{}));
        QCOMPARE(chart.items.front().name, QString("work"));
        QVERIFY2(chart.series[0].values[0] == 5.0, "of all time, as in the legend");
        for (const ChartItem &item : chart.items)
            QVERIFY2(!item.name.startsWith("MPI_"), qPrintable(item.name));
        QVERIFY2(chart.remarks.join(' ').contains("95 %"), qPrintable(chart.remarks.join(' ')));
    }

    void waitingOfEachRank() {
        const TracePtr trace = lateTrace();
        const Chart chart = waitingByRankChart(*trace, findDelays(*trace, trace->range, Work{}));
        QCOMPARE(chart.items.size(), std::size_t{2});
        QCOMPARE(chart.unit, QString("µs"));
        QVERIFY(std::abs(chart.series[0].values[0] - 0.09) < 1e-9);
        QVERIFY(std::abs(chart.series[1].values[1] - 0.09) < 1e-9);
        QVERIFY(!waitingByRankChart(*trace, DelayReport()).emptyText.isEmpty());
    }

    /// Else another one than whom the verdict names would seem to be the worst.
    void waitsThatHaveNotEndedCount() {
        const TracePtr trace = lateTrace();
        const DelayReport delays = findDelays(*trace, trace->range, Work{});
        const Chart chart = waitingByRankChart(*trace, delays, {50e-9, {0, 50e-9}, {50e-9, 0}});
        QVERIFY(std::abs(chart.series[0].values[1] - 0.05) < 1e-9);
        QVERIFY(std::abs(chart.series[1].values[0] - 0.05) < 1e-9);
        QVERIFY2(chart.remarks.front().contains("up to the end"), qPrintable(chart.remarks.join(' ')));
        QVERIFY2(chart.series[1].name.contains("in sum"), "it may be longer than the job");
    }

    /// Nothing is known of them, which is not 0.
    void ranksWithLostEventsHaveNoValues() {
        const auto whole = std::const_pointer_cast<Trace>(lateTrace());
        Trace &damaged = *whole;
        damaged.locations[damaged.processes[1].mainLocation].damaged = true;
        const Chart chart = waitingByRankChart(damaged, findDelays(damaged, damaged.range, Work{}));
        QVERIFY(!std::isnan(chart.series[0].values[0]));
        QVERIFY(std::isnan(chart.series[0].values[1]) && std::isnan(chart.series[1].values[1]));
        QCOMPARE(chart.items[1].detail, QString("events lost"));
    }

    void aChoiceIsSelected() {
        const TracePtr trace = lateTrace();
        SelectionModel selection;
        TimePanel functions(TimePanel::Items::Functions, selection);
        functions.setChart(timeByFunctionChart(*trace, callStatistics(*trace, trace->range, {0, 1}, Work{})));
        emit functions.panel()->chosen(1, SelectMode::Replace);
        QCOMPARE(trace->regions[selection.current().region].name, std::string("work"));
        QCOMPARE(functions.panel()->view()->marked(), std::vector<std::size_t>{1});
        TimePanel ranks(TimePanel::Items::Ranks, selection);
        ranks.setChart(waitingByRankChart(*trace, findDelays(*trace, trace->range, Work{})));
        emit ranks.panel()->chosen(1, SelectMode::Replace);
        QCOMPARE(selection.current().ranks, RankSet{1});
        QCOMPARE(ranks.panel()->view()->marked(), std::vector<std::size_t>{1});
    }
};

QTEST_MAIN(TestTimeCharts)
#include "tst_timecharts.moc"
