// SPDX-License-Identifier: GPL-3.0-or-later
// The charts of the outlier analyses as plain values: no window here.
#include "tests/support/TraceBuilder.h"
#include "tests/views/charts/SampleCharts.h"
#include "views/charts/ChartListModel.h"
#include "views/charts/RankItems.h"
#include "views/charts/SuspectCharts.h"
#include "views/kit/TableText.h"

#include <QAbstractItemModelTester>
#include <QTest>

using namespace laggard;
using test::TraceBuilder;

namespace {

constexpr Tick second = 1'000'000'000;

/// Eight ranks that pack for a tenth of their time and compute for the rest; the odd one packs for half of it.
TracePtr packers(Rank odd) {
    TraceBuilder builder(8);
    for (Rank rank = 0; rank < 8; ++rank) {
        const Tick turn = rank == odd ? 5 * second : second;
        builder.enter(rank, 0, "main").call(rank, 0, turn, "pack").call(rank, turn, 10 * second, "compute");
        builder.leave(rank, 10 * second, "main");
    }
    return builder.finish(10 * second);
}

OutlierReport outliersOf(const TracePtr &trace, const std::vector<TracePtr> &references = {}) {
    return findOutliers(*trace, references, {}, {});
}

/// Rank 5 stops after one second in pack, the others go on for ten.
TracePtr stopped() {
    TraceBuilder builder(8);
    for (Rank rank = 0; rank < 8; ++rank) {
        builder.enter(rank, 0, "main").enter(rank, second, "pack");
        if (rank != 5)
            builder.leave(rank, 10 * second + rank, "pack").enter(rank, 10 * second + rank, "compute");
    }
    return builder.finish(11 * second);
}

} // namespace

class TestSuspectCharts : public QObject {
    Q_OBJECT
  private slots:
    void scoresStandInOrderOfRankWithTheOddOneMarked() {
        const TracePtr trace = packers(6);
        const OutlierReport report = outliersOf(trace);
        const Chart chart = suspectChart(*trace, report.withoutMpi);
        QCOMPARE(chart.items.size(), std::size_t(8));
        QCOMPARE(chart.items[6].name, "rank 6");
        QCOMPARE(chart.items[6].position, 6.0);
        QCOMPARE(chart.series.size(), std::size_t(1));
        QVERIFY(std::abs(chart.series[0].values[6] - 0.8) < 1e-6); // 0.4 more in pack, 0.4 less in compute
        QCOMPARE(chart.series[0].values[0], 0.0);
        for (std::size_t i = 0; i < 8; ++i)
            QCOMPARE(static_cast<bool>(chart.series[0].emphasised[i]), i == 6);
        QCOMPARE(chart.lines.size(), std::size_t(1));
        QCOMPARE(chart.lines[0].value, report.withoutMpi.threshold);
        QVERIFY2(itemText(chart, 6).contains("pack"), "the tooltip names what differs most");
    }

    void saysWhichReferencesAreNotCompared() {
        const TracePtr trace = packers(6);
        auto dump = std::make_shared<Trace>();
        dump->isSummary = true;
        QVERIFY(outliersOf(trace, {trace}).withoutMpi.leftOut == 0);
        const Ranking ranking = outliersOf(trace, {dump, packers(2), dump}).withMpi;
        QVERIFY2(ranking.scores.front().oneClass.has_value(), "it is compared with the trace among the references");
        const Chart chart = suspectChart(*trace, ranking);
        QVERIFY2(chart.remarks.contains("Not compared with 2 references: a model dump has no events."),
                 qPrintable(chart.remarks.join('|')));
        QVERIFY(!suspectChart(*trace, outliersOf(trace).withMpi).remarks.join('|').contains("dump"));
    }

    void referencesGiveASecondSeries() {
        const TracePtr trace = packers(6);
        const OutlierReport report = outliersOf(trace, {packers(2)}); // there, packing much was no fault
        const Chart chart = suspectChart(*trace, report.withoutMpi);
        QCOMPARE(chart.series.size(), std::size_t(2));
        QVERIFY(std::abs(chart.series[0].values[6] - 0.8) < 1e-6);
        QCOMPARE(chart.series[1].values[6], 0.0);
        QVERIFY2(chart.series[0].look != chart.series[1].look, "the algorithms differ in shape, not in colour alone");
    }

    void contributionsHaveTheirSign() {
        const TracePtr trace = packers(6);
        const Chart chart = contributionChart(*trace, outliersOf(trace).withoutMpi, 6);
        QCOMPARE(chart.unit, "%");
        QCOMPARE(chart.items.size(), std::size_t(2));
        double pack = 0;
        double compute = 0;
        for (std::size_t i = 0; i < 2; ++i)
            (chart.items[i].name.startsWith("pack") ? pack : compute) = chart.series[0].values[i];
        QVERIFY2(std::abs(pack - 40) < 1e-6, qPrintable(QString::number(pack)));
        QVERIFY2(std::abs(compute + 40) < 1e-6, qPrintable(QString::number(compute)));
        QVERIFY2(chart.items[0].detail.contains("called from main"), "the tooltip has the stack");
    }

    void aRankWithoutScoreSaysWhy() {
        const TracePtr trace = packers(6);
        const Chart chart = contributionChart(*trace, outliersOf(trace).withoutMpi, 77);
        QVERIFY(chart.isEmpty());
        QVERIFY(!chart.emptyText.isEmpty());
    }

    /// As of dumps in which no rank spends time in what is recorded.
    void aProfileWithoutFunctionsSaysSo() {
        const TracePtr trace = packers(6);
        Ranking ranking = outliersOf(trace).withoutMpi;
        const auto empty = std::make_shared<ProfileSet>(*ranking.profiles);
        empty->components.clear();
        empty->values.clear();
        empty->calls.clear();
        ranking.profiles = empty;
        const Chart chart = profileChart(*trace, ranking, {6});
        QVERIFY(chart.isEmpty());
        QVERIFY2(chart.emptyText.contains("rank 6"), qPrintable(chart.emptyText));
    }

    void profileStandsBesideNeighbourAndReference() {
        const TracePtr trace = packers(6);
        const Ranking plain = outliersOf(trace).withoutMpi;
        const Chart alone = profileChart(*trace, plain, {6});
        QCOMPARE(alone.series.size(), std::size_t(2));
        QCOMPARE(alone.series[0].name, "rank 6");
        QVERIFY2(alone.remarks.join(' ').contains("A call of ") && alone.remarks.join(' ').contains("rank 6 "),
                 "shares hide how much longer a call takes");
        QVERIFY(alone.series[1].name.startsWith("rank "));
        const Chart average = profileChart(*trace, plain, {5, 6});
        for (std::size_t i = 0; i < average.items.size(); ++i)
            if (average.items[i].name.startsWith("pack"))
                QVERIFY(std::abs(average.series[0].values[i] - 30) < 1e-6); // mean of 10 % and 50 %
        // The reference has eight ranks like those of the trace but for its own odd one: that is nearest to rank 6.
        const Chart referenced = profileChart(*trace, outliersOf(trace, {packers(2)}).withoutMpi, {6});
        QCOMPARE(referenced.series.size(), std::size_t(2)); // the neighbour that gave the score is the reference: told once
        QCOMPARE(referenced.series.back().name, "rank 2 of reference 1");
    }

    void lastRecordsShowTheGap() {
        const TracePtr trace = stopped();
        const FailStop failStop = findFailStop(*trace);
        QCOMPARE(failStop.stopped.size(), std::size_t(1));
        const Chart chart = lastRecordChart(*trace, failStop);
        QCOMPARE(chart.items.size(), std::size_t(8));
        QCOMPARE(chart.series[0].values[5], 1.0);
        QVERIFY(chart.series[0].emphasised[5]);
        QVERIFY(!chart.series[0].emphasised[4]);
        QVERIFY2(chart.items[5].detail.contains("pack"), "the tooltip says what it did last");
        QCOMPARE(chart.bands.size(), std::size_t(1));
        QCOMPARE(chart.bands[0].from, 1.0);
        QVERIFY(std::abs(chart.bands[0].to - 10.0) < 1e-6);
        QCOMPARE(chart.lines.size(), std::size_t(1));
        QVERIFY(std::abs(chart.lines[0].value - (10 - failStop.neededSeconds)) < 1e-6);
    }

    void itemsOfRanksAreFound() {
        QCOMPARE(itemsOfRanks(test::scores(), {0, 3}), (std::vector<std::size_t>{0, 3}));
        QVERIFY(itemsOfRanks(test::scores(), {}).empty());
    }

    void theListIsSortedByScoreAndGoesToCsvInFull() {
        ChartListModel model;
        const QAbstractItemModelTester tester(&model);
        auto chart = std::make_shared<Chart>(test::scores(4));
        chart->series[0].values[3] = 1.0 / 3;
        model.setChart(chart);
        model.sortBySeries(0);
        QCOMPARE(model.index(0, 0).data().toString(), "rank 2");
        QCOMPARE(model.itemOf(model.index(1, 0)), std::size_t(3));
        QCOMPARE(model.indexOf(2).row(), 0);
        QCOMPARE(model.index(3, 0).data().toString(), "rank 1"); // no value: last
        QCOMPARE(model.index(3, 1).data().toString(), "");
        QCOMPARE(toCsv(model).split('\n')[0], "rank,against each other,against references");
        QVERIFY2(toCsv(model).contains("rank 3,0.333333333"), toCsv(model).constData());
        model.setChart(nullptr);
        QCOMPARE(model.rowCount(), 0);
    }
};

QTEST_GUILESS_MAIN(TestSuspectCharts)
#include "tst_suspectcharts.moc"
