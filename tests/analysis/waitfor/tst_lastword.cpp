// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/waitfor/LastWord.h"

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
    std::int32_t left = 3;        ///< who does not get the order to stop; 0: everybody gets it
    bool isTwice = false;         ///< some got the order before
    bool isOfAnotherKind = false; ///< the one that waits never got tasks as the others did
    bool isStillTelling = false;  ///< rank 0 stands in the call that sends the orders
    bool awaitsAnswer = false;    ///< rank 0 waits for a message of the one that waits
    bool isCut = false;           ///< the beginning of the records of rank 0 was overwritten
};

constexpr int task = 1, stop = 2;

/// Rank 0 hands out tasks in two rounds, then an order to stop, and comes to a barrier; who has no order waits for it. Ranks may
/// be turned by `by` places.
WaitForVerdict verdictOf(const Case &what, std::int32_t by = 0) {
    QTemporaryDir folder;
    const auto turned = [&](std::int32_t rank) { return static_cast<std::uint32_t>((rank + by) % what.ranks); };
    for (std::int32_t rank = 0; rank < what.ranks; ++rank) {
        RecordingWriter writer(static_cast<std::int32_t>(turned(rank)), what.ranks);
        writer.call(1, 2, "MPI_Init");
        const std::uint32_t hand = writer.address(0x10);
        const std::uint32_t end = writer.address(0x20);
        const std::uint32_t other = writer.address(0x30);
        std::uint64_t time = 1000;
        const auto tell = [&](std::int32_t to, int tag, std::uint32_t from) {
            if (rank == 0)
                writer.enter(time - 5, from).sendCall(time, time + 10, turned(to), tag).leave(time + 15, from);
            if (rank == to)
                writer.receiveCall(time - 50, time + 20, turned(0), tag);
            time += 100;
        };
        for (int round = 0; round < 2; ++round)
            for (std::int32_t to = 1; to < what.ranks; ++to)
                tell(to, task, what.isOfAnotherKind && to == what.left ? other : hand);
        for (std::int32_t to = 1; to < what.ranks; ++to) {
            if (to != what.left)
                tell(to, stop, end);
            if (what.isTwice && to == 1)
                tell(to, stop, end);
        }
        if (rank == what.left && rank != 0)
            writer.begin(time, "MPI_Recv").receivePart(turned(0), stop);
        else if (rank == 0 && what.isStillTelling)
            writer.enter(time - 5, end).begin(time, "MPI_Ssend").sendPart(turned(1), stop, 0, recording::synchronousMode);
        else if (rank == 0 && what.awaitsAnswer)
            writer.begin(time, "MPI_Recv").receivePart(turned(what.left), 7);
        else
            writer.begin(time, "MPI_Barrier").collectivePart();
        writer.header.aliveTicks = time + 1'000'000;
        writer.write(folder.filePath(QString::number(rank) + ".laggard").toStdString());
    }
    const auto trace = std::const_pointer_cast<Trace>(openTrace(folder.path().toStdString(), {}, {}));
    trace->processes[turned(0)].eventsFrom = what.isCut ? 800 : 0;
    return buildWaitForGraph(*trace, openEnd, {}).verdict;
}

bool isLeftOut(const WaitForVerdict &verdict, Rank rank) {
    return verdict.kind == Kind::LeftOut && verdict.leftOut && verdict.leftOut->rounds == 0 && verdict.ranks == RankSet{rank};
}

} // namespace

class TestLastWord : public QObject {
    Q_OBJECT
  private slots:
    void stops_data() {
        QTest::addColumn<Case>("what");
        QTest::addColumn<bool>("named");
        QTest::newRow("one has no order") << Case{} << true;
        QTest::newRow("the first has none") << Case{.left = 1} << true;
        QTest::newRow("of three workers") << Case{.ranks = 4} << true;
        QTest::newRow("only one got it") << Case{.ranks = 3, .left = 2} << false;
        QTest::newRow("one got it twice: it is no last word") << Case{.isTwice = true} << false;
        QTest::newRow("it was none of the others") << Case{.isOfAnotherKind = true} << false;
        QTest::newRow("it still tells them") << Case{.isStillTelling = true} << false;
        QTest::newRow("it waits for an answer first") << Case{.awaitsAnswer = true} << false;
        QTest::newRow("what it sent before is lost") << Case{.isCut = true} << false;
    }
    void stops() {
        QFETCH(Case, what);
        QFETCH(bool, named);
        for (const std::int32_t by : {0, 2}) { // however the ranks are numbered
            const WaitForVerdict verdict = verdictOf(what, by);
            QVERIFY2(isLeftOut(verdict, static_cast<Rank>(by % what.ranks)) == named, verdict.why.c_str());
            if (named)
                QCOMPARE(verdict.leftOut->creditor, static_cast<Rank>((what.left + by) % what.ranks));
        }
    }
};

QTEST_APPLESS_MAIN(TestLastWord)
#include "tst_lastword.moc"
