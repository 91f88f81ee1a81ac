// SPDX-License-Identifier: GPL-3.0-or-later
// Real programs, recorded twice: where the second run departs from the first.
#include "analysis/divergence/Divergence.h"
#include "analysis/words/DivergenceWords.h"
#include "app/convert/Otf2Export.h"
#include "ingest/Format.h"
#include "tests/jobs/Job.h"

#include <QTest>

using namespace laggard;
using laggard::test::Job;

namespace {

QString told(const Trace &here, const Trace &there, const DivergenceReport &report) {
    QString text = QString::fromStdString(describeDivergence(here, there, report));
    for (const RankDivergence &departure : report.departures)
        text += '\n' + QString::fromStdString(describeDeparture(here, there, departure));
    for (const std::string &note : notesOf(report))
        text += '\n' + QString::fromStdString(note);
    return text;
}

TracePtr recorded(const QString &program, QString *problem) {
    Job job;
    if (job.run(program, {"--steps", "12"}) != 0)
        *problem = job.output();
    return job.open();
}

/// A program that was run twice, and the second run compared with the first.
struct Twice {
    explicit Twice(const QString &program)
        : first(recorded(program, &problem)), second(recorded(program, &problem)), report(findDivergence(*second, *first, {})) {}
    [[nodiscard]] QString said() const { return told(*second, *first, report); }

    QString problem; ///< empty: both runs ended as they should
    TracePtr first;
    TracePtr second;
    DivergenceReport report;
};

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
        const Twice twice(program);
        QVERIFY2(twice.problem.isEmpty(), qPrintable(twice.problem));
        QVERIFY2(twice.report.departures.empty(), qPrintable("two equal runs are said to diverge: " + twice.said()));
        QVERIFY2(twice.report.comparesPaths && twice.report.compared.size() == twice.first->processes.size(),
                 qPrintable(twice.said()));
    }

    /// Which message a receive from any source gets is no departure, and what follows from it is marked.
    void wildcardsAreToldApart_data() {
        QTest::addColumn<QString>("program");
        for (const char *program : {"any-source", "wait-any", "master-worker"})
            QTest::newRow(program) << program;
    }
    void wildcardsAreToldApart() {
        QFETCH(QString, program);
        const Twice twice(program);
        QVERIFY2(twice.problem.isEmpty(), qPrintable(twice.problem));
        if (!twice.report.departures.empty())
            QVERIFY2(!twice.report.wildcards.empty(), qPrintable(twice.said()));
    }

    /// Rank 1 leaves out a message: it makes another call where it was due, before anybody waits for it.
    void aMessageThatIsNotSentIsFirst() {
        QString problem;
        const TracePtr sound = recorded("stencil", &problem);
        QVERIFY2(problem.isEmpty(), qPrintable(problem));
        Job job;
        job.runPastFault("stencil", {"--steps", "12", "--fault", "skipped-send", "--fault-rank", "1", "--fault-step", "6"}, 1);
        const TracePtr odd = job.open();
        const DivergenceReport report = findDivergence(*odd, *sound, {});
        QVERIFY2(!report.departures.empty(), "the fault does not show");
        QVERIFY2(report.departures.front().rank == 1, qPrintable(told(*odd, *sound, report)));
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
        QVERIFY2(report.departures.front().rank == faulty, qPrintable(told(*hung, *sound, report)));

        // The archive that is made from the recording departs at the same place.
        const std::string archive = job.path("archive").toStdString();
        static_cast<void>(writeOtf2(*hung, archive, {}));
        const TracePtr written = openTrace(archive, {}, {});
        const DivergenceReport mixed = findDivergence(*written, *sound, {});
        QVERIFY2(!mixed.departures.empty() && mixed.departures.front().rank == faulty, qPrintable(told(*written, *sound, mixed)));
    }
};

QTEST_GUILESS_MAIN(TestDivergingJobs)
#include "tst_divergingjobs.moc"
