// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/messages/RepeatedMessages.h"
#include "ingest/recording/Recording.h"
#include "tests/collect/mpi/RecordedJob.h"

#include <QTest>

using namespace laggard;

namespace {

/// What a recording that is read while its job runs must not say. Every process is read at another time, and all go on.
QStringList wrongIn(const Trace &trace) {
    QStringList wrong;
    for (std::size_t rank = 0; rank < trace.processes.size(); ++rank)
        if (trace.processes[rank].end.kind != ProcessEnd::Kind::Running)
            wrong << QString("rank %1 is not said to run").arg(rank);
    if (trace.unmatchedReceives != 0)
        wrong << QString("%1 messages were received that nobody sent").arg(trace.unmatchedReceives);
    if (trace.unmatchedSends > 2 * trace.processes.size())
        wrong << QString("%1 messages are on their way, more than all ranks can have sent in a round").arg(trace.unmatchedSends);
    for (const RepeatedMessage &message : findRepeatedMessages(trace, {}))
        wrong << QString::fromStdString(message.why);
    for (const Location &location : trace.locations)
        if (location.lastEvent > trace.range.end)
            wrong << "an event is later than the moment of which the trace tells";
    return wrong;
}

} // namespace

class TestRunningJob : public QObject {
    Q_OBJECT
  private slots:
    void isReadAsOfOneMoment_data() {
        QTest::addColumn<QStringList>("options");
        QTest::newRow("all events") << QStringList{};
        QTest::newRow("events are written to the disk") << QStringList{"--spill"};
    }
    void isReadAsOfOneMoment() {
        QFETCH(QStringList, options);
        if (!RecordedJob::exists("endless"))
            QSKIP("MPICH is not installed");
        RecordedJob job;
        job.ranks = 4;
        job.options = options;
        int reads = 0;
        QStringList wrong;
        job.runUntil({RecordedJob::program("endless")}, [&] {
            if (recording::find(job.folder().toStdString()).empty())
                return false;
            const TracePtr trace = recording::open(job.folder().toStdString(), {}, {});
            if (trace->processes.size() != 4 || trace->messageCount < 100)
                return false;
            wrong += wrongIn(*trace);
            return ++reads == 8 || !wrong.isEmpty();
        });
        QVERIFY2(reads > 0, "nothing was read of the job while it ran");
        QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join("; ")));
    }
};

QTEST_GUILESS_MAIN(TestRunningJob)
#include "tst_runningjob.moc"
