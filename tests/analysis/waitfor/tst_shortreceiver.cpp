// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/waitfor/ShortReceiver.h"

#include "ingest/Format.h"
#include "tests/support/RecordingWriter.h"

#include <QTemporaryDir>
#include <QTest>

using namespace laggard;
using laggard::test::RecordingWriter;
using Kind = WaitForVerdict::Kind;

namespace {

struct Case {
    std::int32_t ranks = 6;
    int rounds = 2;                 ///< in which rank 0 receives of all
    std::int32_t served = 3;        ///< so many of whom it receives after these
    bool isUneven = false;          ///< it had received of rank 1 once more
    bool isStillCollecting = false; ///< it stands in the same receive, for the first that was not served
    bool probes = false;            ///< it looks for each one's message first, and does so now for the first that was not served
    bool isCut = false;             ///< the beginning of its records was overwritten
    bool isMutual = false;          ///< it waits for rank 1, which waits for it: the senders have nothing to do with that
};

/// Rank 0 collects from all, and each time all pass something on, from rank to rank. In the end it leaves out the last ones.
WaitForVerdict verdictOf(const Case &what) {
    QTemporaryDir folder;
    for (std::int32_t rank = 0; rank < what.ranks; ++rank) {
        RecordingWriter writer(rank, what.ranks);
        writer.call(1, 2, "MPI_Init");
        std::uint64_t time = 1000;
        const auto collect = [&](std::int32_t from) {
            if (rank == from)
                writer.sendCall(time, time + 10, 0, 5);
            if (rank == 0 && what.probes)
                writer.call(time + 15, time + 18, "MPI_Probe");
            if (rank == 0)
                writer.receiveCall(time + 20, time + 30, static_cast<std::uint32_t>(from), 5);
            time += 100;
        };
        if (what.isUneven)
            collect(1);
        for (int round = 0; round < what.rounds; ++round) {
            for (std::int32_t from = 1; from < what.ranks; ++from)
                collect(from);
            writer.collectiveCall(time, time + 10, "MPI_Bcast");
            time += 100;
        }
        for (std::int32_t from = 1; from <= what.served; ++from)
            collect(from);
        if (rank > what.served)
            writer.begin(time, "MPI_Ssend").sendPart(0, 5, 0, recording::synchronousMode);
        else if (rank == 0 && what.isStillCollecting)
            writer.begin(time, "MPI_Recv").receivePart(static_cast<std::uint32_t>(what.served) + 1, 7);
        else if (rank == 0 && what.probes)
            writer.begin(time, "MPI_Probe").receivePart(static_cast<std::uint32_t>(what.served) + 1, 7, 0, recording::probeOnly);
        else if (what.isMutual && rank == 1)
            writer.begin(time, "MPI_Recv").receivePart(0, 11);
        else // each waits for the next one
            writer.begin(time, "MPI_Sendrecv").receivePart(static_cast<std::uint32_t>(rank) + 1, 9);
        writer.header.aliveTicks = time + 1'000'000;
        writer.write(folder.filePath(QString::number(rank) + ".laggard").toStdString());
    }
    const auto trace = std::const_pointer_cast<Trace>(openTrace(folder.path().toStdString(), {}, {}));
    trace->processes[0].eventsFrom = what.isCut ? 800 : 0;
    return buildWaitForGraph(*trace, openEnd, {}).verdict;
}

} // namespace

class TestShortReceiver : public QObject {
    Q_OBJECT
  private slots:
    void collects_data() {
        QTest::addColumn<Case>("what");
        QTest::addColumn<bool>("named");
        QTest::newRow("the last two are left out") << Case{} << true;
        QTest::newRow("the last one is") << Case{.served = 4} << true;
        QTest::newRow("one round is no habit") << Case{.rounds = 1} << false;
        QTest::newRow("only one was served") << Case{.served = 1} << false;
        QTest::newRow("others are not alike") << Case{.isUneven = true} << false;
        QTest::newRow("it still collects") << Case{.isStillCollecting = true} << false;
        QTest::newRow("it still looks for the next one's message") << Case{.probes = true} << false;
        QTest::newRow("it is in a circle without the senders") << Case{.isMutual = true} << false;
        QTest::newRow("what it received before is lost") << Case{.isCut = true} << false;
    }
    void collects() {
        QFETCH(Case, what);
        QFETCH(bool, named);
        const WaitForVerdict verdict = verdictOf(what);
        const bool isTold = verdict.kind == Kind::LeftOut && verdict.why.find("once less") != std::string::npos;
        QVERIFY2(isTold == named, verdict.why.c_str());
        if (!named)
            return;
        QCOMPARE(verdict.ranks, RankSet{0});
        QCOMPARE(verdict.leftOut->what, LeftOutAct::What::Receive);
        QCOMPARE(verdict.leftOut->creditor, static_cast<Rank>(what.served) + 1);
        QCOMPARE(verdict.leftOut->rounds, static_cast<std::uint32_t>(what.rounds));
    }
};

QTEST_APPLESS_MAIN(TestShortReceiver)
#include "tst_shortreceiver.moc"
