// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/words/ThreadWords.h"
#include "tests/support/TraceBuilder.h"

#include <QTest>

using namespace laggard;
using laggard::test::TraceBuilder;

/// A rank of which the main thread is in one call, and another thread in "work".
class TestOtherThreads : public QObject {
    Q_OBJECT
  private slots:
    void locks_data() {
        QTest::addColumn<QString>("call"); // the main thread's call
        QTest::addColumn<bool>("isLock");
        QTest::newRow("mutex") << "pthread_mutex_lock" << true;
        QTest::newRow("C++") << "std::mutex::lock()" << true;
        QTest::newRow("readers and writers") << "pthread_rwlock_wrlock" << true;
        QTest::newRow("join") << "pthread_join" << false;
        QTest::newRow("barrier") << "pthread_barrier_wait" << false;
    }
    /// Who holds a lock is in no record: the main thread's place comes first. A thread that is joined is what the rank does.
    void locks() {
        QFETCH(QString, call);
        QFETCH(bool, isLock);
        TraceBuilder builder(2);
        builder.enter(0, 10, "main").enter(0, 20, call.toStdString()).enter(1, 15, "work");
        const auto trace = std::const_pointer_cast<Trace>(builder.finish(1000));
        trace->processes[0].locations = {0, 1};
        trace->locations[1].rank = 0;
        trace->locations[1].name = "thread 1";
        trace->processes[1].locations = {};
        trace->processes[1].mainLocation = none;
        WaitForGraph waits;
        waits.at = 1000;
        waits.activities.resize(2);
        Activity &activity = waits.activities[0];
        activity.kind = Activity::Kind::Computing;
        activity.thread = 1;
        activity.callPath = trace->locations[1].events.track.callPath[0];
        const std::string clause = lockWaitClause(*trace, waits, 0);
        const std::string awaited = describeAwaitedThreads(*trace, waits, {0});
        QCOMPARE(clause.empty(), !isLock);
        QCOMPARE(awaited.empty(), isLock);
        if (isLock)
            QCOMPARE(clause, "its main thread waits for a lock in " + call.toStdString() + " (" + call.toStdString() +
                                 ".c:1), of which it is not recorded who holds it (thread 1 is in work (work.c:1))");
    }

    /// What is the same of several ranks is said once.
    void severalRanks() {
        constexpr Rank ranks = 4;
        TraceBuilder builder(2 * ranks);
        for (Rank rank = 0; rank < ranks; ++rank)
            builder.enter(rank, 10, "main")
                .enter(rank, 20, rank == 3 ? "pthread_cond_wait" : "pthread_join")
                .enter(ranks + rank, 15, "work");
        const auto trace = std::const_pointer_cast<Trace>(builder.finish(1000));
        WaitForGraph waits;
        waits.at = 1000;
        waits.activities.resize(2 * ranks);
        for (Rank rank = 0; rank < ranks; ++rank) {
            trace->locations[ranks + rank].rank = rank;
            trace->locations[ranks + rank].name = "thread 41";
            waits.activities[rank].kind = Activity::Kind::Computing;
            waits.activities[rank].thread = ranks + rank;
        }
        QCOMPARE(
            describeAwaitedThreads(*trace, waits, {0, 1, 2, 3}),
            std::string(" That is thread 41 of each of ranks 0-2; their main threads wait in pthread_join (pthread_join.c:1). "
                        "That is thread 41 of rank 3; its main thread waits in pthread_cond_wait (pthread_cond_wait.c:1)."));
    }
};

QTEST_APPLESS_MAIN(TestOtherThreads)
#include "tst_threadwords.moc"
