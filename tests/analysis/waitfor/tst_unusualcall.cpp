// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/waitfor/UnusualCall.h"
#include "analysis/waitfor/WaitForGraph.h"
#include "tests/support/TraceBuilder.h"

#include <QTest>

using namespace laggard;
using laggard::test::TraceBuilder;

namespace {

/// Each rank has been through `rounds` of MPI_Barrier and MPI_Allreduce, and once more through MPI_Barrier; then it is in the
/// call that is named.
TracePtr traceOf(const std::vector<std::string> &last, int rounds) {
    TraceBuilder builder(static_cast<Rank>(last.size()));
    for (Rank rank = 0; rank < last.size(); ++rank) {
        Tick time = 1;
        for (int i = 0; i < rounds; ++i, time += 10)
            builder.collectiveCall(rank, time, time + 2, CollectiveOperation::Barrier)
                .collectiveCall(rank, time + 4, time + 6, CollectiveOperation::Allreduce);
        builder.collectiveCall(rank, time, time + 2, CollectiveOperation::Barrier).enter(rank, time + 4, last[rank]);
    }
    return builder.finish(10000);
}

} // namespace

class TestUnusualCall : public QObject {
    Q_OBJECT
  private slots:
    void habits_data() {
        QTest::addColumn<QString>("call");
        QTest::addColumn<int>("rounds");
        QTest::addColumn<int>("habit");
        const auto row = [](const char *name, const char *call, int rounds, CallHabit habit) {
            QTest::newRow(name) << call << rounds << static_cast<int>(habit);
        };
        row("as always", "MPI_Allreduce", 20, CallHabit::Usual);
        row("another one", "MPI_Bcast", 20, CallHabit::Unusual);
        row("the same again", "MPI_Barrier", 20, CallHabit::Unusual);
        row("no history", "MPI_Bcast", 0, CallHabit::Unknown);
        row("outside MPI", "work", 20, CallHabit::Unknown);
    }

    void habits() {
        QFETCH(QString, call);
        QFETCH(int, rounds);
        const TracePtr trace = traceOf({call.toStdString()}, rounds);
        JobState state = observeJob(*trace, openEnd, {});
        const JobView job(*trace, state);
        UnusualCall unusual;
        const CallHabit habit = habitOf(job, 0, unusual);
        QTEST(static_cast<int>(habit), "habit");
        if (habit != CallHabit::Unusual)
            return;
        QCOMPARE(trace->region(unusual.expected).name, std::string("MPI_Allreduce"));
        QVERIFY2(unusual.confidence >= 0.6 && unusual.confidence <= 1, qPrintable(QString::number(unusual.confidence)));
    }

    void theOnlyOne_data() {
        QTest::addColumn<std::vector<std::string>>("calls");
        QTest::addColumn<int>("rank"); // -1: nobody
        using C = std::vector<std::string>;
        QTest::newRow("one of three") << C{"MPI_Allreduce", "MPI_Bcast", "MPI_Allreduce"} << 1;
        QTest::newRow("two of three") << C{"MPI_Bcast", "MPI_Bcast", "MPI_Allreduce"} << -1;
        QTest::newRow("nobody") << C{"MPI_Allreduce", "MPI_Allreduce"} << -1;
        QTest::newRow("of the others nothing is known") << C{"work", "MPI_Bcast"} << -1;
    }

    void theOnlyOne() {
        QFETCH(std::vector<std::string>, calls);
        const TracePtr trace = traceOf(calls, 20);
        JobState state = observeJob(*trace, openEnd, {});
        const JobView job(*trace, state);
        RankSet all;
        for (Rank rank = 0; rank < calls.size(); ++rank)
            all.push_back(rank);
        UnusualCall unusual;
        const auto only = onlyUnusual(job, all, unusual);
        QTEST(only ? static_cast<int>(*only) : -1, "rank");
    }

    void oddCommunicators_data() {
        QTest::addColumn<int>("times");  // on the usual communicator
        QTest::addColumn<int>("others"); // … on a third one
        QTest::addColumn<bool>("isCut"); // earlier events are lost
        QTest::addColumn<bool>("isOdd");
        QTest::newRow("always on another one") << 5 << 0 << false << true;
        QTest::newRow("twice on another one is no habit") << 2 << 0 << false << false;
        QTest::newRow("on several before") << 5 << 1 << false << false;
        QTest::newRow("what came before is not known") << 5 << 0 << true << false;
    }
    /// Rank 1 comes to the barrier of its half, and to that of all where rank 0 is in that of the half.
    void oddCommunicators() {
        QFETCH(int, times);
        QFETCH(int, others);
        QFETCH(bool, isCut);
        QFETCH(bool, isOdd);
        TraceBuilder builder(4);
        const CommunicatorId half = builder.communicator({0, 1});
        const CommunicatorId pair = builder.communicator({1, 0});
        Tick time = 1;
        for (int i = 0; i < times + others; ++i, time += 10)
            for (const Rank rank : {0U, 1U})
                builder.collectiveCall(rank, time, time + 2, CollectiveOperation::Barrier, i < times ? half : pair);
        for (const Rank rank : {0U, 1U})
            builder.enter(rank, time, "MPI_Barrier");
        const auto trace = std::const_pointer_cast<Trace>(builder.finish(1000));
        trace->processes[1].eventsFrom = isCut ? 1 : 0;
        JobState state = observeJob(*trace, openEnd, {});
        for (const Rank rank : {0U, 1U}) {
            state.tasks[rank].open.isCollective = true;
            state.tasks[rank].open.collective.communicator = rank == 0 ? half : 0;
        }
        const JobView job(*trace, state);
        const std::optional<OddCommunicator> odd = onlyOddCommunicator(job, {0, 1});
        QCOMPARE(odd.has_value(), isOdd);
        if (!odd)
            return;
        QCOMPARE(odd->rank, Rank{1});
        QCOMPARE(odd->usual, half);
        QCOMPARE(odd->times, 5U);
        QCOMPARE(odd->confidence, 6.0 / 7);
    }
};

QTEST_APPLESS_MAIN(TestUnusualCall)
#include "tst_unusualcall.moc"
