// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/messages/RepeatedMessages.h"
#include "ingest/recording/Recording.h"
#include "tests/collect/mpi/RecordedJob.h"

#include <QTest>

using namespace laggard;

class TestManyThreads : public QObject {
    Q_OBJECT
  private slots:
    /// The recorder keeps what the newest of the threads that have ended recorded. What is gone must be said, and must not look
    /// like messages that were lost.
    void thatEnd_data() {
        QTest::addColumn<QString>("rounds");
        QTest::addColumn<bool>("areLost");
        QTest::newRow("few") << "20" << false;
        QTest::newRow("more than are kept") << "100" << true;
    }
    void thatEnd() {
        QFETCH(QString, rounds);
        QFETCH(bool, areLost);
        if (!RecordedJob::exists("relay"))
            QSKIP("MPICH is not installed");
        RecordedJob job;
        QCOMPARE(job.run({RecordedJob::program("relay"), rounds}).status, 0);
        const TracePtr trace = recording::open(job.folder().toStdString(), {}, {});
        for (const Process &process : trace->processes)
            QVERIFY2((process.lostThreads != 0) == areLost, "threads whose events were overwritten must be counted");
        QCOMPARE(!trace->warnings.empty(), areLost);
        if (areLost)
            QVERIFY(QString::fromStdString(trace->warnings.front().message)
                        .contains("threads recorded that had ended was overwritten"));
        QCOMPARE(trace->unmatchedReceives, std::uint64_t{0});
        QCOMPARE(trace->unmatchedSends, std::uint64_t{0});
        QVERIFY2(findRepeatedMessages(*trace, {}).empty(), "no message came twice");
    }
};

QTEST_GUILESS_MAIN(TestManyThreads)
#include "tst_manythreads.moc"
