// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/verdict/Attach.h"
#include "tests/jobs/Job.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

using namespace laggard;
using laggard::test::Job;

namespace {

const QStringList spinningStencil{"--steps", "200", "--fault", "spin", "--fault-rank", "2", "--fault-step", "150"};

bool warns(const Trace &trace, const std::string &text) {
    return std::any_of(trace.warnings.begin(), trace.warnings.end(),
                       [&](const Warning &warning) { return warning.message.find(text) != std::string::npos; });
}

} // namespace

/// What the options of the recorder keep of a job that hangs is enough for the answer; and jobs that are out of the ordinary.
class TestSettings : public QObject {
    Q_OBJECT
  private slots:
    void options_data();
    void options();
    void whileItHangs();
    void endedLongBeforeTheTimeout();
    void phases();
    void threads();
    void threadHangs_data();
    void threadHangs();
    void threadOfInnocent();
    void threadsOnlyHang();
};

void TestSettings::options_data() {
    QTest::addColumn<QStringList>("recorder");
    QTest::addColumn<bool>("hasEvents");
    QTest::addColumn<QString>("warning");
    QTest::addColumn<QString>("function");
    const QString function = "compute_flux";
    QTest::addRow("trace") << QStringList{"--mode", "trace"} << true << QString() << function;
    QTest::addRow("model") << QStringList{"--mode", "model"} << false << QString() << function;
    QTest::addRow("no stacks") << QStringList{"--stacks", "off"} << true << QString() << function;
    QTest::addRow("model, no stacks") << QStringList{"--mode", "model", "--stacks", "off"} << false << QString() << function;
    QTest::addRow("ring that has turned") << QStringList{"--buffer", "128K"} << true << "were overwritten" << function;
    QTest::addRow("spill that is full") << QStringList{"--buffer", "128K", "--spill"} << true << "were dropped" << function;
    QTest::addRow("hang noticed") << QStringList{"--hang-timeout", "0.3"} << true << QString() << function;
}

void TestSettings::options() {
    QFETCH(QStringList, recorder);
    QFETCH(bool, hasEvents);
    QFETCH(QString, warning);
    QFETCH(QString, function);
    Job job;
    QVERIFY(job.runIntoHang("stencil", spinningStencil, 2, function, recorder));
    job.stop();
    const TracePtr trace = job.open();
    QCOMPARE(trace->eventCount != 0, hasEvents);
    QVERIFY2(warning.isEmpty() || warns(*trace, warning.toStdString()), "what is missing is said");
    const Verdict verdict = test::judge(*trace);
    QVERIFY2(verdict.state == Verdict::State::Hung, verdict.summary.c_str());
    QVERIFY2(!verdict.findings.empty() && verdict.findings.front().ranks == RankSet{2}, verdict.summary.c_str());
    QVERIFY2(test::leadsThrough(*trace, verdict.findings.front().callPath, function), verdict.summary.c_str());
}

/// It is opened while its processes are still there.
void TestSettings::whileItHangs() {
    Job job;
    QVERIFY(job.runIntoHang("stencil", spinningStencil, 2));
    const TracePtr trace = job.open();
    QCOMPARE(test::losses(*trace), QString());
    for (const Process &process : trace->processes)
        QCOMPARE(process.end.kind, ProcessEnd::Kind::Running);
    const Verdict verdict = test::judge(*trace);
    QVERIFY2(verdict.state == Verdict::State::Hung, verdict.summary.c_str());
    const std::vector<Attachable> suspects = attachable(*trace, verdict);
    QCOMPARE(suspects.size(), std::size_t{1});
    QCOMPARE(suspects[0].rank, Rank{2});
    QCOMPARE(suspects[0].command, "gdb -p " + std::to_string(trace->processes[2].pid));
    QVERIFY(!suspects[0].host.empty());
    job.stop();
    const TracePtr later = job.open();
    QVERIFY2(attachable(*later, test::judge(*later)).empty(), "there is nothing to attach to any more");
}

/// Who ends a job after some seconds, long before it counts as hanging, finds where the rank was.
void TestSettings::endedLongBeforeTheTimeout() {
    Job job;
    job.runPastFault("stencil-plain", spinningStencil, 5);
    const TracePtr trace = job.open();
    const Verdict verdict = test::judge(*trace);
    QVERIFY2(verdict.state == Verdict::State::Hung, verdict.summary.c_str());
    QVERIFY2(!verdict.findings.empty() && verdict.findings.front().ranks == RankSet{2}, verdict.summary.c_str());
    QVERIFY2(test::leadsThrough(*trace, verdict.findings.front().callPath, "compute_flux"), verdict.summary.c_str());
}

/// Each step of the programs begins with MPI_Pcontrol(1), and MPI_Pcontrol(0) follows the last one.
void TestSettings::phases() {
    Job job;
    QVERIFY2(job.run("multigrid", {"--steps", "5"}) == 0, qPrintable(job.output()));
    const TracePtr trace = job.open();
    for (Rank rank = 0; rank < Job::ranks; ++rank) {
        const std::vector<PhaseMark> &phases = trace->mainEvents(rank)->phases;
        QCOMPARE(phases.size(), std::size_t{6});
        for (std::size_t i = 0; i < phases.size(); ++i)
            QCOMPARE(phases[i].level, i < 5 ? 1 : 0);
    }
}

/// MPI_THREAD_MULTIPLE: two threads of each rank communicate at the same time.
void TestSettings::threads() {
    Job job;
    QVERIFY2(job.run("threads", {"--steps", "20"}) == 0, qPrintable(job.output()));
    const TracePtr trace = job.open();
    QCOMPARE(test::losses(*trace), QString());
    QCOMPARE(trace->unmatchedReceives, 0U);
    for (const Process &process : trace->processes) {
        QCOMPARE(process.locations.size(), std::size_t{2});
        const LocationEvents &main = trace->locations[process.locations[0]].events;
        const LocationEvents &second = trace->locations[process.locations[1]].events;
        QCOMPARE(main.sends.size(), 0U);
        QCOMPARE(second.sends.size(), 20U);
        QCOMPARE(second.receives.size(), 20U);
    }
    QCOMPARE(test::judge(*trace).state, Verdict::State::Finished);
}

void TestSettings::threadHangs_data() {
    QTest::addColumn<QString>("how");
    QTest::addColumn<QString>("function");
    QTest::addColumn<bool>("isInMpi");
    QTest::addRow("in MPI, and a lock is held") << "lock"
                                                << "MPI_Recv" << true;
    QTest::addRow("in MPI, and a condition is waited for") << "condition"
                                                           << "MPI_Recv" << true;
    QTest::addRow("in MPI, in OpenMP") << "region"
                                       << "MPI_Recv" << true;
    QTest::addRow("in a computation, without a call of MPI") << "compute"
                                                             << "spin_for_ever" << false;
    QTest::addRow("in OpenMP") << "openmp"
                               << "spin_for_ever" << false;
    QTest::addRow("in MPI") << "receive"
                            << "MPI_Recv" << true;
    QTest::addRow("all main threads wait for threads") << "ring"
                                                       << "spin_for_ever" << false;
}

/// A main thread waits for a thread that hangs: the rank is named, and the thread with its function.
void TestSettings::threadHangs() {
    QFETCH(QString, how);
    QFETCH(QString, function);
    QFETCH(bool, isInMpi);
    Job job;
    job.runIntoThreadHang(how, 1, function);
    job.stop();
    const TracePtr trace = job.open();
    QCOMPARE(test::losses(*trace), QString());
    const Verdict verdict = test::judge(*trace);
    QVERIFY2(verdict.state == Verdict::State::Hung, verdict.summary.c_str());
    QVERIFY2(!verdict.findings.empty() && verdict.findings.front().ranks == RankSet{1}, verdict.summary.c_str());
    QVERIFY2(QString::fromStdString(verdict.summary).contains(function + (isInMpi ? "" : " (joined.c:")),
             verdict.summary.c_str());
    const auto thread = std::ranges::find(verdict.threads, Rank{1}, &OtherThread::rank);
    QVERIFY2(thread != verdict.threads.end(), verdict.summary.c_str());
    QCOMPARE(QString::fromStdString(trace->region(thread->callPath).name), function);
    QCOMPARE(thread->isInMpi, isInMpi);
    QCOMPARE(thread->waitsFor, isInMpi ? RankSet{2} : RankSet{});
}

/// Rank 1's main thread waits for a thread that waits for rank 2, which computes: rank 1 is innocent.
void TestSettings::threadOfInnocent() {
    Job job;
    job.runIntoThreadHang("innocent", 2, "spin_for_ever");
    job.stop();
    const TracePtr trace = job.open();
    const Verdict verdict = test::judge(*trace);
    QVERIFY2(verdict.state == Verdict::State::Hung, verdict.summary.c_str());
    QVERIFY2(!verdict.findings.empty() && verdict.findings.front().ranks == RankSet{2}, verdict.summary.c_str());
    QVERIFY2(std::ranges::none_of(verdict.findings, [](const Finding &f) { return f.ranks.front() == 1; }),
             verdict.summary.c_str());
}

/// The same with a program that announces its functions; the threads of the other ranks wait for a message.
void TestSettings::threadsOnlyHang() {
    Job job;
    QVERIFY(job.runIntoHang("threads", {"--steps", "20", "--fault", "spin-thread", "--fault-rank", "2", "--fault-step", "10"}, 2,
                            "prepare_token", {"--hang-timeout", "0.3"}));
    job.stop();
    const Verdict verdict = test::judge(*job.open());
    QVERIFY2(verdict.state == Verdict::State::Hung, verdict.summary.c_str());
    QVERIFY2(!verdict.findings.empty() && verdict.findings.front().ranks == RankSet{2}, verdict.summary.c_str());
    QVERIFY2(QString::fromStdString(verdict.summary).contains("MPI_Recv"), verdict.summary.c_str());
}

QTEST_APPLESS_MAIN(TestSettings)
#include "tst_settings.moc"
