// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/waitfor/MisfitMessages.h"
#include "ingest/Format.h"
#include "tests/support/RecordingWriter.h"

#include <QTemporaryDir>
#include <QtTest>

using namespace laggard;
using laggard::test::RecordingWriter;
using Kind = WaitForVerdict::Kind;

namespace {

constexpr std::uint32_t toRight = 1; // tags
constexpr std::uint32_t toLeft = 2;

struct Line {
    bool haveMet = false; ///< ranks 3 and 0 have exchanged a message before
    bool hasSent = true;  ///< rank 3 has sent rank 0 what it waits for in return
};

/// Four ranks in a line, that each exchange a message with their neighbours; rank 3 takes rank 0 for a neighbour as well.
WaitForVerdict verdictOf(const Line &line) {
    QTemporaryDir folder;
    for (std::uint32_t rank = 0; rank < 4; ++rank) {
        RecordingWriter writer(static_cast<std::int32_t>(rank), 4);
        writer.call(1, 2, "MPI_Init");
        if (line.haveMet && rank == 3)
            writer.sendCall(3, 4, 0, 9);
        if (line.haveMet && rank == 0)
            writer.receiveCall(3, 6, 3, 9);
        if (rank < 3 || line.hasSent)
            writer.sendCall(10, 12, (rank + 1) % 4, toRight);
        if (rank > 0)
            writer.sendCall(13, 14, rank - 1, toLeft);
        if (rank > 0)
            writer.receiveCall(20, 22, rank - 1, toRight);
        if (rank < 3)
            writer.receiveCall(23, 25, rank + 1, toLeft);
        writer.begin(40, "MPI_Recv").receivePart((rank + 1) % 4, toLeft);
        writer.write(folder.filePath(QString::number(rank) + ".laggard").toStdString());
    }
    return buildWaitForGraph(*openTrace(folder.path().toStdString(), {}, {}), openEnd, {}).verdict;
}

} // namespace

class TestMisfitMessages : public QObject {
    Q_OBJECT
  private slots:
    /// All four wait for each other, but it is ranks 0 and 3 that do not agree on being neighbours.
    void neighbourOfOneSide() {
        const WaitForVerdict verdict = verdictOf({});
        QVERIFY2(verdict.kind == Kind::Misfit && verdict.misfit && verdict.misfit->isStranger, verdict.why.c_str());
        QCOMPARE(verdict.ranks, (RankSet{0, 3}));
        QCOMPARE(verdict.misfit->from, Rank{3});
        QCOMPARE(verdict.misfit->to, Rank{0});
        QCOMPARE(verdict.misfit->sentTag, toRight);
        QVERIFY2(verdict.confidence > 0.8 && verdict.confidence < 1, qPrintable(QString::number(verdict.confidence)));
    }

    /// In a ring whose tags tell the round, rank 3 sends one message one further than always, and then goes on to the next round.
    void oneFurther_data() {
        QTest::addColumn<bool>("haveMet"); // ranks 3 and 1, with another tag
        QTest::addColumn<bool>("isMisdirected");
        QTest::newRow("to a rank that it never sent anything") << false << true;
        QTest::newRow("to one that it has sent something before") << true << false;
    }

    void oneFurther() {
        QFETCH(bool, haveMet);
        QFETCH(bool, isMisdirected);
        constexpr int rounds = 5; // all well
        QTemporaryDir folder;
        for (std::int32_t rank = 0; rank < 4; ++rank) {
            RecordingWriter writer(rank, 4);
            writer.call(1, 2, "MPI_Init");
            if (haveMet && rank == 3)
                writer.sendCall(3, 4, 1, 99);
            if (haveMet && rank == 1)
                writer.receiveCall(3, 6, 3, 99);
            const auto next = static_cast<std::uint32_t>((rank + 1) % 4);
            const auto before = static_cast<std::uint32_t>((rank + 3) % 4);
            // Each is one round further than the next one can be: rank 0 lacks the message of the fifth.
            const int last = rounds + (rank == 0 ? 0 : rank);
            std::uint64_t time = 10;
            for (int round = 0; round <= last; ++round, time += 100) {
                const bool isOdd = rank == 3 && round == rounds;
                writer.sendCall(time, time + 2, isOdd ? 1U : next, round);
                if (round == last)
                    writer.begin(time + 10, "MPI_Recv").receivePart(before, round);
                else
                    writer.receiveCall(time + 10, time + 20, before, round);
            }
            writer.write(folder.filePath(QString::number(rank) + ".laggard").toStdString());
        }
        const WaitForVerdict verdict = buildWaitForGraph(*openTrace(folder.path().toStdString(), {}, {}), openEnd, {}).verdict;
        QVERIFY2(verdict.misfit.has_value(), verdict.why.c_str());
        QVERIFY2((verdict.misfit->awaitedBy == 0 && verdict.misfit->to == 1U) == isMisdirected, verdict.why.c_str());
        QVERIFY2(!isMisdirected || verdict.ranks == RankSet{3}, "the same call has sent rank 0 such messages before");
    }

    /// Where the two have had to do with each other, or nothing was sent that lies there, nobody can be singled out.
    void noStranger_data() {
        QTest::addColumn<Line>("line");
        QTest::newRow("they have met before") << Line{.haveMet = true};
        QTest::newRow("nothing was sent to it") << Line{.hasSent = false};
    }

    void noStranger() {
        QFETCH(Line, line);
        const WaitForVerdict verdict = verdictOf(line);
        QVERIFY2(!verdict.misfit || !verdict.misfit->isStranger, verdict.why.c_str());
    }
};

QTEST_APPLESS_MAIN(TestMisfitMessages)
#include "tst_misfitmessages.moc"
