// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/waitfor/WaitForGraph.h"
#include "ingest/Format.h"
#include "tests/support/RecordingWriter.h"

#include <QTemporaryDir>
#include <QTest>

#include <functional>

using namespace laggard;
using namespace laggard::recording;
using laggard::test::RecordingWriter;
using Kind = WaitForVerdict::Kind;

namespace {

using Rounds = std::function<void(RecordingWriter &writer, std::int32_t rank, std::uint64_t &time)>;

WaitForVerdict verdictOf(std::int32_t ranks, const Rounds &rounds) {
    QTemporaryDir folder;
    for (std::int32_t rank = 0; rank < ranks; ++rank) {
        RecordingWriter writer(rank, ranks);
        writer.enter(1, writer.address(0x10)).call(2, 3, "MPI_Init");
        std::uint64_t time = 10;
        rounds(writer, rank, time);
        writer.write(folder.filePath(QString::number(rank) + ".laggard").toStdString());
    }
    const TracePtr trace = openTrace(folder.path().toStdString(), {}, {});
    return buildWaitForGraph(*trace, openEnd, {}).verdict;
}

/// Ranks 0 and 1 exchange messages, rank 0 gives first; the others are in a barrier.
void exchange(RecordingWriter &writer, std::int32_t rank, std::uint64_t &time, int times, std::uint32_t tag) {
    for (int i = 0; i < times; ++i, time += 100) {
        if (rank == 0)
            writer.sendCall(time, time + 2, 1, tag).receiveCall(time + 10, time + 40, 1, tag);
        else if (rank == 1)
            writer.receiveCall(time, time + 5, 0, tag).sendCall(time + 20, time + 30, 0, tag);
    }
}

QString text(const WaitForVerdict &verdict) { return QString::fromStdString(verdict.why); }

} // namespace

class TestOddTurn : public QObject {
    Q_OBJECT
  private slots:
    /// Both receive, and it is rank 0 that gave first until now: in whatever function, so that only the messages tell.
    void whoGaveFirstReceivesFirst() {
        const WaitForVerdict verdict = verdictOf(3, [](RecordingWriter &writer, std::int32_t rank, std::uint64_t &time) {
            exchange(writer, rank, time, 6, 7);
            if (rank == 2)
                writer.begin(time, "MPI_Barrier").collectivePart(0);
            else
                writer.enter(time, writer.address(0x20)).begin(time + 1, "MPI_Recv").receivePart(rank == 0 ? 1 : 0, 7);
        });
        QVERIFY2(verdict.kind == Kind::MissingSend, qPrintable(text(verdict)));
        QCOMPARE(verdict.ranks, RankSet{0});
        QVERIFY2(verdict.confidence > 0.8 && verdict.confidence < 1, qPrintable(QString::number(verdict.confidence)));
    }

    /// Both send, and it is rank 1 that received first until now.
    void whoReceivedFirstSendsFirst() {
        const WaitForVerdict verdict = verdictOf(2, [](RecordingWriter &writer, std::int32_t rank, std::uint64_t &time) {
            exchange(writer, rank, time, 6, 7);
            writer.enter(time, writer.address(0x20)).begin(time + 1, "MPI_Ssend").sendPart(rank == 0 ? 1 : 0, 7);
        });
        QVERIFY2(verdict.kind == Kind::LeftOut, qPrintable(text(verdict)));
        QCOMPARE(verdict.ranks, RankSet{1});
        QVERIFY(verdict.leftOut->what == LeftOutAct::What::Receive);
    }

    /// Rank 0 hands out tasks and takes answers of any rank; rank 2 took its last task, and asks for the next without an answer.
    void asksWithoutAnAnswer_data() {
        QTest::addColumn<int>("tasks");     // for each answer of rank 2
        QTest::addColumn<bool>("answered"); // the last one
        QTest::addColumn<int>("word");      // its tag
        QTest::addColumn<bool>("isNamed");
        QTest::newRow("not answered") << 1 << false << 1 << true;
        QTest::newRow("all answered") << 1 << true << 1 << false;
        QTest::newRow("an answer for two") << 2 << true << 1 << false;
        QTest::newRow("a word that needs no answer") << 1 << false << 3 << false;
    }
    void asksWithoutAnAnswer() {
        QFETCH(int, tasks);
        QFETCH(bool, answered);
        QFETCH(int, word);
        QFETCH(bool, isNamed);
        const WaitForVerdict verdict = verdictOf(3, [&](RecordingWriter &writer, std::int32_t rank, std::uint64_t &time) {
            for (int round = 0; round < 8; ++round, time += 100)
                for (const std::uint32_t worker : {1U, 2U}) {
                    const bool isTwo = worker == 2;
                    // Rank 1 works faster, so that numbers of messages tell nothing.
                    if ((!isTwo && round == 0) || (isTwo && round > 5))
                        continue;
                    const std::uint64_t at = time + 40 * worker;
                    const int tag = isTwo && round == 5 ? word : 1;
                    for (int i = 0; i < (isTwo ? tasks : 1); ++i) {
                        if (rank == 0)
                            writer.sendCall(at + 2 * i, at + 1 + 2 * i, worker, tag);
                        if (rank == static_cast<std::int32_t>(worker))
                            writer.receiveCall(at + 3 * i, at + 2 + 3 * i, 0, tag);
                    }
                    if (isTwo && round == 5 && !answered)
                        continue;
                    if (rank == 0)
                        writer.receiveCall(at + 10, at + 15, worker, 2);
                    if (rank == static_cast<std::int32_t>(worker))
                        writer.sendCall(at + 8, at + 9, 0, 2);
                }
            writer.begin(time, "MPI_Recv").receivePart(rank == 0 ? anySource : 0, rank == 0 ? 2 : anyTag);
        });
        QVERIFY2((verdict.kind == Kind::MissingSend && verdict.ranks == RankSet{2}) == isNamed, qPrintable(text(verdict)));
        QVERIFY2(!isNamed || verdict.confidence < 0.5, qPrintable(QString::number(verdict.confidence)));
    }

    /// Messages of other tags are of another exchange, in which it may be the other's turn; and twice is no habit.
    void nothingIsKnown_data() {
        QTest::addColumn<int>("times");
        QTest::addColumn<uint>("tag"); // of the receives at the end
        QTest::newRow("another exchange") << 6 << 8U;
        QTest::newRow("twice") << 2 << 7U;
    }
    void nothingIsKnown() {
        QFETCH(int, times);
        QFETCH(uint, tag);
        const WaitForVerdict verdict = verdictOf(2, [&](RecordingWriter &writer, std::int32_t rank, std::uint64_t &time) {
            exchange(writer, rank, time, times, 7);
            writer.enter(time, writer.address(0x20)).begin(time + 1, "MPI_Recv").receivePart(rank == 0 ? 1 : 0, tag);
        });
        QVERIFY2(verdict.ranks != RankSet{0}, qPrintable(text(verdict)));
    }

    /// Of ranks that wait for each other in different kinds of calls some may do what they should: nobody is sure.
    void membersThatDoDifferentThings() {
        const WaitForVerdict verdict = verdictOf(3, [](RecordingWriter &writer, std::int32_t rank, std::uint64_t &time) {
            if (rank == 1)
                writer.begin(time, "MPI_Recv").receivePart(0, 7);
            else
                writer.begin(time, "MPI_Barrier").collectivePart(0);
        });
        QVERIFY2(verdict.kind == Kind::Deadlock, qPrintable(text(verdict)));
        QCOMPARE(verdict.ranks, (RankSet{0, 1}));
        QVERIFY2(verdict.confidence < 0.5, qPrintable(QString::number(verdict.confidence)));
    }

    /// A send tells that such wait for their receivers only if it began before the receiver had asked for it: rank 1 has always
    /// been in its receive already, or always came later, after the send had returned or before.
    void whatSendsTell_data() {
        QTest::addColumn<int>("begins"); // ns after the send began, when the receiver asks
        QTest::addColumn<double>("least");
        QTest::addColumn<double>("most");
        QTest::newRow("the receiver is there") << -10 << 0.5 << 0.5;
        QTest::newRow("it comes, and the send returns") << 10 << 0.8 << 1.0;
        QTest::newRow("it comes when the send has returned") << 30 << 0.0 << 0.2;
    }
    void whatSendsTell() {
        QFETCH(int, begins);
        QFETCH(double, least);
        QFETCH(double, most);
        QTemporaryDir folder;
        for (std::int32_t rank = 0; rank < 2; ++rank) {
            RecordingWriter writer(rank, 2);
            writer.call(1, 2, "MPI_Init");
            std::uint64_t time = 100;
            for (int i = 0; i < 6; ++i, time += 100) {
                if (rank == 0)
                    writer.sendCall(time, time + 20, 1, 7);
                else
                    writer.receiveCall(time + static_cast<std::uint64_t>(begins), time + 50, 0, 7);
            }
            if (rank == 0)
                writer.begin(time, "MPI_Send").sendPart(1, 7);
            writer.write(folder.filePath(QString::number(rank) + ".laggard").toStdString());
        }
        const TracePtr trace = openTrace(folder.path().toStdString(), {}, {});
        const WaitForGraph graph = buildWaitForGraph(*trace, openEnd, {});
        QCOMPARE(graph.waits.size(), std::size_t{1});
        QVERIFY2(graph.waits.front().confidence >= least && graph.waits.front().confidence <= most,
                 qPrintable(QString::number(graph.waits.front().confidence)));
    }

    /// A receive from any source: whose messages it took until now, or who is one behind the others, tells who owes the next.
    void whoServesAnySource_data() {
        QTest::addColumn<QList<int>>("sent");  // by ranks 1, 2 and 3
        QTest::addColumn<QList<int>>("named"); // empty: not who sends
        QTest::newRow("only one ever") << QList{5, 0, 0} << QList{1};
        QTest::newRow("one is behind") << QList{6, 5, 0} << QList{2};
        QTest::newRow("all have sent as many") << QList{5, 5, 5} << QList<int>{};
        QTest::newRow("in no order") << QList{5, 9, 3} << QList<int>{};
        QTest::newRow("too few to tell") << QList{2, 0, 0} << QList<int>{};
    }
    void whoServesAnySource() {
        QFETCH(QList<int>, sent);
        QFETCH(QList<int>, named);
        const WaitForVerdict verdict = verdictOf(4, [&](RecordingWriter &writer, std::int32_t rank, std::uint64_t &time) {
            for (std::int32_t from = 1; from < 4; ++from)
                for (int i = 0; i < sent[from - 1]; ++i, time += 100) {
                    if (rank == from)
                        writer.sendCall(time, time + 2, 0, 7);
                    if (rank == 0)
                        writer.receiveCall(time + 10, time + 20, static_cast<std::uint32_t>(from), 7);
                }
            if (rank == 0)
                writer.begin(time, "MPI_Recv").receivePart(anySource, 7);
            else
                writer.begin(time, "MPI_Barrier").collectivePart(0);
        });
        if (named.isEmpty()) {
            QVERIFY2(verdict.kind != Kind::MissingSend, qPrintable(text(verdict)));
            return;
        }
        QVERIFY2(verdict.kind == Kind::MissingSend, qPrintable(text(verdict)));
        QCOMPARE(verdict.ranks, RankSet{static_cast<Rank>(named.front())});
        QVERIFY2(verdict.confidence < 0.9, "any of them would do");
    }

    /// All go round loops of calls that return: nobody waits in one, and nobody can be told to be the one that owes the others.
    void allSpin_data() {
        QTest::addColumn<int>("working"); // the rank that does something else; -1: none
        QTest::newRow("all") << -1;
        QTest::newRow("one computes") << 1;
    }
    void allSpin() {
        QFETCH(int, working);
        const WaitForVerdict verdict = verdictOf(3, [&](RecordingWriter &writer, std::int32_t rank, std::uint64_t &time) {
            writer.collectiveCall(time, time + 5, "MPI_Barrier");
            for (int i = 0; i < 40 && rank != working; ++i)
                writer.call(time + 10 + 10ULL * i, time + 15 + 10ULL * i, "MPI_Fetch_and_op");
        });
        QCOMPARE(verdict.loops.size(), std::size_t{working < 0 ? 3U : 0U});
        QVERIFY2(verdict.confidence < 0.5, "which of them it is cannot be told");
        QVERIFY(working >= 0 || verdict.ranks == (RankSet{0, 1, 2}));
    }
};

QTEST_APPLESS_MAIN(TestOddTurn)
#include "tst_oddturn.moc"
