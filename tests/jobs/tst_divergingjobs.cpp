// SPDX-License-Identifier: GPL-3.0-or-later
// Real programs, recorded twice: where the second run departs from the first.
#include "analysis/divergence/Divergence.h"
#include "app/convert/Otf2Export.h"
#include "ingest/Format.h"
#include "tests/jobs/Job.h"

#include <QTest>

using namespace laggard;
using laggard::test::Job;

namespace {

QString said(const DivergenceReport &report) {
    QString text = QString::fromStdString(report.why);
    for (const RankDivergence &departure : report.departures)
        text += '\n' + QString::fromStdString(departure.why);
    for (const std::string &note : report.notes)
        text += '\n' + QString::fromStdString(note);
    return text;
}

TracePtr recorded(const QString &program, QString *problem) {
    Job job;
    if (job.run(program, {"--steps", "12"}) != 0)
        *problem = job.output();
    return job.open();
}

} // namespace

class TestDivergingJobs : public QObject {
    Q_OBJECT
  private slots:
    void theSameTwice_data() {
        QTest::addColumn<QString>("program");
        for (const char *program : {"stencil", "cg", "adi", "wavefront", "endless-test"})
            QTest::newRow(program) << program;
    }
    void theSameTwice() {
        QFETCH(QString, program);
        QString problem;
        const TracePtr first = recorded(program, &problem);
        const TracePtr second = recorded(program, &problem);
        QVERIFY2(problem.isEmpty(), qPrintable(problem));
        const DivergenceReport report = findDivergence(*second, *first, {});
        QVERIFY2(report.departures.empty(), qPrintable("two equal runs are said to diverge: " + said(report)));
        QVERIFY2(report.comparesPaths && report.compared.size() == first->processes.size(), qPrintable(said(report)));
    }

    /// Which message a receive from any source gets is no departure, and what follows from it is marked.
    void wildcardsAreToldApart_data() {
        QTest::addColumn<QString>("program");
        for (const char *program : {"any-source", "wait-any", "master-worker"})
            QTest::newRow(program) << program;
    }
    void wildcardsAreToldApart() {
        QFETCH(QString, program);
        QString problem;
        const TracePtr first = recorded(program, &problem);
        const TracePtr second = recorded(program, &problem);
        QVERIFY2(problem.isEmpty(), qPrintable(problem));
        const DivergenceReport report = findDivergence(*second, *first, {});
        if (!report.departures.empty())
            QVERIFY2(!report.wildcards.empty(), qPrintable(said(report)));
    }

    /// Rank 1 leaves out a message: it makes another call where it was due, before anybody waits for it.
    void aMessageThatIsNotSentIsFirst() {
        QString problem;
        const TracePtr sound = recorded("stencil", &problem);
        QVERIFY2(problem.isEmpty(), qPrintable(problem));
        Job job;
        job.runPastFault("stencil", {"--steps", "12", "--fault", "skipped-send", "--fault-rank", "1", "--fault-step", "6"}, 1);
        const DivergenceReport report = findDivergence(*job.open(), *sound, {});
        QVERIFY2(!report.departures.empty(), "the fault does not show");
        QVERIFY2(report.departures.front().rank == 1, qPrintable(said(report)));
    }

    void theFaultIsFirst_data() {
        QTest::addColumn<QString>("program");
        QTest::addColumn<QString>("specification");
        QTest::newRow("stands still before a call") << "stencil"
                                                    << "INF_LOOP:rank=2,at=before,op=MPI_Allreduce,instance=8";
        QTest::newRow("stands still after a call") << "cg"
                                                   << "INF_LOOP:rank=1,at=after,op=MPI_Allreduce,instance=6";
    }
    void theFaultIsFirst() {
        QFETCH(QString, program);
        QFETCH(QString, specification);
        QString problem;
        const TracePtr sound = recorded(program, &problem);
        QVERIFY2(problem.isEmpty(), qPrintable(problem));
        const Rank faulty = specification.contains("rank=2") ? 2 : 1;
        Job job;
        QVERIFY(job.runIntoInjected(program, {"--steps", "12"}, specification, faulty));
        job.stop();
        const TracePtr hung = job.open();
        const DivergenceReport report = findDivergence(*hung, *sound, {});
        QVERIFY2(!report.departures.empty(), "the fault does not show");
        QVERIFY2(report.departures.front().rank == faulty, qPrintable(said(report)));

        // The archive that is made from the recording departs at the same place.
        const std::string archive = job.path("archive").toStdString();
        static_cast<void>(writeOtf2(*hung, archive, {}));
        const DivergenceReport mixed = findDivergence(*openTrace(archive, {}, {}), *sound, {});
        QVERIFY2(!mixed.departures.empty() && mixed.departures.front().rank == faulty, qPrintable(said(mixed)));
    }
};

QTEST_GUILESS_MAIN(TestDivergingJobs)
#include "tst_divergingjobs.moc"
