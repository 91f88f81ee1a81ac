// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/detail/ActiveWindow.h"
#include "tests/support/TraceBuilder.h"

#include <QTest>

using namespace laggard;
using namespace laggard::test;

class TestActiveWindow : public QObject {
    Q_OBJECT
  private slots:
    void neitherInitNorTheWaitAfterwards() {
        TraceBuilder builder(2);
        for (const Rank rank : {0U, 1U}) {
            builder.call(rank, 0, 970'000, "MPI_Init");
            for (Tick t = 970'000; t < 975'000; t += 10)
                builder.call(rank, t, t + 8, "step");
            builder.enter(rank, 975'000, "MPI_Allreduce");
        }
        const TracePtr trace = builder.finish(3'000'000);
        const TimeRange window = lastActiveWindow(*trace, 60);
        QVERIFY2(window.begin > 974'000 && window.begin < 975'000,
                 "the last calls before the hang must be in it, and not much more");
        QVERIFY2(window.end > 975'000 && window.end < 976'000, "it must show that the last call goes on, but not the whole wait");
    }
    void withFewCallsItBeginsAfterInit_data() {
        QTest::addColumn<QString>("init");
        for (const char *init : {"MPI_Init", "MPI_Init_thread", "mpi_init_", "mpi_init_f08_", "MPI_INIT"})
            QTest::newRow(init) << init;
    }
    void withFewCallsItBeginsAfterInit() {
        QFETCH(QString, init);
        const TracePtr trace =
            TraceBuilder(1).call(0, 0, 900, init.toStdString()).call(0, 920, 930, "a").call(0, 940, 990, "b").finish(1000);
        const TimeRange window = lastActiveWindow(*trace);
        QVERIFY2(window.begin > 850 && window.begin <= 900, "MPI_Init must not fill the window");
        QCOMPARE(window.end, Tick{1000});
    }
    void traceWithoutCalls() {
        const TracePtr trace = TraceBuilder(3).finish(50);
        QCOMPARE(lastActiveWindow(*trace), trace->range);
    }
    void oneOpenCall() {
        const TracePtr trace = TraceBuilder(1).enter(0, 5, "main").finish(50);
        QCOMPARE(lastActiveWindow(*trace), trace->range);
    }
};

QTEST_APPLESS_MAIN(TestActiveWindow)
#include "tst_activewindow.moc"
