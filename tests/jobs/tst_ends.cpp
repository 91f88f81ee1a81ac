// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/jobs/Job.h"

#include <QRegularExpression>
#include <QTest>

#include <csignal>
#include <random>

using namespace laggard;
using laggard::test::Job;

namespace {

/// Completed and open calls of a function, or of an MPI operation, by a rank's main thread.
struct Calls {
    std::int64_t completed = 0;
    std::int64_t open = 0;
};

Calls callsOf(const Trace &trace, Rank rank, std::string_view name) {
    Calls found;
    const Track &track = trace.mainEvents(rank)->track;
    for (std::uint32_t row = 0; row < track.size(); ++row)
        if (trace.region(track.callPath[row]).name == name)
            ++(track.isOpen(row) ? found.open : found.completed);
    return found;
}

/// No call that a rank has counted after it returned may be missing; one may be recorded and not counted yet.
QString compare(const Calls &recorded, std::int64_t counted) {
    const bool fits = recorded.completed == counted || recorded.completed == counted + 1;
    return fits && recorded.open <= 1
               ? QString()
               : QStringLiteral("%1 calls made, %2 recorded, %3 open").arg(counted).arg(recorded.completed).arg(recorded.open);
}

} // namespace

/// Jobs that come to a bad end: what is in the recording of the rank that ended first.
class TestEnds : public QObject {
    Q_OBJECT
  private slots:
    void ofTheirOwn_data();
    void ofTheirOwn();
    void errorThatMpiFound();
    void killed_data();
    void killed();
    void stopped();
    void killedAtAnyMoment();
};

void TestEnds::ofTheirOwn_data() {
    QTest::addColumn<QString>("how");
    QTest::addColumn<QString>("lastCall");
    QTest::addColumn<ProcessEnd::Kind>("kind");
    QTest::addColumn<int>("value");
    QTest::addColumn<QString>("summary");
    QTest::addRow("abort") << "abort"
                           << "abort" << ProcessEnd::Kind::Signalled << SIGABRT
                           << R"(^Rank 1 crashed: abort \(SIGABRT\) in end_it \(ring\.c:\d+\), which called abort\.)";
    QTest::addRow("segmentation fault") << "segfault"
                                        << "end_it" << ProcessEnd::Kind::Signalled << SIGSEGV
                                        << R"(^Rank 1 crashed: segmentation fault \(SIGSEGV\) in end_it \(ring\.c:\d+\)\.)";
    QTest::addRow("MPI_Abort") << "mpi-abort"
                               << "MPI_Abort" << ProcessEnd::Kind::Exited << 3
                               << R"(^Rank 1 called MPI_Abort in end_it \(ring\.c:\d+\)\.)";
}

void TestEnds::ofTheirOwn() {
    QFETCH(QString, how);
    QFETCH(QString, lastCall);
    QFETCH(ProcessEnd::Kind, kind);
    QFETCH(int, value);
    QFETCH(QString, summary);
    Job job;
    job.startRing(how);
    job.end();
    QCOMPARE(job.witness(1).ends, 1);
    const TracePtr trace = job.open();
    QCOMPARE(test::losses(*trace), QString());
    QCOMPARE(test::openFunction(*trace, 1), lastCall);
    QCOMPARE(trace->processes[1].end.kind, kind);
    QCOMPARE(trace->processes[1].end.value, value);
    const Verdict verdict = test::judge(*trace);
    QCOMPARE(verdict.state, Verdict::State::Crashed);
    QVERIFY2(!verdict.findings.empty() && verdict.findings.front().ranks == RankSet{1}, verdict.summary.c_str());
    QVERIFY2(QRegularExpression(summary).match(QString::fromStdString(verdict.summary)).hasMatch(), verdict.summary.c_str());
}

/// The launcher kills the rank, like the others, before it can say how it ended.
void TestEnds::errorThatMpiFound() {
    Job job;
    job.startRing("mpi-error");
    job.end();
    const TracePtr trace = job.open();
    QCOMPARE(test::losses(*trace), QString());
    QCOMPARE(test::openFunction(*trace, 1), QStringLiteral("MPI_Send"));
    const Verdict verdict = test::judge(*trace);
    QCOMPARE(verdict.state, Verdict::State::Crashed);
    const QRegularExpression summary(
        R"(^Rank 1 was ended by MPI in MPI_Send, called from end_it \(ring\.c:\d+\), for an error in the call: )"
        R"(Invalid rank has value 77 but must be nonnegative and less than 4\.$)");
    QVERIFY2(summary.match(QString::fromStdString(verdict.summary)).hasMatch(), verdict.summary.c_str());
    QCOMPARE(verdict.findings.front().ranks, RankSet{1});
}

void TestEnds::killed_data() {
    QTest::addColumn<bool>("all");
    QTest::addRow("one rank") << false;
    QTest::addRow("all ranks") << true;
}

/// Rank 1 stands still in a function when it is killed, the others wait for its message.
void TestEnds::killed() {
    QFETCH(bool, all);
    Job job;
    job.startRing("stand");
    QVERIFY2(job.waitForRing(1'000'000), qPrintable(job.output()));
    QTest::qSleep(500); // the others run into their waits
    for (Rank rank = 0; rank < Job::ranks; ++rank)
        if (all || rank == 1)
            job.killRank(rank);
    job.end();
    const TracePtr trace = job.open();
    QCOMPARE(test::losses(*trace), QString());
    QCOMPARE(trace->processes[1].end.kind, ProcessEnd::Kind::Killed);
    QCOMPARE(test::openFunction(*trace, 1), QStringLiteral("end_it"));
    for (const Rank rank : {0U, 2U, 3U})
        QCOMPARE(test::openFunction(*trace, rank), QStringLiteral("MPI_Sendrecv"));
    const Calls last = callsOf(*trace, 1, "MPI_Sendrecv");
    QCOMPARE(last.completed, 50);
    QCOMPARE(last.open, 0);
}

/// Rank 1 is stopped while all run, and long after that all are killed: it hung, and nobody crashed.
void TestEnds::stopped() {
    Job job;
    job.startRing("run");
    QVERIFY2(job.waitForRing(1), qPrintable(job.output()));
    job.signalRank(1, SIGSTOP);
    QTest::qSleep(4000); // the others look around once a second; a process that died counts as such after two
    for (Rank rank = 0; rank < Job::ranks; ++rank)
        job.killRank(rank);
    job.end();
    const TracePtr trace = job.open();
    QCOMPARE(trace->processes[1].end.lastSeen, ProcessEnd::Seen::Stopped);
    const Verdict verdict = test::judge(*trace);
    QVERIFY2(verdict.state == Verdict::State::Hung, verdict.summary.c_str());
    QVERIFY2(verdict.summary.find("Rank 1 was stopped") != std::string::npos, verdict.summary.c_str());
    QVERIFY2(!verdict.findings.empty() && verdict.findings.front().ranks == RankSet{1}, verdict.summary.c_str());
}

/// LAGGARD_KILLS: how often (bench/run-kills).
void TestEnds::killedAtAnyMoment() {
    const int rounds = qEnvironmentVariableIsSet("LAGGARD_KILLS") ? qEnvironmentVariableIntValue("LAGGARD_KILLS") : 3;
    std::mt19937 random(static_cast<unsigned>(rounds));
    int kills = 0;
    int unreturned = 0;
    std::int64_t calls = 0;
    for (int round = 0; round < rounds; ++round) {
        Job job;
        job.startRing("run");
        QVERIFY2(job.waitForRing(1), qPrintable(job.output()));
        QTest::qSleep(static_cast<int>(random() % 200));
        const auto victim = static_cast<Rank>(random() % Job::ranks);
        const bool all = round % 2 == 1; // in every other round
        for (Rank rank = 0; rank < Job::ranks; ++rank)
            if (rank == victim || all)
                job.killRank(rank);
        job.end();
        const TracePtr trace = job.open();
        QCOMPARE(test::losses(*trace), QString());
        for (Rank rank = 0; rank < Job::ranks; ++rank) {
            if (rank != victim && !all)
                continue;
            QCOMPARE(trace->processes[rank].end.kind, ProcessEnd::Kind::Killed);
            const Job::Witness witness = job.witness(rank);
            const Calls exchanges = callsOf(*trace, rank, "MPI_Sendrecv");
            const QString difference = compare(exchanges, witness.calls) + compare(callsOf(*trace, rank, "work"), witness.works);
            QVERIFY2(difference.isEmpty(), qPrintable(QStringLiteral("round %1, rank %2: ").arg(round).arg(rank) + difference));
            ++kills;
            unreturned += static_cast<int>(exchanges.open);
            calls += witness.calls + witness.works;
        }
    }
    qInfo("%d kills in %d jobs: every one of %lld finished calls is recorded; %d processes had a call open.", kills, rounds,
          static_cast<long long>(calls), unreturned);
}

QTEST_APPLESS_MAIN(TestEnds)
#include "tst_ends.moc"
