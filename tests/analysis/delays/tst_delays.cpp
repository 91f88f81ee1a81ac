// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/delays/Delays.h"
#include "analysis/delays/WaitSegments.h"
#include "analysis/words/DelayWords.h"
#include "ingest/Format.h"
#include "tests/support/TraceBuilder.h"

#include <QFileInfo>
#include <QTest>

#include <random>

using namespace laggard;
using laggard::test::TraceBuilder;
using Op = CollectiveOperation;

namespace {

TimeRange whole(const TracePtr &trace) { return trace->range; }

/// "rank function ns" of each delay, falling.
QStringList delaysOf(const TracePtr &trace, TimeRange window) {
    QStringList list;
    for (const Delay &delay : findDelays(*trace, window, Work{}).delays)
        list.append(QString("%1 %2 %3")
                        .arg(delay.rank)
                        .arg(delay.callPath == none ? QString("-") : QString::fromStdString(trace->region(delay.callPath).name),
                             QString::number(std::round(delay.seconds * 1e9))));
    return list;
}

} // namespace

class tst_Delays : public QObject {
    Q_OBJECT
  private slots:
    /// Ranks 0 and 1 enter the barrier at 10 and 40, rank 2 at 100, having computed in "work" from 30 on.
    void theLastOneInACollective() {
        TraceBuilder builder(3);
        builder.call(0, 0, 10, "work").collectiveCall(0, 10, 105, Op::Barrier);
        builder.call(1, 0, 40, "work").collectiveCall(1, 40, 105, Op::Barrier);
        builder.call(2, 0, 30, "setup").call(2, 30, 100, "work").collectiveCall(2, 100, 105, Op::Barrier);
        const TracePtr trace = builder.finish(105);
        const std::vector<WaitSegments> waits = findWaitSegments(*trace, whole(trace), Work{});
        QVERIFY((waits[0] == WaitSegments{{10, 100, 2}}));
        QVERIFY((waits[1] == WaitSegments{{40, 100, 2}}));
        QVERIFY(waits[2].empty());
        // Rank 0 waits 20 for "setup" and 70 for "work", rank 1 60 for "work".
        QCOMPARE(delaysOf(trace, whole(trace)), (QStringList{"2 work 130", "2 setup 20"}));
        const DelayReport report = findDelays(*trace, whole(trace), Work{});
        QVERIFY(report.standsOut);
        QVERIFY(qAbs(report.waiting - 150e-9) < 1e-15);
        QVERIFY(qAbs(report.causedSeconds[2] - 150e-9) < 1e-15);
        QVERIFY(qAbs(report.waitedSeconds[0] - 90e-9) < 1e-15);
    }

    void inABroadcastAllWaitForTheRoot() {
        TraceBuilder builder(3);
        builder.collectiveCall(0, 10, 55, Op::Bcast, 0, 1);
        builder.call(1, 0, 50, "work").collectiveCall(1, 50, 55, Op::Bcast, 0, 1);
        builder.call(2, 0, 90, "late").collectiveCall(2, 90, 95, Op::Bcast, 0, 1);
        const TracePtr trace = builder.finish(95);
        QCOMPARE(delaysOf(trace, whole(trace)), QStringList{"1 work 40"});
    }

    void inAReductionOnlyTheRootWaits() {
        TraceBuilder builder(3);
        builder.collectiveCall(0, 10, 95, Op::Reduce, 0, 0);
        builder.collectiveCall(1, 20, 25, Op::Reduce, 0, 0);
        builder.call(2, 0, 90, "late").collectiveCall(2, 90, 95, Op::Reduce, 0, 0);
        const TracePtr trace = builder.finish(95);
        QCOMPARE(delaysOf(trace, whole(trace)), QStringList{"2 late 80"});
    }

    /// Rank 2 gets the root's data by way of rank 1, which comes late; rank 3 had them before.
    void inABroadcastMembersPassDataOn() {
        TraceBuilder builder(4);
        builder.call(0, 0, 30, "read").collectiveCall(0, 30, 32, Op::Bcast, 0, 0);
        builder.call(1, 0, 90, "late").collectiveCall(1, 90, 92, Op::Bcast, 0, 0);
        builder.collectiveCall(2, 10, 95, Op::Bcast, 0, 0);
        builder.collectiveCall(3, 10, 33, Op::Bcast, 0, 0);
        const TracePtr trace = builder.finish(95);
        const std::vector<WaitSegments> waits = findWaitSegments(*trace, whole(trace), Work{});
        QVERIFY((waits[2] == WaitSegments{{10, 30, 0}, {30, 90, 1}}));
        QVERIFY((waits[3] == WaitSegments{{10, 30, 0}}));
        QCOMPARE(delaysOf(trace, whole(trace)), (QStringList{"1 late 60", "0 read 40"}));
    }

    /// A prefix sum waits for those that entered before it left, and for nobody who came later.
    void inAScanAllWaitForThoseBefore() {
        TraceBuilder builder(3);
        builder.call(0, 0, 50, "late").collectiveCall(0, 50, 52, Op::Scan);
        builder.collectiveCall(1, 10, 55, Op::Scan);
        builder.call(2, 0, 80, "later").collectiveCall(2, 80, 85, Op::Scan);
        const TracePtr trace = builder.finish(85);
        QCOMPARE(delaysOf(trace, whole(trace)), QStringList{"0 late 40"});
    }

    /// The message that a probe waits for is received by a later call; one that came before has nothing to do with it.
    void aProbeWaitsForTheMessageThatIsReceivedNext() {
        TraceBuilder builder(2);
        builder.sendCall(0, 0, 5, 1).call(0, 5, 70, "work").sendCall(0, 70, 75, 1);
        builder.call(1, 8, 9, "MPI_Probe").receiveCall(1, 10, 12, 0).call(1, 20, 80, "MPI_Probe").receiveCall(1, 81, 85, 0);
        const TracePtr trace = builder.finish(85);
        const std::vector<WaitSegments> waits = findWaitSegments(*trace, whole(trace), Work{});
        QVERIFY((waits[1] == WaitSegments{{20, 70, 0}}));
        QCOMPARE(delaysOf(trace, whole(trace)), QStringList{"0 work 50"});
    }

    /// Asking in vain is waiting, computing meanwhile is not; what came before another MPI call belongs to that.
    void testsInVainAreWaits() {
        TraceBuilder builder(2);
        builder.call(0, 0, 90, "work").sendCall(0, 90, 92, 1);
        builder.call(1, 2, 4, "MPI_Test").call(1, 5, 6, "MPI_Comm_rank").call(1, 10, 20, "MPI_Test").call(1, 20, 50, "overlap");
        builder.call(1, 50, 80, "MPI_Test").receiveCall(1, 85, 95, 0);
        const TracePtr trace = builder.finish(95);
        const std::vector<WaitSegments> waits = findWaitSegments(*trace, whole(trace), Work{});
        QVERIFY((waits[1] == WaitSegments{{10, 20, 0}, {50, 80, 0}, {85, 90, 0}}));
        QCOMPARE(delaysOf(trace, whole(trace)), QStringList{"0 work 45"});
    }

    void aLateSender() {
        TraceBuilder builder(2);
        builder.call(0, 0, 70, "work").sendCall(0, 70, 75, 1);
        builder.receiveCall(1, 10, 80, 0);
        const TracePtr trace = builder.finish(80);
        QCOMPARE(delaysOf(trace, whole(trace)), QStringList{"0 work 60"});
    }

    void aLateReceiver() {
        TraceBuilder builder(2);
        builder.sendCall(0, 10, 85, 1);
        builder.call(1, 0, 80, "work").receiveCall(1, 80, 90, 0);
        const TracePtr trace = builder.finish(90);
        QCOMPARE(delaysOf(trace, whole(trace)), QStringList{"1 work 70"});
    }

    void aSendThatReturnedAtOnceDidNotWait() {
        TraceBuilder builder(2);
        builder.sendCall(0, 10, 15, 1);
        builder.call(1, 0, 80, "work").receiveCall(1, 80, 90, 0);
        const TracePtr trace = builder.finish(90);
        QCOMPARE(delaysOf(trace, whole(trace)), QStringList{});
    }

    /// Rank 2 waits for 1, which waits for 0, which computes: 0 is charged with both.
    void waitingIsPassedOn() {
        TraceBuilder builder(3);
        builder.call(0, 0, 60, "work").sendCall(0, 60, 62, 1);
        builder.receiveCall(1, 0, 64, 0).call(1, 64, 70, "copy").sendCall(1, 70, 72, 2);
        builder.receiveCall(2, 0, 74, 1);
        const TracePtr trace = builder.finish(74);
        // Rank 1 waits 60 for 0. Rank 2 waits 70: 60 of them are 0's, 4 the rest of 1's receive, 6 its copy.
        QCOMPARE(delaysOf(trace, whole(trace)), (QStringList{"0 work 120", "1 copy 6", "1 MPI_Recv 4"}));
        const DelayReport report = findDelays(*trace, whole(trace), Work{});
        QVERIFY(qAbs(report.transit - 4e-9) < 1e-15); // 1's receive, when 0 had sent
        QVERIFY(qAbs(report.causedSeconds[1] - 6e-9) < 1e-15);
    }

    /// What waits in a call whose message was sent long ago is not to blame, however long it lasts.
    void transitIsNobodysDoing() {
        TraceBuilder builder(3);
        builder.call(0, 0, 5, "work").sendCall(0, 5, 6, 1);
        builder.receiveCall(1, 6, 100, 0).sendCall(1, 100, 101, 2);
        builder.receiveCall(2, 6, 102, 1);
        const TracePtr trace = builder.finish(102);
        const DelayReport report = findDelays(*trace, whole(trace), Work{});
        QVERIFY(qAbs(report.waiting - 94e-9) < 1e-15);
        QVERIFY(qAbs(report.transit - 94e-9) < 1e-15);
        QVERIFY(!report.standsOut);
        const std::string why = describe(*trace, report);
        QVERIFY2(why.starts_with("100 % of all waiting is nobody's doing"), why.c_str());
    }

    void onlyTheWindowCounts() {
        TraceBuilder builder(2);
        builder.call(0, 0, 70, "work").sendCall(0, 70, 75, 1);
        builder.receiveCall(1, 10, 80, 0);
        const TracePtr trace = builder.finish(80);
        QCOMPARE(delaysOf(trace, {30, 50}), QStringList{"0 work 20"});
        QCOMPARE(delaysOf(trace, {72, 80}), QStringList{});
    }

    /// Rank 2 needs 1000 for its set-up, before steps that rank 0 makes the others wait in by 10 each.
    void whatIsDoneOnceNamesNobody() {
        TraceBuilder builder(3);
        for (Rank rank = 0; rank < 3; ++rank)
            builder.call(rank, 0, rank == 2 ? 1000 : 20, "setup")
                .collectiveCall(rank, rank == 2 ? 1000 : 20, 1001, Op::Bcast, 0, 2);
        for (Tick step = 0; step < 6; ++step)
            for (Rank rank = 0; rank < 3; ++rank) {
                const Tick begin = 1001 + step * 20;
                const Tick end = begin + (rank == 0 ? 15 : 5);
                builder.call(rank, begin, end, "work").collectiveCall(rank, end, begin + 20, Op::Allreduce);
            }
        const TracePtr trace = builder.finish(1121);
        const DelayReport report = findDelays(*trace, whole(trace), Work{});
        QVERIFY(qAbs(report.onceSeconds[2] - 1960e-9) < 1e-15);
        QCOMPARE(report.causedSeconds[2], 0.0);
        // What comes before the first of the calls that repeat counts as done once, too.
        QVERIFY(qAbs(report.causedSeconds[0] - 100e-9) < 1e-15);
        QCOMPARE(report.leading->rank, Rank{0});
        const std::string why = describe(*trace, report);
        QVERIFY2(why.find("for what ranks do once") != std::string::npos, why.c_str());
    }

    void nobodyWaits() {
        TraceBuilder builder(2);
        builder.call(0, 0, 70, "work").call(1, 0, 70, "work");
        const TracePtr trace = builder.finish(70);
        const DelayReport report = findDelays(*trace, whole(trace), Work{});
        QVERIFY(report.delays.empty() && describe(*trace, report).empty() && !report.standsOut);
    }

    /// Whatever happens, all waiting is charged to somebody, once.
    void nothingIsLostOrCountedTwice() {
        std::mt19937 random(5);
        for (int round = 0; round < 30; ++round) {
            TraceBuilder builder(5);
            std::vector<Tick> now(5);
            for (int step = 0; step < 20; ++step) {
                Tick last = 0;
                for (Rank rank = 0; rank < 5; ++rank) {
                    const Tick length = 1 + random() % 50;
                    builder.call(rank, now[rank], now[rank] + length, step % 3 == 0 ? "a" : "b");
                    now[rank] += length;
                    last = std::max(last, now[rank]);
                }
                for (Rank rank = 0; rank < 5; ++rank) {
                    builder.collectiveCall(rank, now[rank], last + 1, Op::Allreduce);
                    now[rank] = last + 1;
                }
            }
            const TracePtr trace = builder.finish(now[0]);
            const DelayReport report = findDelays(*trace, whole(trace), Work{});
            double caused = report.transit;
            for (const double seconds : report.causedSeconds)
                caused += seconds;
            for (const double seconds : report.onceSeconds)
                caused += seconds;
            QVERIFY(qAbs(caused - report.waiting) < 1e-12);
        }
    }

    void theSlowWorker() {
        const QString path = QStringLiteral(LAGGARD_TRACES "/slow-master-worker");
        if (!QFileInfo::exists(path))
            QSKIP("The trace slow-master-worker is not there");
        const TracePtr trace = openTrace(path.toStdString(), {}, Work{});
        const DelayReport report = findDelays(*trace, {trace->tickAt(0.5), trace->range.end}, Work{});
        QVERIFY2(report.delays.front().rank == 7, describe(*trace, report).c_str());
        QCOMPARE(trace->region(trace->callPaths[report.delays.front().callPath].parent).name, std::string("compute_kernel"));
    }
};

QTEST_APPLESS_MAIN(tst_Delays)
#include "tst_delays.moc"
