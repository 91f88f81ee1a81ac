// SPDX-License-Identifier: GPL-3.0-or-later
// Jobs whose ranks have clocks that go differently: how they differ is measured, and the trace is by one clock.
#include "analysis/clocks/LogicalClock.h"
#include "ingest/Format.h"
#include "tests/collect/mpi/RecordedJob.h"

#include <QDir>
#include <QTest>

using namespace laggard;

namespace {

constexpr double ahead = 40e6;        ///< nanoseconds, of preloaded-skew.c: times the rank
constexpr double gained = 2e-4;       ///< of the time that has passed, likewise
constexpr double longestStart = 60e9; ///< nanoseconds until MPI_Init has ended

RecordedJob skewedJob(const QString &sync) {
    RecordedJob job;
    job.options = {"--clock-sync", sync};
    job.variables = {"LD_PRELOAD=" + RecordedJob::program("yield.so") + ":" + RecordedJob::program("preloaded-skew.so")};
    return job;
}

ClockViolations violationsOf(const RecordedJob &job) {
    return findViolations(*openTrace(job.folder().toStdString(), {}, {}), {});
}

} // namespace

class TestClockSync : public QObject {
    Q_OBJECT
  private slots:
    void measuresOffsetsAndDrifts() {
        RecordedJob job = skewedJob("on");
        QCOMPARE(job.run({RecordedJob::program("chain")}).status, 0);
        QVERIFY(job.file(0).definitions().clockOffsets.empty());
        for (const int rank : {1, 2}) {
            const auto &offsets = job.file(rank).definitions().clockOffsets;
            QVERIFY(!offsets.empty()); // at MPI_Init and, if that is answered in time, at MPI_Finalize
            // The other ranks' clock is that of rank 0, which has neither.
            const double first = static_cast<double>(offsets.front().offset);
            const double last = static_cast<double>(offsets.back().offset);
            const auto passed = static_cast<double>(offsets.back().time - offsets.front().time);
            const auto roundTrips = static_cast<double>(offsets.front().roundTrip + offsets.back().roundTrip);
            QVERIFY2(std::abs(first + ahead * rank) < gained * rank * longestStart + roundTrips,
                     qPrintable(QString::number(first)));
            QVERIFY2(std::abs(last - first + gained * rank * passed) <= roundTrips,
                     qPrintable(QString("%1 in %2, round trips %3").arg(last - first).arg(passed).arg(roundTrips)));
        }
        QVERIFY2(!QDir(job.folder() + "/.attendance").exists(), "what the ranks have said of themselves is gone");
    }

    void theTraceIsByOneClock() {
        RecordedJob wrong = skewedJob("off");
        QCOMPARE(wrong.run({RecordedJob::program("chain")}).status, 0);
        const ClockViolations before = violationsOf(wrong);
        QVERIFY2(before.messages >= 90 && before.largest > 10'000'000, qPrintable(QString::number(before.messages)));
        RecordedJob right = skewedJob("on");
        QCOMPARE(right.run({RecordedJob::program("chain")}).status, 0);
        const ClockViolations after = violationsOf(right);
        // An offset is wrong by half of the round trip at most, so that two ranks are by one.
        // With one measurement alone the drift stays.
        const auto length = static_cast<double>(openTrace(right.folder().toStdString(), {}, {})->range.length());
        double uncertain = 0;
        bool isDrifting = false;
        for (const int rank : {1, 2}) {
            const auto &offsets = right.file(rank).definitions().clockOffsets;
            QVERIFY(!offsets.empty());
            isDrifting = isDrifting || offsets.size() < 2;
            for (const auto &offset : offsets)
                uncertain = std::max(uncertain, static_cast<double>(offset.roundTrip));
        }
        uncertain += isDrifting ? 2 * gained * length : 0;
        QVERIFY2(static_cast<double>(after.largest) <= uncertain,
                 qPrintable(QString("%1 ns, %2").arg(after.largest).arg(after.messages)));
    }

    void onOneMachineNothingIsMeasured() {
        RecordedJob job;
        QCOMPARE(job.run({RecordedJob::program("chain")}).status, 0);
        QVERIFY(job.file(1).definitions().clockOffsets.empty());
        QVERIFY(!QDir(job.folder() + "/.attendance").exists());
    }

    void theProgramIsAsItWas() {
        RecordedJob job;
        const RecordedJob::Result plain = job.runPlain({RecordedJob::program("calls")});
        job.options = {"--clock-sync", "on"};
        const RecordedJob::Result recorded = job.run({RecordedJob::program("calls")});
        QCOMPARE(recorded.status, plain.status);
        QCOMPARE(recorded.output, plain.output);
        QCOMPARE(recorded.errors, plain.errors);
        QCOMPARE(job.warnings(), QStringList());
    }

    /// One of three is not recorded: nobody waits for it, or asks it anything.
    void oneThatIsNotRecordedIsLeftAlone() {
        RecordedJob job;
        job.options = {"--clock-sync", "on"};
        const QString chain = RecordedJob::program("chain");
        QCOMPARE(job.run({"/bin/sh", "-c", "test $PMI_RANK = 2 && unset LD_PRELOAD; exec " + chain}).status, 0);
        QCOMPARE(QDir(job.folder()).entryList({"*.laggard"}).size(), 2);
        QVERIFY(job.file(1).definitions().clockOffsets.empty());
    }
};

QTEST_GUILESS_MAIN(TestClockSync)
#include "tst_clocksync.moc"
