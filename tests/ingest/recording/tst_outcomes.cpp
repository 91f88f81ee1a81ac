// SPDX-License-Identifier: GPL-3.0-or-later
#include "ingest/Format.h"
#include "tests/support/RecordingWriter.h"
#include "trace/recording/Format.h"

#include <QTemporaryDir>
#include <QTest>

using namespace laggard;
using namespace laggard::recording;
using laggard::test::RecordingWriter;

/// What a recording knows of how calls came to their outcomes: the recorder's time, what probes saw, and what else could have
/// ended a call.
class TestOutcomes : public QObject {
    Q_OBJECT

  private slots:
    void outcomes_data();
    void outcomes();
};

void TestOutcomes::outcomes_data() {
    QTest::addColumn<bool>("isPart");
    QTest::newRow("the whole recording") << false;
    QTest::newRow("the time from the second half on") << true;
}

void TestOutcomes::outcomes() {
    QFETCH(bool, isPart);
    const QTemporaryDir folder;
    RecordingWriter receiver(0, 3);
    receiver.call(1, 2, "MPI_Init");
    receiver.begin(10, "MPI_Probe").receivePart(anySource, 5, 0, probeOnly);
    receiver.event(RecordKind::CallEnd, 0, {20, pair(3, 4)}).received(1, 5);
    receiver.receiveCall(30, 40, 1, 5);
    receiver.begin(50, "MPI_Irecv").receivePart(1, 6, 71).end(51);
    receiver.begin(52, "MPI_Irecv").receivePart(2, 6, 72).end(53);
    receiver.begin(60, "MPI_Waitany").awaited({71, 72}).end(70).received(2, 6, 72);
    receiver.begin(80, "MPI_Wait").awaited({71}).end(90).received(1, 6, 71);
    receiver.call(92, 95, "MPI_Finalize").exited(100);
    for (const std::int32_t rank : {1, 2}) {
        RecordingWriter sender(rank, 3);
        sender.call(1, 2, "MPI_Init");
        if (rank == 1)
            sender.sendCall(12, 14, 0, 5);
        sender.sendCall(45, 48, 0, 6).call(92, 95, "MPI_Finalize").exited(100);
        sender.write(folder.filePath(QString::number(rank) + ".laggard").toStdString());
    }
    receiver.write(folder.filePath("0.laggard").toStdString());
    OpenOptions options;
    if (isPart)
        options.time = SecondsRange{49e-9, 100e-9};
    const TracePtr trace = openTrace(folder.path().toStdString(), options, {});
    const LocationEvents &events = *trace->mainEvents(0);
    const auto rowOf = [&](Tick start) {
        const auto *found = std::find(events.track.start.begin(), events.track.start.end(), start);
        return found == events.track.start.end() ? none : static_cast<std::uint32_t>(found - events.track.start.begin());
    };
    if (!isPart) {
        QCOMPARE(events.probed.size(), std::size_t{1});
        QCOMPARE(events.probed[0].row, rowOf(10));
        QVERIFY(events.probed[0].anySource && !events.probed[0].anyTag);
        QCOMPARE(events.envelopes[events.probed[0].envelope].peer, Rank{1});
        const std::size_t cost = events.costs.find(rowOf(10));
        QVERIFY2(cost != none, "the recorder's time of the probe is known");
        QCOMPARE(events.costs.entry[cost], 3U);
        QCOMPARE(events.costs.exit[cost], 4U);
    }
    QCOMPARE(events.choices.size(), std::size_t{1});
    QCOMPARE(events.choices[0].row, rowOf(60));
    QCOMPARE(events.choices[0].receives.size(), std::size_t{2});
    QCOMPARE(events.receives.time[events.choices[0].receives[0]], Tick{70});
    QCOMPARE(events.receives.time[events.choices[0].receives[1]], Tick{90});
    QVERIFY2(events.costs.find(rowOf(60)) != none, "the recorder's time of MPI_Waitany is known");
    for (const std::uint32_t row : events.costs.row)
        QVERIFY2(row < events.track.size(), "times are of calls that were read");
}

QTEST_GUILESS_MAIN(TestOutcomes)
#include "tst_outcomes.moc"
