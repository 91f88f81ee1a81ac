// SPDX-License-Identifier: GPL-3.0-or-later
#include "ingest/Format.h"
#include "tests/collect/mpi/RecordedJob.h"
#include "trace/Trace.h"

#include <QTest>
#include <algorithm>

using namespace laggard;

namespace {

QString nameIn(const Trace &trace, std::uint32_t number) {
    return number == none ? QString("-") : QString::fromStdString(trace.names[number]);
}

QString callOf(const Trace &trace, CallPathId path) {
    return path == none ? QString("-") : QString::fromStdString(trace.region(path).name);
}

const char *wordOf(EpochCall::Kind kind) {
    static constexpr const char *words[] = {"create", "free",    "fence",  "post",      "start", "complete", "wait",  "test",
                                            "lock",   "lockall", "unlock", "unlockall", "flush", "flushall", "access"};
    return words[static_cast<std::size_t>(kind)];
}

/// "lock exclusive 2 of window 1 of MPI_COMM_WORLD".
QString describe(const Trace &trace, const LocationEvents &events, const EpochCall &call) {
    QString text = wordOf(call.kind);
    if (call.exclusive)
        text += " exclusive";
    if (call.target != none)
        text += QString(" %1").arg(call.target);
    if (call.group != none)
        for (const Rank rank : events.groups[call.group])
            text += QString(" group %1").arg(rank);
    if (call.row == none)
        text += " before by " + callOf(trace, call.startedBy);
    return text + " of " + QString::fromStdString(trace.windows.at(call.window).name);
}

QStringList epochsOf(const Trace &trace, Rank rank) {
    const LocationEvents &events = *trace.mainEvents(rank);
    QStringList all;
    for (const EpochCall &call : events.epochs)
        all << describe(trace, events, call);
    return all;
}

TracePtr traceOf(const RecordedJob &job) { return openTrace(job.folder().toStdString(), OpenOptions{}, {}); }

/// True when all three ranks' files are there and the calls of rank 0 have gone far enough.
bool isThere(const RecordedJob &job, const QString &operation, Rank rank) {
    try {
        const TracePtr trace = traceOf(job);
        const LocationEvents *events = trace->processes.size() == 3 ? trace->mainEvents(rank) : nullptr;
        if (events == nullptr || events->track.empty())
            return false;
        for (std::uint32_t row = 0; row < events->track.size(); ++row)
            if (callOf(*trace, events->track.callPath[row]) == operation && events->track.isOpen(row))
                return true;
    } catch (const std::exception &) {
    }
    return false;
}

} // namespace

class TestCallFacts : public QObject {
    Q_OBJECT

  private slots:
    void epochs() {
        RecordedJob job;
        job.runUntil({RecordedJob::program("facts"), "lock"},
                     [&] { return isThere(job, "MPI_Win_unlock", 1) || isThere(job, "MPI_Win_lock", 1); });
        const TracePtr trace = traceOf(job);
        if (trace->processes[0].eventsFrom != 0) // rank 0 calls MPI without end while it holds its lock
            QSKIP("the ring has turned before the job was ended: the next test is of that");
        const QString world = " of window 1 of MPI_COMM_WORLD";
        const QString self = " of window 1 of MPI_COMM_SELF";
        QCOMPARE(epochsOf(*trace, 0), (QStringList{"create" + self, "create" + world, "fence" + world, "fence" + world,
                                                   "post group 1" + world, "wait" + world, "lock exclusive 2" + world}));
        const QStringList second = epochsOf(*trace, 1);
        QCOMPARE(second.mid(4, 3), (QStringList{"start group 0" + world, "access 0" + world, "complete" + world}));
        QCOMPARE(second.value(7), "lock 2" + world);
        QStringList kinds;
        for (const std::uint32_t kind : trace->mainEvents(2)->collectives.kind)
            if (const CollectiveKind &each = trace->mainEvents(2)->collectiveKinds[kind]; each.communicator == trace->world)
                kinds << nameIn(*trace, each.call);
        QCOMPARE(kinds.mid(0, 3), (QStringList{"Win_create", "Win_fence", "Win_fence"}));
    }

    void openEpochsOfARingThatHasTurned() {
        RecordedJob job;
        job.options = {"--buffer", "1"};
        job.runUntil({RecordedJob::program("facts"), "lock"}, [&] {
            try {
                const TracePtr trace = traceOf(job);
                return trace->processes.size() == 3 && trace->processes[0].eventsFrom != 0 &&
                       !epochsOf(*trace, 0).contains("lock exclusive 2 of window 1 of MPI_COMM_WORLD");
            } catch (const std::exception &) {
                return false;
            }
        });
        const TracePtr trace = traceOf(job);
        QCOMPARE(epochsOf(*trace, 0), (QStringList{"lock exclusive 2 before by MPI_Win_lock of window 1 of MPI_COMM_WORLD"}));
    }

    void collectives() {
        RecordedJob job;
        QCOMPARE(job.run({RecordedJob::program("facts"), "collectives"}).status, 0);
        QCOMPARE(job.warnings(), QStringList());
        const TracePtr trace = traceOf(job);
        for (const Rank rank : {0U, 1U}) {
            const LocationEvents &events = *trace->mainEvents(rank);
            QStringList found;
            for (const std::uint32_t number : events.collectives.kind) {
                const CollectiveKind &kind = events.collectiveKinds[number];
                found << QString("%1 %2 %3 %4%5")
                             .arg(QString::fromStdString(std::string(name(kind.operation))), nameIn(*trace, kind.call),
                                  nameIn(*trace, kind.reduction), nameIn(*trace, kind.basicType),
                                  kind.nonBlocking ? " non-blocking" : "");
            }
            QCOMPARE(found.mid(0, 9),
                     (QStringList{"Allreduce - MPI_SUM MPI_INT", "Bcast - - MPI_INT", "Gather - - MPI_INT",
                                  "Barrier - - - non-blocking", "create handle Comm_dup - -", "create handle Comm_split - -",
                                  "create handle File_open - -", "other File_write_at_all - -", "other File_close - -"}));
        }
    }

    /// What is awaited was posted by calls that are named, also persistent and partitioned ones.
    void whatAWaitCompletes() {
        RecordedJob job;
        job.runUntil({RecordedJob::program("facts"), "wait"}, [&] { return isThere(job, "MPI_Waitall", 0); });
        const TracePtr trace = traceOf(job);
        const LocationEvents &events = *trace->mainEvents(0);
        QVERIFY(events.openParts.has_value());
        const OpenParts &parts = *events.openParts;
        QVERIFY(!parts.receives.empty());
        QCOMPARE(callOf(*trace, parts.receives[0].startedBy), QString("MPI_Start"));
        QCOMPARE(callOf(*trace, parts.receives[0].madeBy), QString("MPI_Recv_init"));
        QCOMPARE(parts.receives[0].from, Rank{1});
        if (parts.receives.size() > 1) {
            QCOMPARE(callOf(*trace, parts.receives[1].madeBy), QString("MPI_Precv_init"));
            QCOMPARE(parts.receives[1].from, Rank{2});
        }
        QCOMPARE(callOf(*trace, parts.collectiveStartedBy), QString("MPI_Ireduce"));
        QCOMPARE(nameIn(*trace, parts.collective.reduction), QString("MPI_MAX"));
        QVERIFY(parts.collective.nonBlocking);
        const ReceivePostings &postings = events.postings;
        QCOMPARE(postings.size(), std::size_t{2});
        QCOMPARE(callOf(*trace, events.track.callPath[postings.row[0]]), QString("MPI_Irecv"));
        QVERIFY(postings.is(0, ReceivePostings::AnySource) && !postings.is(0, ReceivePostings::MatchedProbe));
        QCOMPARE(callOf(*trace, events.track.callPath[postings.row[1]]), QString("MPI_Mprobe"));
        QVERIFY(postings.is(1, ReceivePostings::AnySource) && postings.is(1, ReceivePostings::MatchedProbe));
        QCOMPARE(events.taken.size(), std::size_t{1});
        QCOMPARE(events.envelopes[events.taken[0].envelope].tag, 8U);
    }
};

QTEST_GUILESS_MAIN(TestCallFacts)
#include "tst_callfacts.moc"
