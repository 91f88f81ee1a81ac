// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/convert/DumpText.h"
#include "app/convert/Otf2Export.h"
#include "app/convert/TraceDump.h"
#include "app/report/Report.h"
#include "app/report/WriteFile.h"
#include "ingest/Format.h"
#include "tests/jobs/Job.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QStandardPaths>
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
    void leftEarly();

  private:
    static void compareConversions(const Job &job, const TracePtr &trace, const Verdict &verdict);
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
    QVERIFY(job.runIntoHang(program, {"--steps", "10", "--fault", "spin", "--fault-rank", "2", "--fault-step", "6"}, 2));
    job.stop();
    const QJsonObject truth = QJsonDocument::fromJson(job.truth()).object();
    QCOMPARE(truth["rank"].toInt(-1), 2);
    const TracePtr trace = job.open();
    QCOMPARE(test::losses(*trace), QString());
    // C++ names have parameters and namespaces, Fortran's are in lower case already.
    const QString function = truth["function"].toString();
    const Track &track = trace->mainEvents(2)->track;
    QVERIFY2(track.innermostOpen() != none && test::leadsThrough(*trace, track.callPath[track.innermostOpen()], function),
             qPrintable("rank 2 should be in " + function + ", is in " + test::openFunction(*trace, 2)));
    const Verdict verdict = test::judge(*trace);
    QCOMPARE(verdict.state, Verdict::State::Hung);
    QVERIFY2(!verdict.findings.empty(), verdict.summary.c_str());
    QVERIFY2(verdict.findings.front().ranks == RankSet{2}, verdict.summary.c_str());
    QVERIFY2(test::leadsThrough(*trace, verdict.findings.front().callPath, function), verdict.summary.c_str());
    compareConversions(job, trace, verdict);
}

/// The OTF2 archive and the model dump that are made from the recording give the same answer.
void TestExamples::compareConversions(const Job &job, const TracePtr &trace, const Verdict &verdict) {
    const auto answer = [](const Verdict &given) {
        std::string text = std::string(name(given.state)) + ": " + given.summary;
        for (const Finding &finding : given.findings)
            text += '\n' + formatRanges(finding.ranks) + ' ' + finding.function + ' ' + finding.file + ':' +
                    std::to_string(finding.line) + ' ' + finding.why;
        return QString::fromStdString(text);
    };
    const std::string archive = job.path("archive").toStdString();
    static_cast<void>(writeOtf2(*trace, archive, {}));
    QCOMPARE(answer(test::judge(*openTrace(archive, {}, {}))), answer(verdict));
    const std::string dump = job.path("dump.json").toStdString();
    writeFile(dump, dumpText(summarise(trace, "", {})));
    const ModelDumpPtr models = openInput(dump, {}, {}).dump;
    QCOMPARE(answer(analyse(models, {}, {})->verdict), answer(analyse(trace, AnalysisOptions(), {})->verdict));
    const SemiMarkovReport ofEvents = analyseSemiMarkov(*trace, {}, {}, {});
    const SemiMarkovReport ofModels = analyseSemiMarkov(*models->job, {}, {}, {});
    QCOMPARE(ofModels.phases.size(), ofEvents.phases.size());
    // Dumps keep times in buckets, so that what is close to a limit may fall on its other side; a hang is not.
    if (ofEvents.verdict.kind == SemiMarkovVerdict::Kind::Hang) {
        QVERIFY2(ofModels.verdict.kind == ofEvents.verdict.kind, ofModels.verdict.why.c_str());
        QCOMPARE(ofModels.verdict.ranks, ofEvents.verdict.ranks);
        QCOMPARE(ofModels.verdict.phase, ofEvents.verdict.phase);
    }
    if (QStandardPaths::findExecutable("otf2-print").isEmpty()) {
        qInfo("otf2-print is not installed (package otf2-tools): it is not asked");
        return;
    }
    for (const QStringList &options : {QStringList{"-A"}, QStringList{}}) {
        QProcess print;
        print.setStandardOutputFile(QProcess::nullDevice());
        print.start("otf2-print", options + QStringList{QString::fromStdString(archive + "/traces.otf2")});
        QVERIFY(print.waitForFinished(60'000));
        const QByteArray said = print.readAllStandardError();
        QVERIFY2(said.isEmpty() && print.exitCode() == 0, said.constData());
    }
}

/// All ranks have entered a collective, but one of them stays at its beginning: nothing but where it was seen tells which.
void TestExamples::heldInCollective() {
    Job job;
    QVERIFY(job.runIntoInjected("stencil", {"--steps", "40"}, "INF_LOOP:rank=2,at=inside,op=MPI_Allreduce,instance=8", 2));
    job.stop();
    const TracePtr trace = job.open();
    QCOMPARE(test::losses(*trace), QString());
    QCOMPARE(test::openFunction(*trace, 2), QStringLiteral("MPI_Allreduce"));
    const Verdict verdict = test::judge(*trace);
    QVERIFY2(!verdict.findings.empty() && verdict.findings.front().ranks == RankSet{2}, verdict.summary.c_str());
}

/// It has freed its communicators before MPI_Finalize, which the others, in other collectives, never come to.
void TestExamples::leftEarly() {
    Job job;
    QVERIFY(
        job.runIntoHang("transform", {"--steps", "10", "--fault", "early-exit", "--fault-rank", "2", "--fault-step", "6"}, 2));
    job.stop();
    const Verdict verdict = test::judge(*job.open());
    QCOMPARE(verdict.state, Verdict::State::Hung);
    QVERIFY2(verdict.findings.front().ranks == RankSet{2}, verdict.summary.c_str());
    QVERIFY2(verdict.summary.starts_with("Rank 2 left early"), verdict.summary.c_str());
}

QTEST_APPLESS_MAIN(TestExamples)
#include "tst_examples.moc"
