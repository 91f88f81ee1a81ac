// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/words/Whereabouts.h"
#include "tests/support/TraceBuilder.h"

#include <QTest>

using namespace laggard;
using laggard::test::TraceBuilder;

/// Rank 0 hangs between its calls; functions do not announce themselves, unless a row says so.
class TestWhereabouts : public QObject {
    Q_OBJECT

  private slots:
    void place_data() {
        QTest::addColumn<bool>("tellsFunctions");
        QTest::addColumn<bool>("inFunction");
        QTest::addColumn<int>("rounds");
        QTest::addColumn<QString>("place");
        QTest::addRow("functions are recorded") << true << true << 3 << "step (step.c:1)";
        QTest::addRow("only callers are known") << false << true << 3 << "or below step, between MPI_Waitall and MPI_Barrier";
        QTest::addRow("in the first round") << false << true << 0 << "or below step, after MPI_Waitall";
        QTest::addRow("no caller is known") << false << false << 3 << "code between MPI_Waitall and MPI_Barrier";
        QTest::addRow("no caller is expected") << true << false << 3 << "code outside all recorded calls";
    }
    void place() {
        QFETCH(bool, tellsFunctions);
        QFETCH(bool, inFunction);
        QFETCH(int, rounds);
        QFETCH(QString, place);
        TraceBuilder builder(2);
        if (inFunction)
            builder.enter(0, 1, "step");
        Tick time = 10;
        for (int round = 0; round < rounds; ++round, time += 100)
            builder.call(0, time, time + 10, "MPI_Waitall").call(0, time + 50, time + 60, "MPI_Barrier");
        builder.call(0, time, time + 10, "MPI_Waitall");
        builder.enter(1, 1, "MPI_Barrier");
        const TracePtr trace = builder.finish(10'000);
        for (Location &location : std::const_pointer_cast<Trace>(trace)->locations)
            location.events.tellsFunctions = tellsFunctions;
        const WaitForGraph waits = buildWaitForGraph(*trace, openEnd, {});
        QCOMPARE(QString::fromStdString(describeWhereabouts(*trace, waits, 0)), place);
        QCOMPARE(isExactPlace(*trace, waits, 0), tellsFunctions);
        QVERIFY2(isExactPlace(*trace, waits, 1), "in MPI");
    }

    /// The others have left the loop, and so will it: what followed in earlier rounds is not what comes.
    void othersAreAhead() {
        TraceBuilder builder(2);
        Tick time = 10;
        for (const Rank rank : {0U, 1U}) {
            builder.enter(rank, 1, "step");
            time = 10;
            for (int round = 0; round < 4; ++round, time += 100)
                builder.call(rank, time, time + 10, "MPI_Waitall").call(rank, time + 50, time + 60, "MPI_Barrier");
            builder.call(rank, time, time + 10, "MPI_Waitall");
        }
        builder.enter(1, time + 20, "MPI_Allreduce");
        const TracePtr trace = builder.finish(10'000);
        for (Location &location : std::const_pointer_cast<Trace>(trace)->locations)
            location.events.tellsFunctions = false;
        const WaitForGraph waits = buildWaitForGraph(*trace, openEnd, {});
        QCOMPARE(QString::fromStdString(describeWhereabouts(*trace, waits, 0)),
                 QString("or below step, between MPI_Waitall and MPI_Allreduce"));
    }
};

QTEST_APPLESS_MAIN(TestWhereabouts)
#include "tst_whereabouts.moc"
