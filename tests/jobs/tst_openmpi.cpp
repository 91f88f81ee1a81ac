// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/jobs/Job.h"

#include "ingest/Format.h"

#include <QFileInfo>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
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
    void launcherIsRecorded_data();
    void launcherIsRecorded();
    void loadsAnotherMpiLater();

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

void TestOpenMpi::launcherIsRecorded_data() {
    QTest::addColumn<QStringList>("options");
    QTest::addColumn<QStringList>("before");
    QTest::newRow("the launcher") << QStringList{} << QStringList{};
    QTest::newRow("a script that starts it") << QStringList{} << QStringList{"sh", "-c", R"(exec "$0" "$@")"};
    QTest::newRow("with the wrong MPI named") << QStringList{"--mpi", "mpich"} << QStringList{};
}

/// laggard-record before the launcher, and not behind it: what it starts inherits the recorder, and takes the right one.
void TestOpenMpi::launcherIsRecorded() {
    QFETCH(QStringList, options);
    QFETCH(QStringList, before);
    const QString launcher = QStandardPaths::findExecutable("mpiexec.openmpi");
    if (launcher.isEmpty())
        QSKIP("Open MPI's launcher is not installed: nothing is started with it.");
    QTemporaryDir folder;
    QProcess process;
    process.setWorkingDirectory(folder.path());
    process.start(LAGGARD_RECORD, QStringList{"-o", "recording"} + options + QStringList{"--"} + before +
                                      QStringList{launcher, "--allow-run-as-root", "--oversubscribe", "-n", "2",
                                                  LAGGARD_OPENMPI_DIR "/stencil", "--steps", "3"});
    QVERIFY2(process.waitForFinished(60'000), "the job comes to its end");
    QVERIFY2(process.exitStatus() == QProcess::NormalExit && process.exitCode() == 0, process.readAllStandardError().constData());
    const TracePtr trace = openTrace(folder.filePath("recording").toStdString(), {}, {});
    QCOMPARE(trace->processes.size(), std::size_t{2});
    QCOMPARE(test::judge(*trace).state, Verdict::State::Finished);
}

/// As an interpreter's module does: a sentence, and no crash.
void TestOpenMpi::loadsAnotherMpiLater() {
    const QString program = LAGGARD_OPENMPI_DIR "/loads-mpi-late";
    QTemporaryDir folder;
    QProcess process;
    process.setWorkingDirectory(folder.path());
    process.start(LAGGARD_RECORD, {"-o", "recording", "--mpi", "mpich", "--", program});
    QVERIFY(process.waitForFinished(60'000));
    const QByteArray said = process.readAllStandardError();
    QVERIFY2(process.exitStatus() == QProcess::NormalExit, said.constData());
    QVERIFY2(said.contains("start it with --mpi openmpi"), said.constData());
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
