// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/waitfor/WaitForGraph.h"
#include "ingest/Format.h"
#include "tests/support/RecordingWriter.h"

#include <QTemporaryDir>
#include <QTest>

#include <functional>
#include <vector>

using namespace laggard;
using namespace laggard::recording;
using laggard::test::RecordingWriter;
using Kind = WaitForVerdict::Kind;

namespace {

using Script = std::function<void(RecordingWriter &writer, std::int32_t rank)>;

constexpr std::uint64_t roundTicks = 200;

WaitForVerdict verdictOf(std::int32_t ranks, const Script &script) {
    QTemporaryDir folder;
    for (std::int32_t rank = 0; rank < ranks; ++rank) {
        RecordingWriter writer(rank, ranks);
        writer.call(1, 2, "MPI_Init");
        script(writer, rank);
        writer.write(folder.filePath(QString::number(rank) + ".laggard").toStdString());
    }
    const TracePtr trace = openTrace(folder.path().toStdString(), {}, {});
    return buildWaitForGraph(*trace, openEnd, {}).verdict;
}

QString text(const WaitForVerdict &verdict) { return QString::fromStdString(verdict.why); }

/// Sums go up a tree: rank 1 is above ranks 3, 4 and, if there is one, 6, rank 2 above 5, rank 0 above 1 and 2; then all are in a
/// broadcast.
struct Tree {
    std::vector<std::uint32_t> usual;   ///< whose messages rank 1 receives in each round
    std::vector<std::uint32_t> reverse; ///< rounds in which it receives them in the other order
    std::uint32_t last = 4;             ///< whose it receives in the last round, before it asks rank 5
    bool isSent = true;                 ///< the other one has sent as well
};

void run(const Tree &tree, RecordingWriter &writer, std::int32_t rank) {
    constexpr std::uint32_t rounds = 6;
    const auto sum = [&](std::uint64_t time, const std::vector<std::uint32_t> &of, std::uint32_t tag) {
        for (const std::uint32_t from : of) {
            writer.receiveCall(time, time + 10, from, tag);
            time += 12;
        }
        return time;
    };
    std::uint64_t time = 10;
    for (std::uint32_t round = 0; round <= rounds; ++round, time += roundTicks) {
        const bool isLast = round == rounds;
        if (rank == 1 && isLast) {
            writer.receiveCall(time, time + 10, tree.last, round).begin(time + 20, "MPI_Recv").receivePart(5, round);
            return;
        }
        std::vector<std::uint32_t> of = tree.usual;
        if (std::ranges::find(tree.reverse, round) != tree.reverse.end())
            std::ranges::reverse(of);
        const std::uint64_t done = sum(time,
                                       rank == 1   ? of
                                       : rank == 2 ? std::vector<std::uint32_t>{5}
                                                   : std::vector<std::uint32_t>{},
                                       round);
        if (rank == 0 && isLast) {
            writer.begin(time, "MPI_Recv").receivePart(1, round);
            return;
        }
        if (rank == 0)
            sum(time + 50, {1, 2}, round);
        const auto up = rank <= 2 ? 0U : rank == 5 ? 2U : 1U;
        if (rank != 0 && !(isLast && rank == 3 && !tree.isSent))
            writer.sendCall(done, done + 1, up, round);
        if (isLast)
            writer.begin(time + 150, "MPI_Bcast").collectivePart(0);
        else
            writer.collectiveCall(time + 150, time + 160, "MPI_Bcast");
    }
}

} // namespace

class TestOddReceive : public QObject {
    Q_OBJECT
  private slots:
    /// Rank 2 of the ring asks for the message of another rank than in the rounds before, who owes it none.
    void asksAnotherRank() {
        const WaitForVerdict verdict = verdictOf(4, [](RecordingWriter &writer, std::int32_t rank) {
            std::uint64_t time = 10;
            const auto right = static_cast<std::uint32_t>((rank + 1) % 4);
            const auto left = static_cast<std::uint32_t>((rank + 3) % 4);
            for (int round = 0; round < 6; ++round, time += roundTicks)
                writer.sendCall(time, time + 1, right, 3)
                    .receiveCall(time + 10, time + 20, left, 3)
                    .collectiveCall(time + 60, time + 70, "MPI_Allreduce");
            writer.sendCall(time, time + 1, right, 3);
            if (rank == 2)
                writer.begin(time + 10, "MPI_Recv").receivePart(0, 3);
            else
                writer.receiveCall(time + 10, time + 20, left, 3).begin(time + 60, "MPI_Allreduce").collectivePart(0);
        });
        QVERIFY2(verdict.kind == Kind::OddReceive, qPrintable(text(verdict)));
        QCOMPARE(verdict.ranks, RankSet{2});
        QCOMPARE(verdict.oddReceive->from, Rank{0});
        QCOMPARE(verdict.oddReceive->usual, 1U);
        QCOMPARE(verdict.oddReceive->took, Rank{none});
    }

    /// The ring goes from tag 3 to tag 4 in round 6. Rank 1 misses that; rank 2, which follows it, is not odd.
    void followsAChangeOfTags_data() {
        QTest::addColumn<bool>("haveAllChanged");
        QTest::newRow("all but the sender") << true;
        QTest::newRow("the receiver alone") << false;
    }
    void followsAChangeOfTags() {
        QFETCH(bool, haveAllChanged);
        const WaitForVerdict verdict = verdictOf(5, [&](RecordingWriter &writer, std::int32_t rank) {
            const std::int32_t last = 6 + (rank + 3) % 5; // each is held up one round after the one before it
            std::uint64_t time = 10;
            for (std::int32_t round = 0; round <= last; ++round, time += roundTicks) {
                const std::int32_t tag = round >= 6 && haveAllChanged ? 4 : 3;
                const auto left = static_cast<std::uint32_t>((rank + 4) % 5);
                writer.sendCall(time, time + 1, static_cast<std::uint32_t>((rank + 1) % 5), rank == 1 ? 3 : tag);
                if (round < last)
                    writer.receiveCall(time + 10, time + 20, left, tag);
                else
                    writer.begin(time + 10, "MPI_Recv").receivePart(left, rank == 2 ? 4 : tag);
            }
        });
        QCOMPARE(verdict.kind == Kind::OddReceive, !haveAllChanged);
        QCOMPARE(verdict.ranks, RankSet{haveAllChanged ? 1U : 2U});
    }

    /// Rank 0 asks, after each step, for the message of whoever has one; it is rank 3's turn, which sends none.
    void asksNowThisOneNowThat() {
        const WaitForVerdict verdict = verdictOf(4, [](RecordingWriter &writer, std::int32_t rank) {
            std::uint64_t time = 10;
            for (std::uint32_t round = 0; round < 9; ++round, time += roundTicks) {
                const std::uint32_t from = round == 8 ? 3 : 1 + round % 2;
                writer.collectiveCall(time, time + 10, "MPI_Allreduce");
                if (rank == 0 && round == 8)
                    writer.begin(time + 20, "MPI_Recv").receivePart(from, 5);
                else if (rank == 0)
                    writer.receiveCall(time + 20, time + 30, from, 5);
                else if (rank == static_cast<std::int32_t>(from) && round < 8)
                    writer.sendCall(time + 20, time + 25, 0, 5);
            }
            if (rank != 0)
                writer.begin(time, "MPI_Allreduce").collectivePart(0);
        });
        QVERIFY2(verdict.kind != Kind::OddReceive, qPrintable(text(verdict)));
    }

    /// Rank 0 asks once more than ranks 1 to 3 send, who have come to their end: none of these went too early more than another.
    void asksOnceMore_data() {
        QTest::addColumn<QList<int>>("sent"); // by ranks 1 to 3
        QTest::addColumn<bool>("isAsker");
        QTest::newRow("all sent as many") << QList{6, 6, 6} << true;
        QTest::newRow("the one that it asks sent less") << QList{5, 6, 6} << false;
        QTest::newRow("each its own number") << QList{3, 5, 6} << false;
        QTest::newRow("nobody else sends") << QList{6, 0, 0} << false;
    }

    void asksOnceMore() {
        QFETCH(const QList<int>, sent);
        QFETCH(bool, isAsker);
        const WaitForVerdict verdict = verdictOf(4, [&sent](RecordingWriter &writer, std::int32_t rank) {
            constexpr std::uint64_t time = 2000;
            std::vector<std::pair<std::uint64_t, std::int32_t>> receives;
            for (std::int32_t from = 1; from < 4; ++from)
                for (int i = 0; i < sent[from - 1]; ++i) {
                    const std::uint64_t at = 10 + 100ULL * i + 20ULL * from;
                    if (rank == from)
                        writer.sendCall(at, at + 1, 0, 0);
                    if (rank == 0)
                        receives.emplace_back(at + 2, from);
                }
            std::ranges::sort(receives);
            for (const auto &[at, from] : receives)
                writer.receiveCall(at, at + 2, static_cast<std::uint32_t>(from), 0);
            if (rank == 0)
                writer.begin(time, "MPI_Recv").receivePart(1, 0);
            else
                writer.begin(time, "MPI_Finalize");
        });
        const bool isNamed = verdict.kind == Kind::NoSender && verdict.ranks == RankSet{0};
        QVERIFY2(isNamed == isAsker, qPrintable(text(verdict)));
        QVERIFY2(!isAsker || verdict.confidence < 0.5, "rank 1 may have left out its last");
    }

    /// Rank 1 skips rank 3, whose message lies there, and so comes to ask one that is not below it.
    void leftItsRoundsBefore_data() {
        QTest::addColumn<Tree>("tree");
        QTest::addColumn<double>("most"); // confidence; 0: not named so
        QTest::newRow("the second in place of the first") << Tree{.usual = {3, 4}, .reverse = {}} << 0.6;
        QTest::newRow("the third in place of the first: it may be a new order")
            << Tree{.usual = {3, 6, 4}, .reverse = {}} << 0.45;
        QTest::newRow("whose message never came") << Tree{.usual = {3, 4}, .reverse = {}, .isSent = false} << 0.0;
        QTest::newRow("in any order") << Tree{.usual = {3, 4}, .reverse = {1, 3, 4}} << 0.0;
        QTest::newRow("in its turn") << Tree{.usual = {4, 3}, .reverse = {}} << 0.0;
    }

    void leftItsRoundsBefore() {
        QFETCH(const Tree, tree);
        QFETCH(double, most);
        const std::int32_t ranks = tree.usual.size() == 3 ? 7 : 6;
        const WaitForVerdict verdict =
            verdictOf(ranks, [&tree](RecordingWriter &writer, std::int32_t rank) { run(tree, writer, rank); });
        const bool isSoNamed = verdict.kind == Kind::OddReceive && verdict.oddReceive->took != none;
        QVERIFY2(isSoNamed == (most > 0), qPrintable(text(verdict)));
        if (!isSoNamed)
            return;
        QCOMPARE(verdict.confidence, most);
        QCOMPARE(verdict.ranks, RankSet{1});
        QCOMPARE(verdict.oddReceive->took, Rank{4});
        QCOMPARE(verdict.oddReceive->usual, 3U);
        QCOMPARE(verdict.oddReceive->from, Rank{5});
        QVERIFY2(text(verdict).contains("rank 1 received a message of rank 4 where it received one of rank 3 5 times before"),
                 qPrintable(text(verdict)));
    }
};

QTEST_APPLESS_MAIN(TestOddReceive)
#include "tst_oddreceive.moc"
