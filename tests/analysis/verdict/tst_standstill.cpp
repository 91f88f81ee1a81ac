// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/verdict/Standstill.h"
#include "analysis/words/VerdictWords.h"
#include "tests/support/TraceBuilder.h"

#include <QTest>

#include <csignal>

using namespace laggard;
using laggard::test::TraceBuilder;

namespace {

constexpr Tick second = 1'000'000'000;

/// Two ranks that reduce every tenth of a second for a second; what follows is the caller's. Looks like a recording of a job that
/// was killed at the end.
class Job {
  public:
    Job() : builder(2) {
        for (const Rank rank : {0U, 1U}) {
            builder.enter(rank, 1, "main").call(rank, 2, 3, "MPI_Init");
            for (Tick step = 1; step <= 10; ++step)
                builder.collectiveCall(rank, step * second / 10, step * second / 10 + 1000, CollectiveOperation::Allreduce);
        }
    }
    TracePtr finish(Tick end) {
        const auto trace = std::const_pointer_cast<Trace>(builder.finish(end));
        trace->tellsOpenCalls = true;
        for (Process &process : trace->processes) {
            process.end.kind = ProcessEnd::Kind::Killed;
            process.end.time = end;
        }
        return trace;
    }
    TraceBuilder builder;
};

Verdict verdictOf(const Trace &trace) {
    const WaitForGraph waits = buildWaitForGraph(trace, momentToJudge(trace), {});
    return judgeInWords(trace, waits, buildProgressGraph(trace, waits, {}));
}

} // namespace

class TestStandstill : public QObject {
    Q_OBJECT

  private slots:
    void longestSilence() {
        Job job;
        const TracePtr trace = job.finish(5 * second);
        QVERIFY2(longestSilenceBefore(*trace, second) > second / 11, "a tenth of a second lies between steps");
        QVERIFY(longestSilenceBefore(*trace, second) < second / 9);
    }

    /// Open MPI's processes exit by themselves when they have lost their launcher: the job was ended, and hung before.
    void endedByALibrary_data() {
        QTest::addColumn<bool>("isOwn");
        QTest::newRow("MPI's own") << false;
        QTest::newRow("the program's") << true;
    }
    void endedByALibrary() {
        QFETCH(bool, isOwn);
        Job job;
        job.builder.enter(0, second + 5000, "MPI_Barrier");
        job.builder.enter(1, second + 6000, "MPI_Recv");
        const auto trace = std::const_pointer_cast<Trace>(job.finish(9 * second));
        for (Process &process : trace->processes) {
            process.end.kind = ProcessEnd::Kind::Exited;
            process.end.exit = isOwn ? ProcessEnd::Exit::AtOnce : ProcessEnd::Exit::ByLibrary;
            process.end.value = 195;
            process.end.stack = {{"mca_ess_pmi.so+0x2440", "", 0}};
            if (isOwn)
                process.end.stack.push_back({"give_up", "own.c", 7});
        }
        QVERIFY(verdictOf(*trace).state == (isOwn ? Verdict::State::Crashed : Verdict::State::Hung));
    }

    /// All went through MPI_Finalize, and one process had to be killed long after that.
    void livedOnAfterFinalize() {
        Job job;
        for (const Rank rank : {0U, 1U})
            job.builder.call(rank, 2 * second, 2 * second + 1000, "MPI_Finalize");
        const auto trace = std::const_pointer_cast<Trace>(job.finish(9 * second));
        ProcessEnd &end = trace->processes[0].end;
        end.kind = ProcessEnd::Kind::Exited;
        end.exit = ProcessEnd::Exit::Normal;
        end.time = 2 * second + 2000;
        end.finalized = true;
        const Verdict verdict = verdictOf(*trace);
        QVERIFY2(verdict.state == Verdict::State::Finished, verdict.summary.c_str());
        QVERIFY2(verdict.summary.find("The process of rank 1 was still there 7 s after MPI_Finalize") != std::string::npos,
                 verdict.summary.c_str());
    }

    /// A rank that the others wait for works on its error for some seconds, and then ends the job: that is no hang.
    void endedByTheOneWaitedFor_data() {
        QTest::addColumn<int>("how"); // 0: MPI_Abort, 1: exit, 2: a signal of its own, 3: it is killed like the others
        QTest::addColumn<bool>("inMpi");
        QTest::addColumn<bool>("isCrash");
        QTest::newRow("MPI_Abort") << 0 << false << true;
        QTest::newRow("exit") << 1 << false << true;
        QTest::newRow("abort()") << 2 << false << true;
        QTest::newRow("killed with the others") << 3 << false << false;
        QTest::newRow("it wakes in MPI, and exits") << 1 << true << false;
    }
    void endedByTheOneWaitedFor() {
        QFETCH(int, how);
        QFETCH(bool, inMpi);
        QFETCH(bool, isCrash);
        Job job;
        job.builder.enter(0, second + 5000, "MPI_Barrier");
        job.builder.enter(1, second + 6000, inMpi ? "MPI_Recv" : "write_dump");
        job.builder.leave(1, 9 * second, inMpi ? "MPI_Recv" : "write_dump")
            .enter(1, 9 * second + 10, how == 0 ? "MPI_Abort" : "end");
        const auto trace = std::const_pointer_cast<Trace>(job.finish(9 * second + 100'000'000));
        ProcessEnd &end = trace->processes[1].end;
        if (how == 1) {
            end.kind = ProcessEnd::Kind::Exited;
            end.exit = ProcessEnd::Exit::Normal;
            end.value = 2;
        } else if (how == 2) {
            end.kind = ProcessEnd::Kind::Signalled;
            end.value = SIGABRT;
        }
        end.time = 9 * second + 1000;
        QCOMPARE(standstillBeforeEnd(*trace).has_value(), !isCrash);
        const Verdict verdict = verdictOf(*trace);
        QVERIFY2((verdict.state == Verdict::State::Crashed) == isCrash, verdict.summary.c_str());
        QVERIFY2(!isCrash || (!verdict.findings.empty() && verdict.findings.front().ranks == RankSet{1}),
                 verdict.summary.c_str());
    }

    /// Rank 1 waits for what rank 0 has (the lock of a file), and gets it as rank 0 is killed first: a moment later it goes on.
    void oneWasKilledFirst_data() {
        QTest::addColumn<Tick>("stood");    // before the end
        QTest::addColumn<int>("noticing");  // processes that noticed that the job hangs
        QTest::addColumn<bool>("isLocked"); // it was seen that rank 0 has what rank 1 waits for
        QTest::addColumn<bool>("isStandstill");
        QTest::newRow("for long") << 3 * second << 0 << false << true;
        QTest::newRow("not for long") << 3 * second / 2 << 0 << true << false;
        QTest::newRow("not for long, and noticed") << 3 * second / 2 << 2 << true << true;
        QTest::newRow("not for long, and noticed by one") << 3 * second / 2 << 1 << true << false;
        QTest::newRow("it may be at work") << 3 * second / 2 << 2 << false << false;
    }
    void oneWasKilledFirst() {
        QFETCH(Tick, stood);
        QFETCH(int, noticing);
        QFETCH(bool, isLocked);
        Job job;
        const Tick from = second + 6000;
        job.builder.enter(0, second + 5000, "MPI_Barrier");
        job.builder.enter(1, from, "lock");
        job.builder.leave(1, from + stood, "lock").enter(1, from + stood + 10, "MPI_Barrier");
        const auto trace = std::const_pointer_cast<Trace>(job.finish(from + stood + second / 10));
        for (int rank = 0; rank < noticing; ++rank)
            trace->processes[static_cast<std::size_t>(rank)].hangNoticed = from + second;
        trace->processes[1].fileLockOf = isLocked ? 0 : none;
        trace->processes[1].fileLockSeen = from + second;
        QTEST(standstillBeforeEnd(*trace).has_value(), "isStandstill");
    }

    /// Rank 1 was stopped; the launcher wakes it with SIGCONT, it makes some calls, and all are killed.
    void wokenBeforeItWasKilled() {
        Job job;
        job.builder.enter(0, second + 5000, "MPI_Barrier");
        job.builder.enter(1, second + 6000, "compute");
        job.builder.leave(1, 9 * second, "compute").enter(1, 9 * second + 10, "MPI_Barrier");
        job.builder.leave(0, 9 * second + 20, "MPI_Barrier").enter(0, 9 * second + 30, "next");
        const TracePtr trace = job.finish(9 * second + 100'000'000);
        const std::optional<TimeRange> standstill = standstillBeforeEnd(*trace);
        QVERIFY(standstill);
        QCOMPARE(standstill->begin, second + 6000);
        QCOMPARE(standstill->end, 9 * second);
        const Verdict verdict = verdictOf(*trace);
        QVERIFY2(verdict.state == Verdict::State::Hung, verdict.summary.c_str());
        QVERIFY2(verdict.summary.starts_with("It has hung since 1 s, and was killed at 9.1 s"), verdict.summary.c_str());
        QVERIFY2(!verdict.findings.empty() && verdict.findings.front().ranks == RankSet{1}, verdict.summary.c_str());
    }

    /// Open MPI's launcher leaves more than a second between SIGCONT and SIGKILL on a busy machine. That counts where it is known
    /// that somebody was stopped; else a job that goes on for so long goes on.
    void wokenForMoreThanASecond_data() {
        QTest::addColumn<bool>("isStopped");
        QTest::newRow("seen to be stopped") << true;
        QTest::newRow("not seen") << false;
    }
    void wokenForMoreThanASecond() {
        QFETCH(bool, isStopped);
        Job job;
        job.builder.enter(0, second + 5000, "MPI_Barrier").enter(1, second + 6000, "compute");
        job.builder.leave(1, 9 * second, "compute").enter(1, 9 * second + 10, "MPI_Barrier");
        job.builder.leave(0, 9 * second + 20, "MPI_Barrier").enter(0, 9 * second + 30, "next");
        const TracePtr trace = job.finish(10 * second + second / 8);
        if (isStopped)
            std::const_pointer_cast<Trace>(trace)->processes[1].end.lastSeen = ProcessEnd::Seen::Stopped;
        const Verdict verdict = verdictOf(*trace);
        QCOMPARE(verdict.state == Verdict::State::Hung, isStopped);
        QVERIFY2(!isStopped || verdict.findings.front().ranks == RankSet{1}, verdict.summary.c_str());
    }

    /// A rank that was busy all the time, and of which a ring has kept the last moments only.
    void overwrittenEvents() {
        Job job;
        job.builder.enter(0, second + 5000, "MPI_Barrier");
        job.builder.call(1, 9 * second, 9 * second + 10, "MPI_Win_sync");
        const auto trace = std::const_pointer_cast<Trace>(job.finish(9 * second + 100'000'000));
        QVERIFY(standstillBeforeEnd(*trace));
        trace->processes[1].eventsFrom = 9 * second;
        QVERIFY(!standstillBeforeEnd(*trace));
    }

    /// The launcher was killed, and the MPI library's own thread ended each process: that is no crash, wherever the program was.
    void endedByTheirLibrary() {
        Job job;
        job.builder.enter(0, second + 5000, "MPI_Barrier");
        job.builder.enter(1, second + 6000, "compute");
        const auto trace = std::const_pointer_cast<Trace>(job.finish(9 * second));
        for (Process &process : trace->processes) {
            process.end.kind = ProcessEnd::Kind::Exited;
            process.end.value = 195;
            process.end.exit = ProcessEnd::Exit::ByLibrary;
        }
        const Verdict verdict = verdictOf(*trace);
        QVERIFY2(verdict.state == Verdict::State::Hung, verdict.summary.c_str());
        QVERIFY2(!verdict.findings.empty() && verdict.findings.front().ranks == RankSet{1}, verdict.summary.c_str());
    }

    /// One of them alone, long before the others: it is gone, and they wait for it.
    void oneEndedByItsLibrary() {
        Job job;
        for (const Rank rank : {0U, 1U})
            job.builder.enter(rank, second + 5000 + rank, rank == 0 ? "MPI_Barrier" : "compute");
        const auto trace = std::const_pointer_cast<Trace>(job.finish(9 * second));
        ProcessEnd &end = trace->processes[1].end;
        end.kind = ProcessEnd::Kind::Exited;
        end.value = 195;
        end.time = 2 * second;
        end.exit = ProcessEnd::Exit::ByLibrary;
        const Verdict verdict = verdictOf(*trace);
        QVERIFY2(verdict.state == Verdict::State::Crashed, verdict.summary.c_str());
        QVERIFY2(verdict.summary.starts_with("Rank 1 was ended by its MPI library (exit status 195)"), verdict.summary.c_str());
    }

    /// It went on for long after it had been silent.
    void survivedSilence() {
        Job job;
        for (const Rank rank : {0U, 1U})
            for (Tick step = 50; step <= 60; ++step)
                job.builder.collectiveCall(rank, step * second / 10, step * second / 10 + 1000, CollectiveOperation::Allreduce);
        const TracePtr trace = job.finish(6 * second + 1'000'000);
        QVERIFY(!standstillBeforeEnd(*trace));
        QCOMPARE(momentToJudge(*trace), trace->range.end);
    }

    /// All are in the same call, which lacks nobody; that it hangs is sure, and nothing else.
    void allInMpi() {
        Job job;
        for (const Rank rank : {0U, 1U})
            job.builder.enter(rank, second + 5000, "MPI_Win_lock");
        const TracePtr trace = job.finish(12 * second);
        const Verdict verdict = verdictOf(*trace);
        QVERIFY2(verdict.state == Verdict::State::Hung, verdict.summary.c_str());
        QVERIFY2(verdict.summary.find("nobody can be singled out") != std::string::npos, verdict.summary.c_str());
        QVERIFY(verdict.findings.empty());
        QVERIFY(verdict.confidence < 0.5);
    }

    /// It is not known that nothing happened in what was overwritten: only kept calls of the start are left.
    void overwrittenBeginning() {
        Job job;
        for (const Rank rank : {0U, 1U}) {
            for (Tick step = 100; step < 110; ++step)
                job.builder.collectiveCall(rank, step * second / 10, step * second / 10 + 1000, CollectiveOperation::Allreduce);
            job.builder.enter(rank, 11 * second, "MPI_Win_lock");
        }
        const auto trace = std::const_pointer_cast<Trace>(job.finish(17 * second));
        QVERIFY2(verdictOf(*trace).state == Verdict::State::Running, "a silence of nine seconds was no end of it");
        for (Process &process : trace->processes)
            process.eventsFrom = 10 * second;
        QVERIFY2(verdictOf(*trace).state == Verdict::State::Hung, verdictOf(*trace).summary.c_str());
    }

    /// Killed at once.
    void healthyInMpi() {
        Job job;
        for (const Rank rank : {0U, 1U})
            job.builder.enter(rank, second + 5000, "MPI_Win_lock");
        const Verdict verdict = verdictOf(*job.finish(second + 50'000'000));
        QVERIFY2(verdict.state == Verdict::State::Running, verdict.summary.c_str());
    }

    /// A rank that computes for as long as it did before.
    void usualComputation() {
        Job job;
        for (const Rank rank : {0U, 1U})
            job.builder.collectiveCall(rank, (rank == 0 ? 1 : 5) * second + second / 2, 5 * second + second / 2 + 1000,
                                       CollectiveOperation::Allreduce);
        job.builder.enter(0, 6 * second, "MPI_Allreduce");
        const TracePtr trace = job.finish(8 * second);
        const Verdict verdict = verdictOf(*trace);
        QVERIFY2(verdict.state == Verdict::State::Running, verdict.summary.c_str());
    }

    void stopped() {
        Job job;
        for (const Rank rank : {0U, 1U})
            job.builder.enter(rank, second + 5000, "MPI_Win_lock");
        const TracePtr trace = job.finish(12 * second);
        std::const_pointer_cast<Trace>(trace)->processes[1].end.lastSeen = ProcessEnd::Seen::Stopped;
        const Verdict verdict = verdictOf(*trace);
        QVERIFY2(verdict.state == Verdict::State::Hung, verdict.summary.c_str());
        QVERIFY2(verdict.summary.starts_with("Rank 1 was stopped (SIGSTOP, or a debugger)"), verdict.summary.c_str());
        QCOMPARE(verdict.findings.front().ranks, RankSet{1});
        // By a clock whose two seconds are more ticks than there are, nothing stood still for so long.
        std::const_pointer_cast<Trace>(trace)->clock.ticksPerSecond = openEnd;
        QVERIFY(!standstillBeforeEnd(*trace));
    }
};

QTEST_APPLESS_MAIN(TestStandstill)
#include "tst_standstill.moc"
