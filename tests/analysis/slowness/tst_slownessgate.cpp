// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/slowness/SlownessGate.h"
#include "tests/support/TraceBuilder.h"

#include <QTest>

#include <algorithm>
#include <functional>
#include <random>

using namespace laggard;
using test::TraceBuilder;
using State = Verdict::State;

namespace {

constexpr Tick millisecond = 1'000'000;

/// Eight ranks that compute for some 60 ms in each of 24 steps and meet in an all-reduce.
struct SlowJob {
    std::function<Tick(Rank, int)> extra; ///< ticks that a rank computes longer in a step
    Tick compute = 60 * millisecond;
    int steps = 24;

    [[nodiscard]] TracePtr build() const {
        TraceBuilder builder(8);
        std::mt19937 random(3);
        std::normal_distribution<double> spread(1, 0.02);
        for (Rank rank = 0; rank < 8; ++rank)
            builder.enter(rank, 0, "main").call(rank, 1, 100, "MPI_Init");
        Tick now = 200;
        for (int step = 0; step < steps; ++step) {
            Tick done[8];
            for (Rank rank = 0; rank < 8; ++rank)
                done[rank] =
                    now + static_cast<Tick>(static_cast<double>(compute) * spread(random)) + (extra ? extra(rank, step) : 0);
            const Tick meet = *std::max_element(std::begin(done), std::end(done)) + 10;
            for (Rank rank = 0; rank < 8; ++rank) {
                builder.enter(rank, now + 1, "step").call(rank, now + 2, done[rank], "flux");
                builder.collectiveCall(rank, done[rank] + 1, meet, CollectiveOperation::Allreduce).leave(rank, meet + 5, "step");
            }
            now = meet + 10;
        }
        for (Rank rank = 0; rank < 8; ++rank)
            builder.call(rank, now, now + 50, "MPI_Finalize").leave(rank, now + 60, "main");
        return builder.finish(now + 60);
    }
};

SlowJob slowJob(std::function<Tick(Rank, int)> extra) { return {std::move(extra)}; }

/// Ranks that may be named, as "0 3"; of the phases with a "p" before.
QString toldOf(const TracePtr &trace, State state) {
    const SemiMarkovReport models = analyseSemiMarkov(*trace, {}, {}, {});
    const DelayReport delays = findDelays(*trace, trace->range, {});
    const OutlierReport outliers = findOutliers(*trace, {}, {}, {});
    const SlownessStatements told = slownessToTell({*trace, state, &delays, &models, &outliers}, {});
    QStringList list;
    if (told.delays)
        list << QString("delays %1").arg(delays.leading->rank);
    if (told.phases)
        list << QString("phases %1").arg(models.verdict.ranks.front());
    for (const Rank rank : told.unlike)
        list << QString("unlike %1").arg(rank);
    if (told.once)
        list << QString("once %1").arg(told.once->rank);
    return list.join(", ");
}

} // namespace

class TestSlownessGate : public QObject {
    Q_OBJECT
  private slots:
    void saysWhatMattersAndNoMore_data() {
        QTest::addColumn<TracePtr>("trace");
        QTest::addColumn<bool>("finished");
        QTest::addColumn<QString>("told");
        const auto row = [](const char *name, const SlowJob &job, const QString &told, bool finished = true) {
            QTest::newRow(name) << job.build() << finished << told;
        };
        row("nothing special", slowJob({}), "");
        row("from step 12 on rank 3 is three times as slow",
            slowJob([](Rank rank, int step) { return rank == 3 && step >= 12 ? 120 * millisecond : 0; }),
            "delays 3, phases 3, unlike 3");
        row("the same of a job that was ended",
            slowJob([](Rank rank, int step) { return rank == 3 && step >= 12 ? 120 * millisecond : 0; }),
            "delays 3, phases 3, unlike 3", false);
        SlowJob quick = slowJob([](Rank rank, int step) { return rank == 3 && step >= 12 ? millisecond / 10 : 0; });
        quick.compute = millisecond / 20;
        row("the same, but it costs a few milliseconds", quick, "");
        row("rank 5 is three times as slow all along", slowJob([](Rank rank, int) { return rank == 5 ? 120 * millisecond : 0; }),
            "delays 5, unlike 5");
        row("the same of a job that was ended: its load may have moved on",
            slowJob([](Rank rank, int) { return rank == 5 ? 120 * millisecond : 0; }), "", false);
        row("one second once", slowJob([](Rank rank, int step) { return rank == 2 && step == 15 ? 1000 * millisecond : 0; }),
            "delays 2, phases 2, unlike 2");
        row("a twentieth of a second once",
            slowJob([](Rank rank, int step) { return rank == 2 && step == 15 ? 50 * millisecond : 0; }), "");
        row("from step 12 on all have three times the work",
            slowJob([](Rank, int step) { return step >= 12 ? 120 * millisecond : 0; }), "");
        row("work that grows", slowJob([](Rank, int step) { return static_cast<Tick>(step) * 6 * millisecond; }), "");
        row("load that moves from rank to rank",
            slowJob([](Rank rank, int step) { return static_cast<int>(rank) == step / 3 ? 120 * millisecond : 0; }), "");
        row(
            "the same, ended on its way",
            [] {
                SlowJob job =
                    slowJob([](Rank rank, int step) { return static_cast<int>(rank) == step / 8 ? 120 * millisecond : 0; });
                job.steps = 14;
                return job;
            }(),
            "", false);
    }

    void saysWhatMattersAndNoMore() {
        QFETCH(TracePtr, trace);
        QFETCH(bool, finished);
        QFETCH(QString, told);
        QCOMPARE(toldOf(trace, finished ? State::Finished : State::Running), told);
    }

    /// In a job that runs, a rank silent before the others is told if it never was silent for nearly as long.
    void stoppedFirst_data() {
        QTest::addColumn<int>("usual"); // milliseconds between the calls of rank 1
        QTest::addColumn<bool>("running");
        QTest::addColumn<bool>("told");
        QTest::newRow("as never before") << 100 << true << true;
        QTest::newRow("as long before") << 1500 << true << false;
        QTest::newRow("more than half as long before") << 900 << true << false;
        QTest::newRow("as long before, but the job hangs") << 1500 << false << true;
    }
    void stoppedFirst() {
        QFETCH(int, usual);
        QFETCH(bool, running);
        QFETCH(bool, told);
        TraceBuilder builder(4);
        const Tick end = 9000 * millisecond;
        for (Rank rank = 0; rank < 4; ++rank) {
            const Tick step = rank == 1 ? static_cast<Tick>(usual) * millisecond : 100 * millisecond;
            builder.enter(rank, 0, "main");
            for (Tick time = step; time < end - (rank == 1 ? 1500 * millisecond : 0); time += step)
                builder.call(rank, time, time + 10, "MPI_Iprobe");
        }
        const TracePtr trace = builder.finish(end);
        const OutlierReport outliers = findOutliers(*trace, {}, {}, {});
        QCOMPARE(outliers.failStop.stopped.size(), std::size_t{1});
        QCOMPARE(slownessToTell({*trace, running ? State::Running : State::Hung, nullptr, nullptr, &outliers}, {}).stopped, told);
    }
};

QTEST_APPLESS_MAIN(TestSlownessGate)
#include "tst_slownessgate.moc"
