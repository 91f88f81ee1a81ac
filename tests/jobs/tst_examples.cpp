// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/jobs/Job.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

using namespace laggard;
using laggard::test::Job;

/// Every example program, recorded: when it is right, and when a rank of it never ends a computation.
class TestExamples : public QObject {
    Q_OBJECT
  private slots:
    void correct_data() { programs(); }
    void correct();
    void spinning_data() { programs(); }
    void spinning();
    void heldInCollective();

  private:
    static void programs() {
        QTest::addColumn<QString>("program");
        for (const QString &program : QString(LAGGARD_PROGRAMS).split(' '))
            QTest::addRow("%s", qPrintable(program)) << program;
    }
};

void TestExamples::correct() {
    QFETCH(QString, program);
    Job job;
    QVERIFY2(job.run(program, {"--steps", "5"}) == 0, qPrintable(job.output()));
    QVERIFY2(job.output().contains("checksum"), "the program prints its checksum as without recorder");
    const TracePtr trace = job.open();
    QCOMPARE(test::losses(*trace), QString());
    QCOMPARE(trace->processes.size(), std::size_t{Job::ranks});
    QCOMPARE(trace->unmatchedReceives, 0U);
    for (Rank rank = 0; rank < Job::ranks; ++rank) {
        QCOMPARE(test::openFunction(*trace, rank), QString());
        const ProcessEnd &end = trace->processes[rank].end;
        QVERIFY2(end.kind == ProcessEnd::Kind::Exited && end.value == 0, "the recording says that the rank exited with 0");
    }
    QCOMPARE(test::judge(*trace).state, Verdict::State::Finished);
}

void TestExamples::spinning() {
    QFETCH(QString, program);
    Job job;
    QVERIFY2(job.run(program, {"--steps", "10", "--fault", "spin", "--fault-rank", "2", "--fault-step", "6"}) == 124,
             qPrintable("the job should hang: " + job.output()));
    const QJsonObject truth = QJsonDocument::fromJson(job.truth()).object();
    QCOMPARE(truth["rank"].toInt(-1), 2);
    const TracePtr trace = job.open();
    QCOMPARE(test::losses(*trace), QString());
    // C++ names have parameters and namespaces, Fortran's are in lower case already.
    const QString function = truth["function"].toString();
    QVERIFY2(test::openFunction(*trace, 2).contains(function),
             qPrintable("rank 2 should be in " + function + ", is in " + test::openFunction(*trace, 2)));
    const Verdict verdict = test::judge(*trace);
    QCOMPARE(verdict.state, Verdict::State::Hung);
    QVERIFY2(!verdict.findings.empty(), verdict.summary.c_str());
    QVERIFY2(verdict.findings.front().ranks == RankSet{2}, verdict.summary.c_str());
    QVERIFY2(QString::fromStdString(verdict.findings.front().function).contains(function), verdict.summary.c_str());
}

/// All ranks have entered a collective, but one of them stays at its beginning: nothing but where it was seen tells which.
void TestExamples::heldInCollective() {
    Job job;
    QVERIFY2(job.runInjected("stencil", {"--steps", "40"}, "INF_LOOP:rank=2,at=inside,op=MPI_Allreduce,instance=8", 3) == 124,
             qPrintable(job.output()));
    const TracePtr trace = job.open();
    QCOMPARE(test::losses(*trace), QString());
    QCOMPARE(test::openFunction(*trace, 2), QStringLiteral("MPI_Allreduce"));
    const Verdict verdict = test::judge(*trace);
    QVERIFY2(!verdict.findings.empty() && verdict.findings.front().ranks == RankSet{2}, verdict.summary.c_str());
}

QTEST_APPLESS_MAIN(TestExamples)
#include "tst_examples.moc"
