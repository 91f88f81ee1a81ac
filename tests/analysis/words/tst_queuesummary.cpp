// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/words/QueueSummary.h"
#include "analysis/words/VerdictWords.h"
#include "ingest/Format.h"
#include "tests/support/FlightJob.h"

#include <QTemporaryDir>
#include <QTest>

using namespace laggard;
using namespace laggard::test;

namespace {

using Fault = FlightJob::Fault;

struct Answer {
    Verdict verdict;
    RankSet named;
};

Answer answerOf(const std::string &path) {
    const TracePtr trace = openTrace(path, {}, {});
    const WaitForGraph waits = buildWaitForGraph(*trace, openEnd, {});
    return {judgeInWords(*trace, waits, buildProgressGraph(*trace, waits, {})), waits.verdict.ranks};
}

Answer answerOf(const FlightJob &job) {
    const QTemporaryDir folder;
    writeDumps(job, folder.path().toStdString());
    return answerOf(folder.path().toStdString());
}

} // namespace

class TestQueueSummary : public QObject {
    Q_OBJECT

  private slots:
    void saysWhatIsKnown_data() {
        QTest::addColumn<int>("fault");
        QTest::addColumn<QString>("state");
        QTest::addColumn<QString>("expected");
        const auto row = [](const char *name, Fault fault, const char *state, const char *expected) {
            QTest::newRow(name) << int(fault) << state << expected;
        };
        row("sound", Fault::None, "finished", "Nothing is left to be done");
        row("not enqueued", Fault::NotEnqueued, "hung",
            "Rank 5 has not enqueued nccl:_all_gather_base, called from layer (model.py:30)");
        row("stuck device", Fault::StuckDevice, "hung", "Rank 5 has not completed nccl:_all_gather_base");
        row("not started", Fault::NotStarted, "hung", "which its device has not begun, as others have");
        row("no dump", Fault::NoDump, "hung", "Rank 5 left no dump that can be read");
        row("mismatch", Fault::OtherOperation, "hung", "The ranks disagree about a collective");
    }

    void saysWhatIsKnown() {
        QFETCH(const int, fault);
        QFETCH(const QString, state);
        QFETCH(const QString, expected);
        FlightJob job{.tensor = 4, .fault = static_cast<Fault>(fault)};
        if (job.fault != Fault::None)
            job.faulty = {5};
        const Answer answer = answerOf(job);
        const QString summary = QString::fromStdString(answer.verdict.summary);
        QCOMPARE(QString::fromUtf8(name(answer.verdict.state).data()), state);
        QVERIFY2(summary.contains(expected), qPrintable(summary));
        QCOMPARE(answer.named, job.faulty);
        QVERIFY2(answer.verdict.confidence < 1 || job.fault == Fault::None, "nothing in a dump is certain");
    }

    /// The truth was injected, and lies beside the dumps (fault_injection.log).
    void namesBothInRealDumps_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("ranks");
        QTest::addColumn<QString>("words");
        QTest::newRow("GPU error") << "gpu_error_1st"
                                   << "12,14"
                                   << "not completed";
        QTest::newRow("global lock held") << "lock_gil_1st"
                                          << "9,14"
                                          << "not enqueued";
    }

    void namesBothInRealDumps() {
        QFETCH(const QString, name);
        QFETCH(const QString, ranks);
        QFETCH(const QString, words);
        const QString folder = QStringLiteral(LAGGARD_TRACES) + "/../flight-recorder/" + name;
        if (!QFileInfo::exists(folder))
            QSKIP(qPrintable("the real dumps are not there: " + folder));
        const Answer answer = answerOf(folder.toStdString());
        const QString summary = QString::fromStdString(answer.verdict.summary);
        QCOMPARE(QString::fromStdString(formatRanges(answer.named)), ranks);
        QCOMPARE(answer.verdict.state, Verdict::State::Hung);
        QVERIFY2(summary.contains(words), qPrintable(summary));
        QVERIFY(answer.verdict.confidence > 0.5 && answer.verdict.confidence < 0.95);
    }
};

QTEST_APPLESS_MAIN(TestQueueSummary)
#include "tst_queuesummary.moc"
