// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/waitfor/WaitForGraph.h"
#include "ingest/Format.h"
#include "tests/support/RecordingWriter.h"
#include "tests/support/TraceBuilder.h"

#include <QTemporaryDir>
#include <QTest>

using namespace laggard;
using namespace laggard::recording;
using laggard::test::RecordingWriter;
using laggard::test::TraceBuilder;
using Kind = WaitForVerdict::Kind;

namespace {

/// Rank 0 waits in a barrier; rank 1 makes these calls, from 1000 on, and is ended between two of them.
WaitForVerdict verdictOf(const QStringList &calls, int rounds, std::uint64_t between = 5, std::uint64_t after = 0) {
    QTemporaryDir folder;
    for (std::int32_t rank = 0; rank < 2; ++rank) {
        RecordingWriter writer(rank, 2);
        writer.call(1, 2, "MPI_Init").collectiveCall(100, 110, "MPI_Barrier");
        std::uint64_t time = 1000;
        for (int round = 0; rank == 1 && round < rounds; ++round)
            for (const QString &call : calls) {
                const std::string name = call.toStdString();
                if (name == "MPI_Send")
                    writer.sendCall(time, time + 5, 0, 3);
                else if (name == "to itself")
                    writer.sendCall(time, time + 1, 1, 4).receiveCall(time + 2, time + 5, 1, 4);
                else
                    writer.call(time, time + 5, name);
                time += 5 + between;
            }
        if (rank == 0)
            writer.begin(200, "MPI_Barrier").collectivePart(0);
        if (rank == 1 && after != 0)
            writer.call(time, time + 1, "work").header.aliveTicks = time + after;
        writer.write(folder.filePath(QString::number(rank) + ".laggard").toStdString());
    }
    const TracePtr trace = openTrace(folder.path().toStdString(), {}, {});
    return buildWaitForGraph(*trace, openEnd, {}).verdict;
}

} // namespace

class TestIdleLoop : public QObject {
    Q_OBJECT
  private slots:
    /// Ranks that take turns by a counter, asking for it with a pause between, until one of them forgets to count on: nobody has
    /// exchanged a message all the time.
    void allAskForACounter_data() {
        QTest::addColumn<int>("asked"); // in the end; in the rounds before 3 times
        QTest::addColumn<bool>("told");
        QTest::newRow("hundred times as often") << 300 << true;
        QTest::newRow("not yet much more often") << 20 << false;
    }

    void allAskForACounter() {
        QFETCH(int, asked);
        QFETCH(bool, told);
        constexpr std::uint64_t pause = 300'000;
        QTemporaryDir folder;
        for (std::int32_t rank = 0; rank < 3; ++rank) {
            RecordingWriter writer(rank, 3);
            writer.enter(1, writer.address(0x10)).call(1, 2, "MPI_Init").collectiveCall(100, 110, "MPI_Barrier");
            std::uint64_t time = 1000;
            const auto call = [&](const char *name) {
                writer.call(time, time + 5, name);
                time += pause;
            };
            for (int round = 0; round < 12; ++round) {
                call("MPI_Fetch_and_op");
                for (int i = 0; i < 3; ++i)
                    call("MPI_Get_accumulate");
                call("MPI_Accumulate");
            }
            call("MPI_Fetch_and_op");
            for (int i = 0; i < asked; ++i)
                call("MPI_Get_accumulate");
            writer.write(folder.filePath(QString::number(rank) + ".laggard").toStdString());
        }
        const WaitForVerdict verdict = buildWaitForGraph(*openTrace(folder.path().toStdString(), {}, {}), openEnd, {}).verdict;
        QVERIFY2(verdict.loops.size() == (told ? 3U : 0U), verdict.why.c_str());
        if (!told)
            return;
        QVERIFY2(verdict.kind == Kind::Computing && verdict.confidence < 0.5, verdict.why.c_str());
        QCOMPARE(verdict.ranks, (RankSet{0, 1, 2}));
        QVERIFY2(verdict.loops.front().turns >= 300 && verdict.loops.front().turns < 400,
                 qPrintable(QString::number(verdict.loops.front().turns)));
    }

    /// Ranks meet at a counter in another's memory: each counts on, and asks for it until all have. In the last round one does
    /// not count on, and nobody gets away.
    void oneDoesNotCountOn_data() {
        QTest::addColumn<int>("rounds");
        QTest::addColumn<Rank>("odd"); // none: all have
        QTest::newRow("one") << 12 << Rank{1};
        QTest::newRow("none") << 12 << Rank{none};
        QTest::newRow("too few rounds") << 3 << Rank{1};
    }

    void oneDoesNotCountOn() {
        QFETCH(int, rounds);
        QFETCH(Rank, odd);
        constexpr std::uint64_t pause = 300'000;
        QTemporaryDir folder;
        for (std::int32_t rank = 0; rank < 4; ++rank) {
            RecordingWriter writer(rank, 4);
            writer.enter(1, writer.address(0x10)).call(1, 2, "MPI_Init").collectiveCall(100, 110, "MPI_Barrier");
            std::uint64_t time = 1000;
            const auto call = [&](const char *name) {
                writer.call(time, time + 5, name);
                time += pause;
            };
            for (int round = 0; round < rounds; ++round) {
                const bool isLast = round + 1 == rounds;
                if (!isLast || rank != static_cast<std::int32_t>(odd))
                    call("MPI_Accumulate");
                else
                    time += pause;
                for (int i = 0; i < (isLast ? 300 : 3); ++i)
                    call("MPI_Get_accumulate");
                if (!isLast)
                    call("MPI_Win_sync");
            }
            writer.header.aliveTicks = time;
            writer.write(folder.filePath(QString::number(rank) + ".laggard").toStdString());
        }
        const WaitForVerdict verdict = buildWaitForGraph(*openTrace(folder.path().toStdString(), {}, {}), openEnd, {}).verdict;
        const bool isTold = rounds == 12 && odd != none;
        QVERIFY2((verdict.kind == Kind::LeftOut) == isTold, verdict.why.c_str());
        if (!isTold)
            return;
        QCOMPARE(verdict.ranks, RankSet{odd});
        QCOMPARE(verdict.loops.size(), std::size_t{4});
        QCOMPARE(verdict.leftOut->rounds, std::uint32_t{11});
    }

    /// Rank 1 takes its turn by a counter in another's memory, asking for it with a pause between, until nobody counts on; the
    /// others wait in a barrier.
    void asksForACounter_data() {
        QTest::addColumn<int>("rounds"); // before
        QTest::addColumn<int>("asked");  // in the end; in the rounds before 3 times
        QTest::addColumn<bool>("told");
        QTest::newRow("hundred times as often") << 12 << 300 << true;
        QTest::newRow("not yet much more often") << 12 << 20 << false;
        QTest::newRow("never before") << 0 << 300 << false;
    }

    void asksForACounter() {
        QFETCH(int, rounds);
        QFETCH(int, asked);
        QFETCH(bool, told);
        constexpr std::uint64_t pause = 300'000;
        QTemporaryDir folder;
        std::uint64_t time = 1000;
        for (const std::int32_t rank : {1, 0, 2}) {
            RecordingWriter writer(rank, 3);
            writer.enter(1, writer.address(0x10)).call(1, 2, "MPI_Init").collectiveCall(100, 110, "MPI_Barrier");
            const auto call = [&](const char *name) {
                writer.call(time, time + 5, name);
                time += pause;
            };
            for (int round = 0; rank == 1 && round < rounds; ++round) {
                call("MPI_Fetch_and_op");
                for (int i = 0; i < 3; ++i)
                    call("MPI_Get_accumulate");
                call("MPI_Accumulate");
            }
            if (rank == 1)
                call("MPI_Fetch_and_op");
            for (int i = 0; rank == 1 && i < asked; ++i)
                call("MPI_Get_accumulate");
            if (rank != 1)
                writer.begin(2000, "MPI_Barrier").collectivePart(0);
            writer.header.aliveTicks = time;
            writer.write(folder.filePath(QString::number(rank) + ".laggard").toStdString());
        }
        const WaitForVerdict verdict = buildWaitForGraph(*openTrace(folder.path().toStdString(), {}, {}), openEnd, {}).verdict;
        QVERIFY2((verdict.loops.size() == 1) == told, verdict.why.c_str());
        if (!told)
            return;
        QCOMPARE(verdict.ranks, (RankSet{1}));
        QVERIFY2(verdict.confidence < 0.5 && verdict.waiting == 2, verdict.why.c_str());
        QVERIFY(!verdict.loops.front().isExchange);
        QCOMPARE(verdict.loops.front().mostBefore, std::uint64_t{3});
        QCOMPARE(verdict.loops.front().turns, std::uint64_t{300});
    }

    /// Many ranks whose iteration never ends: all are told, with their turns. How long that takes is no matter of a test.
    void manyIterateWithoutEnd() {
        constexpr Rank ranks = 800;
        constexpr std::uint64_t turns = 1500;
        constexpr Tick step = 1000;
        TraceBuilder builder(ranks);
        Tick end = 0;
        for (Rank rank = 0; rank < ranks; ++rank) {
            builder.enter(rank, 1, "main");
            Tick time = step;
            const auto all = [&](CollectiveOperation operation) {
                builder.collectiveCall(rank, time, time + 10, operation);
                time += step;
            };
            for (int round = 0; round < 4; ++round) {
                all(CollectiveOperation::Allreduce);
                all(CollectiveOperation::Barrier);
            }
            for (std::uint64_t i = 0; i < turns; ++i)
                all(CollectiveOperation::Allreduce);
            end = time;
        }
        const auto trace = std::const_pointer_cast<Trace>(builder.finish(end));
        trace->tellsOpenCalls = true;
        trace->format = "recording";
        const WaitForVerdict verdict = buildWaitForGraph(*trace, openEnd, {}).verdict;
        QVERIFY2(verdict.loops.size() == ranks && verdict.loops.front().isExchange, verdict.why.c_str());
        QCOMPARE(verdict.loops.front().turns, turns);
    }

    /// Ranks 1 and 2 ask each other twice in each round, until they never agree; rank 0 waits in a barrier.
    void answerEachOther_data() {
        QTest::addColumn<int>("rounds"); // before
        QTest::addColumn<int>("asked");  // in the last one
        QTest::addColumn<Rank>("other"); // whom rank 2 asks in the end
        QTest::addColumn<bool>("told");
        QTest::newRow("hundred times as often") << 5 << 200 << Rank{1} << true;
        QTest::newRow("not ten times as often") << 5 << 15 << Rank{1} << false;
        QTest::newRow("never before") << 0 << 200 << Rank{1} << false;
        QTest::newRow("with one who has left them") << 5 << 200 << Rank{0} << false;
    }

    void answerEachOther() {
        QFETCH(int, rounds);
        QFETCH(int, asked);
        QFETCH(Rank, other);
        QFETCH(bool, told);
        QTemporaryDir folder;
        for (std::int32_t rank = 0; rank < 3; ++rank) {
            RecordingWriter writer(rank, 3);
            writer.call(1, 2, "MPI_Init");
            std::uint64_t time = 1000;
            const auto ask = [&](int times, Rank second) {
                for (int i = 0; i < times && rank != 0; ++i, time += 1000)
                    writer.sendCall(time, time + 5, rank == 1 ? 2 : second, 4)
                        .receiveCall(time + 10, time + 20, rank == 1 ? 2 : 1, 4);
            };
            for (int round = 0; round < rounds; ++round, time = 1000 + 10'000 * static_cast<std::uint64_t>(round)) {
                ask(2, 1);
                writer.collectiveCall(time + 5000, time + 5010, "MPI_Barrier");
            }
            time = 1000 + 10'000 * static_cast<std::uint64_t>(rounds);
            if (rank == 0)
                writer.begin(time, "MPI_Barrier").collectivePart(0);
            ask(asked, other);
            writer.header.aliveTicks =
                1000 + 10'000 * static_cast<std::uint64_t>(rounds) + 1000 * static_cast<std::uint64_t>(asked);
            writer.write(folder.filePath(QString::number(rank) + ".laggard").toStdString());
        }
        const WaitForVerdict verdict = buildWaitForGraph(*openTrace(folder.path().toStdString(), {}, {}), openEnd, {}).verdict;
        const bool isTold = !verdict.loops.empty() && verdict.loops.front().isExchange;
        QVERIFY2(isTold == told, verdict.why.c_str());
        if (!told)
            return;
        QCOMPARE(verdict.ranks, (RankSet{1, 2}));
        QVERIFY2(verdict.confidence < 0.5 && verdict.waiting == 1, verdict.why.c_str());
        QCOMPARE(verdict.loops.front().mostBefore, std::uint64_t{2});
        QCOMPARE(verdict.loops.front().rowsBefore, std::uint32_t{5});
        QCOMPARE(verdict.loops.front().turns, std::uint64_t{200});
    }

    void loops_data() {
        QTest::addColumn<QStringList>("calls");
        QTest::addColumn<int>("rounds");
        QTest::addColumn<qulonglong>("turns"); // 0: no loop
        QTest::newRow("waits for nothing") << QStringList{"MPI_Waitall"} << 20 << 20ULL;
        QTest::newRow("synchronises a window") << QStringList{"MPI_Win_sync"} << 20 << 20ULL;
        QTest::newRow("asks and flushes") << QStringList{"MPI_Fetch_and_op", "MPI_Win_flush"} << 20 << 20ULL;
        QTest::newRow("too few to be a loop") << QStringList{"MPI_Waitall"} << 5 << 0ULL;
        QTest::newRow("work on a file") << QStringList{"MPI_File_write"} << 20 << 0ULL;
        QTest::newRow("the latest call is a step") << QStringList{"MPI_Win_sync", "MPI_File_write"} << 20 << 0ULL;
        QTest::newRow("updates of another's memory")
            << QStringList{"MPI_Win_lock", "MPI_Accumulate", "MPI_Win_unlock"} << 20 << 0ULL;
        QTest::newRow("updates and questions")
            << QStringList{"MPI_Win_lock", "MPI_Put", "MPI_Get", "MPI_Win_unlock"} << 20 << 20ULL;
        QTest::newRow("messages") << QStringList{"MPI_Send"} << 20 << 0ULL;
        QTest::newRow("messages to itself") << QStringList{"to itself", "MPI_Wait"} << 20 << 20ULL;
    }
    void loops() {
        QFETCH(QStringList, calls);
        QFETCH(int, rounds);
        QFETCH(qulonglong, turns);
        const WaitForVerdict verdict = verdictOf(calls, rounds);
        QCOMPARE(verdict.ranks, RankSet{1});
        QCOMPARE(verdict.kind, Kind::Computing);
        QCOMPARE(verdict.loops.size(), std::size_t{turns == 0 ? 0U : 1U});
        if (turns == 0)
            return;
        QCOMPARE(qulonglong{verdict.loops.front().turns}, turns);
        QVERIFY2(verdict.since < 1000, "nothing has changed since the barrier");
        QVERIFY2(verdict.confidence < 1, "it may be work");
    }

    /// Work with such calls in it that was as long before is no loop without end.
    void usualLength_data() {
        QTest::addColumn<int>("before");
        QTest::addColumn<bool>("isLoop");
        QTest::newRow("as many before") << 20 << false;
        QTest::newRow("half as many") << 10 << false;
        QTest::newRow("less than half") << 9 << true;
    }
    void usualLength() {
        QFETCH(int, before);
        QFETCH(bool, isLoop);
        const QStringList work = QString("MPI_Win_sync ").repeated(before).split(' ', Qt::SkipEmptyParts) << "MPI_Send";
        const QStringList calls = work + QString("MPI_Win_sync ").repeated(20).split(' ', Qt::SkipEmptyParts);
        QCOMPARE(verdictOf(calls, 1).loops.empty(), !isLoop);
    }

    /// Turns are long as well where ranks share a processor: then only their time tells (Overdue).
    void longTurns_data() {
        QTest::addColumn<int>("before"); // between two exchanges
        QTest::addColumn<bool>("isLoop");
        QTest::newRow("none before") << 0 << false;
        QTest::newRow("some") << 9 << true;
        QTest::newRow("as many, which may have been shorter ones") << 20 << true;
    }
    void longTurns() {
        QFETCH(int, before);
        QFETCH(bool, isLoop);
        const QStringList work = QString("MPI_Win_sync ").repeated(before).split(' ', Qt::SkipEmptyParts) << "MPI_Send";
        const QStringList calls = work + QString("MPI_Win_sync ").repeated(20).split(' ', Qt::SkipEmptyParts);
        const WaitForVerdict verdict = verdictOf(calls, 1, 8'000'000);
        QCOMPARE(verdict.loops.empty(), !isLoop);
        QVERIFY2(!isLoop || verdict.confidence < 0.5, "it may work");
    }

    /// A flag in a window, or a request, may be what another rank owes it.
    void questionsToOthersBlameNobody_data() {
        QTest::addColumn<QStringList>("calls");
        QTest::newRow("accesses") << QStringList{"MPI_Fetch_and_op", "MPI_Win_flush"};
        QTest::newRow("a flag in its own window") << QStringList{"MPI_Win_lock", "MPI_Win_unlock"};
        QTest::newRow("a request") << QStringList{"MPI_Request_get_status"};
    }
    void questionsToOthersBlameNobody() {
        QFETCH(QStringList, calls);
        const WaitForVerdict verdict = verdictOf(calls, 20);
        QVERIFY(!verdict.loops.empty());
        QVERIFY2(verdict.confidence < 0.5, "it may wait for another");
    }

    /// Work with a call in it now and then, and a loop that is over, are none that spin.
    void worksOrIsOver_data() {
        QTest::addColumn<qulonglong>("between"); // ns
        QTest::addColumn<qulonglong>("after");   // ns, outside MPI
        QTest::addColumn<bool>("isLoop");
        QTest::newRow("spins") << 1000ULL << 0ULL << true;
        QTest::newRow("works in between") << 8'000'000ULL << 0ULL << false;
        QTest::newRow("is over") << 1000ULL << 1'000'000'000ULL << false;
    }
    void worksOrIsOver() {
        QFETCH(qulonglong, between);
        QFETCH(qulonglong, after);
        QFETCH(bool, isLoop);
        QCOMPARE(verdictOf({"MPI_Waitall"}, 40, between, after).loops.empty(), !isLoop);
    }
};

QTEST_APPLESS_MAIN(TestIdleLoop)
#include "tst_idleloop.moc"
