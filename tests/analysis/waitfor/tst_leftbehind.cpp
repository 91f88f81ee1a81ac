// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/waitfor/LeftBehind.h"

#include "ingest/Format.h"
#include "tests/support/RecordingWriter.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

using namespace laggard;
using laggard::test::RecordingWriter;
using Kind = WaitForVerdict::Kind;

namespace {

struct Case {
    int rounds = 5;      ///< of ranks 0 to 2, each of which sends to the next one, while rank 3 waits
    bool knows = false;  ///< rank 1 has sent rank 3 something, before that
    bool isTaken = true; ///< what rank 1 sends in the rounds is received
    bool isLate = false; ///< rank 3 begins to wait when the rounds are over
    bool isCut = false;  ///< the beginning of rank 1's records was overwritten
    bool others = false; ///< rank 0 waits for one that waits as well: it has nothing to do with rank 3
};

/// Rank 3 waits for rank 1, and after the rounds rank 0 for rank 3, rank 2 for rank 0 and rank 1 for rank 2.
WaitForVerdict verdictOf(const Case &what) {
    QTemporaryDir folder;
    const std::uint64_t end = 1000 + 1000 * static_cast<std::uint64_t>(what.rounds);
    for (std::int32_t rank = 0; rank < 4; ++rank) {
        RecordingWriter writer(rank, 4);
        writer.call(1, 2, "MPI_Init");
        if (what.knows && rank == 1)
            writer.sendCall(100, 110, 3, 5);
        if (what.knows && rank == 3)
            writer.receiveCall(100, 120, 1, 5);
        for (std::uint64_t time = 1000; rank != 3 && time < end; time += 1000) {
            const auto next = static_cast<std::uint32_t>((rank + 1) % 3);
            const auto previous = static_cast<std::uint32_t>((rank + 2) % 3);
            writer.sendCall(time, time + 10, next, rank == 1 && !what.isTaken ? 77 : 5);
            if (rank != 2 || what.isTaken)
                writer.receiveCall(time + 100, time + 200, previous, 5);
        }
        const std::uint32_t from = rank == 3 ? 1 : rank == 0 ? (what.others ? 2 : 3) : rank == 2 ? 0 : 2;
        const std::uint64_t since = rank == 3 && !what.isLate ? 500 : end + 10;
        writer.begin(since, "MPI_Recv").receivePart(from, 9);
        writer.header.aliveTicks = end + 1'000'000;
        writer.write(folder.filePath(QString::number(rank) + ".laggard").toStdString());
    }
    const auto trace = std::const_pointer_cast<Trace>(openTrace(folder.path().toStdString(), {}, {}));
    trace->processes[1].eventsFrom = what.isCut ? 800 : 0;
    return buildWaitForGraph(*trace, openEnd, {}).verdict;
}

/// Rank 0 gives tasks to ranks 1 and 2, waits for a result of any rank, and gives its sender the next task. Rank 2 leaves one
/// result out. There was never a task for rank 3.
WaitForVerdict poolWithAnIdleWorker() {
    QTemporaryDir folder;
    constexpr std::uint64_t end = 10000;
    for (std::int32_t rank = 0; rank < 4; ++rank) {
        RecordingWriter writer(rank, 4);
        writer.call(1, 2, "MPI_Init");
        std::uint64_t time = 1000;
        for (int round = 0; round < 8; ++round)
            for (std::int32_t worker = 1; worker < 3; ++worker, time += 200) {
                if (worker == 1 && round >= 5) // its tasks take longer
                    continue;
                const bool isLost = round == 7 && worker == 2;
                const auto peer = static_cast<std::uint32_t>(rank == 0 ? worker : 0);
                if (rank == 0)
                    writer.sendCall(time, time + 10, peer, 4);
                if (rank == worker)
                    writer.receiveCall(time + 20, time + 30, peer, 4);
                if (rank == worker && !isLost)
                    writer.sendCall(time + 100, time + 110, peer, 5);
                if (rank == 0 && !isLost)
                    writer.receiveCall(time + 120, time + 130, peer, 5);
            }
        writer.begin(rank == 3 ? 500 : end, "MPI_Recv").receivePart(rank == 0 ? recording::anySource : 0, rank == 0 ? 5 : 4);
        writer.header.aliveTicks = end + 1'000'000;
        writer.write(folder.filePath(QString::number(rank) + ".laggard").toStdString());
    }
    return buildWaitForGraph(*openTrace(folder.path().toStdString(), {}, {}), openEnd, {}).verdict;
}

} // namespace

class TestLeftBehind : public QObject {
    Q_OBJECT
  private slots:
    void circles_data() {
        QTest::addColumn<Case>("what");
        QTest::addColumn<bool>("named");
        QTest::newRow("since five rounds") << Case{} << true;
        QTest::newRow("since two rounds") << Case{.rounds = 2} << false;
        QTest::newRow("it got a message before") << Case{.knows = true} << false;
        QTest::newRow("nobody takes what is sent in the rounds") << Case{.isTaken = false} << false;
        QTest::newRow("it came when they were over") << Case{.isLate = true} << false;
        QTest::newRow("what was sent before is lost") << Case{.isCut = true} << false;
        QTest::newRow("it is not in the circle") << Case{.others = true} << false;
    }

    void circles() {
        QFETCH(Case, what);
        QFETCH(bool, named);
        const WaitForVerdict verdict = verdictOf(what);
        QVERIFY2((verdict.kind == Kind::NoSender) == named, verdict.why.c_str());
        if (!named)
            return;
        QCOMPARE(verdict.ranks, RankSet{3});
        QVERIFY2(verdict.why.find("has never sent rank 3 anything, and has gone through 5 rounds") != std::string::npos,
                 verdict.why.c_str());
    }

    void whoIsIdleHoldsNobodyUp() {
        const WaitForVerdict verdict = poolWithAnIdleWorker();
        QVERIFY2(std::ranges::find(verdict.ranks, Rank{3}) == verdict.ranks.end() || verdict.confidence < 0.5,
                 verdict.why.c_str());
    }
};

QTEST_APPLESS_MAIN(TestLeftBehind)
#include "tst_leftbehind.moc"
