// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/jobs/Job.h"

#include <QFileInfo>
#include <QTest>

using namespace laggard;
using laggard::test::Job;

/// Jobs under Open MPI: C, C++ and Fortran.
class TestOpenMpi : public QObject {
    Q_OBJECT
  private slots:
    void initTestCase();
    void correct_data() { programs(); }
    void correct();
    void spinning_data() { programs(); }
    void spinning();
    void aborting();
    void errorThatMpiFound();

  private:
    static void programs();
};

void TestOpenMpi::initTestCase() {
    if (QByteArray(LAGGARD_OPENMPI_DIR).isEmpty())
        QSKIP("Open MPI's compilers are not installed (Debian package libopenmpi-dev): nothing is tested with it.");
}

void TestOpenMpi::programs() {
    QTest::addColumn<QString>("program");
    QTest::addColumn<QString>("function");
    QTest::addRow("C") << "stencil"
                       << "compute_flux";
    QTest::addRow("C++") << "cg"
                         << "apply_matrix";
    QTest::addRow("Fortran") << "adi"
                             << "sweep_x";
}

void TestOpenMpi::correct() {
    QFETCH(QString, program);
    Job job(Job::Mpi::OpenMpi);
    QVERIFY2(job.run(program, {"--steps", "5"}) == 0, qPrintable(job.output()));
    QVERIFY2(job.output().contains("checksum"), "the program prints its checksum as without recorder");
    QVERIFY2(!job.output().contains("laggard-record"), qPrintable("the recorder has nothing to complain about: " + job.output()));
    const TracePtr trace = job.open();
    QCOMPARE(test::losses(*trace), QString());
    QCOMPARE(trace->processes.size(), std::size_t{Job::ranks});
    QCOMPARE(trace->unmatchedReceives, 0U);
    for (Rank rank = 0; rank < Job::ranks; ++rank)
        QCOMPARE(test::openFunction(*trace, rank), QString());
    QCOMPARE(test::judge(*trace).state, Verdict::State::Finished);
}

void TestOpenMpi::spinning() {
    QFETCH(QString, program);
    QFETCH(QString, function);
    Job job(Job::Mpi::OpenMpi);
    QVERIFY(job.runIntoHang(program, {"--steps", "10", "--fault", "spin", "--fault-rank", "2", "--fault-step", "6"}, 2));
    job.stop();
    const TracePtr trace = job.open();
    QCOMPARE(test::losses(*trace), QString());
    const Verdict verdict = test::judge(*trace);
    QVERIFY2(verdict.state == Verdict::State::Hung, verdict.summary.c_str());
    QVERIFY2(!verdict.findings.empty() && verdict.findings.front().ranks == RankSet{2}, verdict.summary.c_str());
    QVERIFY2(test::leadsThrough(*trace, verdict.findings.front().callPath, function), verdict.summary.c_str());
}

void TestOpenMpi::aborting() {
    Job job(Job::Mpi::OpenMpi);
    job.startRing("mpi-abort");
    job.end();
    const TracePtr trace = job.open();
    QCOMPARE(test::openFunction(*trace, 1), QStringLiteral("MPI_Abort"));
    QCOMPARE(trace->processes[1].end.kind, ProcessEnd::Kind::Exited);
    QCOMPARE(trace->processes[1].end.value, 3);
    const Verdict verdict = test::judge(*trace);
    QVERIFY2(verdict.state == Verdict::State::Crashed && verdict.findings.front().ranks == RankSet{1}, verdict.summary.c_str());
}

void TestOpenMpi::errorThatMpiFound() {
    Job job(Job::Mpi::OpenMpi);
    job.startRing("mpi-error");
    job.end();
    const Verdict verdict = test::judge(*job.open());
    QCOMPARE(verdict.state, Verdict::State::Crashed);
    QVERIFY2(verdict.summary.starts_with("Rank 1 was ended by MPI in MPI_Send, called from end_it ") &&
                 verdict.summary.find("an error in the call: MPI_ERR_RANK: invalid rank.") != std::string::npos,
             verdict.summary.c_str());
}

QTEST_APPLESS_MAIN(TestOpenMpi)
#include "tst_openmpi.moc"
