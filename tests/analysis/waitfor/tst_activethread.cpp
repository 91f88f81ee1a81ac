// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/waitfor/ActiveThread.h"
#include "tests/support/TraceBuilder.h"

#include <QTest>

using namespace laggard;
using laggard::test::TraceBuilder;

namespace {

/// The builder's location 1 becomes a second thread of rank 0.
TracePtr withSecondThread(TraceBuilder &builder) {
    const TracePtr built = builder.finish(1000);
    const auto trace = std::const_pointer_cast<Trace>(built);
    for (Location &location : trace->locations)
        location.kind = LocationKind::Thread;
    trace->locations[1].rank = 0;
    trace->processes[0].locations = {0, 1};
    trace->processes[1].locations = {};
    trace->processes[1].mainLocation = none;
    return trace;
}

} // namespace

class TestActiveThread : public QObject {
    Q_OBJECT

  private slots:
    void namesOfWaits_data() {
        QTest::addColumn<QString>("function");
        QTest::addColumn<bool>("waits");
        for (const char *name : {"pthread_join", "__pthread_clockjoin_ex", "___pthread_mutex_lock", "__lll_lock_wait",
                                 "__GI___futex_abstimed_wait_cancelable64", "GOMP_barrier", "libgomp.so.1+0x1e2d0",
                                 "std::thread::join()", "!$omp implicit barrier @stencil.c:41", "__kmpc_barrier"})
            QTest::addRow("%s", name) << name << true;
        for (const char *name : {"compute", "pthreads_of_mine", "nanosleep", "read", "_", "", "MPI_Barrier"})
            QTest::addRow("\"%s\"", name) << name << false;
    }
    void namesOfWaits() {
        QFETCH(QString, function);
        QFETCH(bool, waits);
        QCOMPARE(isWaitForThreads(function.toStdString()), waits);
    }

    void awaitedThreadCounts() {
        TraceBuilder builder(2);
        builder.enter(0, 10, "main").enter(0, 20, "pthread_join").enter(1, 15, "work").enter(1, 30, "MPI_Recv");
        const ActiveThread active = activeThread(*withSecondThread(builder), 0, 1000);
        QCOMPARE(active.location, 1U);
        QVERIFY2(active.certainty > 0.5, "the main thread is seen to wait");
    }

    void computingThreadThatIsAwaited() {
        TraceBuilder builder(2);
        builder.enter(0, 10, "main").enter(0, 20, "pthread_join").enter(1, 15, "work");
        QCOMPARE(activeThread(*withSecondThread(builder), 0, 1000).location, 1U);
    }

    void mainThreadInMpiCounts() {
        TraceBuilder builder(2);
        builder.enter(0, 10, "main").enter(0, 20, "MPI_Barrier").enter(1, 15, "work").enter(1, 30, "MPI_Recv");
        const ActiveThread active = activeThread(*withSecondThread(builder), 0, 1000);
        QCOMPARE(active.location, 0U);
        QCOMPARE(active.certainty, 1.0);
    }

    /// It may compute, or wait for the thread: nobody knows.
    void unseenMainThreadIsUnsure() {
        TraceBuilder builder(2);
        builder.enter(0, 10, "main").enter(1, 15, "work").enter(1, 30, "MPI_Recv");
        const ActiveThread active = activeThread(*withSecondThread(builder), 0, 1000);
        QVERIFY(active.certainty < 0.5);
    }

    /// A main thread that goes on before the other one's call returns did not wait for it.
    void mainThreadThatGoesOn() {
        TraceBuilder builder(2);
        builder.enter(0, 10, "main").call(0, 50, 60, "MPI_Barrier").enter(1, 15, "work").call(1, 30, 90, "MPI_Recv");
        const ActiveThread active = activeThread(*withSecondThread(builder), 0, 40);
        QCOMPARE(active.location, 0U);
        QCOMPARE(active.certainty, 1.0);
    }

    void withoutMainThread() {
        TraceBuilder builder(2);
        builder.enter(0, 10, "main");
        QCOMPARE(activeThread(*withSecondThread(builder), 1, 40).location, LocationIndex{none});
    }
};

QTEST_APPLESS_MAIN(TestActiveThread)
#include "tst_activethread.moc"
