// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/waitfor/MisfitMessages.h"
#include "ingest/Format.h"
#include "tests/support/RecordingWriter.h"

#include <QTemporaryDir>
#include <QTest>

#include <map>
#include <tuple>

using namespace laggard;
using laggard::test::RecordingWriter;
using Kind = WaitForVerdict::Kind;

namespace {

constexpr std::uint32_t toRight = 1; // tags
constexpr std::uint32_t toLeft = 2;

/// `script` has a writer and the rank, and writes what follows MPI_Init.
template <typename Script> WaitForVerdict verdictOfJob(std::uint32_t ranks, Script script) {
    QTemporaryDir folder;
    for (std::uint32_t rank = 0; rank < ranks; ++rank) {
        RecordingWriter writer(static_cast<std::int32_t>(rank), static_cast<std::int32_t>(ranks));
        writer.call(1, 2, "MPI_Init");
        script(writer, rank);
        writer.write(folder.filePath(QString::number(rank) + ".laggard").toStdString());
    }
    return buildWaitForGraph(*openTrace(folder.path().toStdString(), {}, {}), openEnd, {}).verdict;
}

struct Line {
    bool haveMet = false; ///< ranks 3 and 0 have exchanged a message before
    bool hasSent = true;  ///< rank 3 has sent rank 0 what it waits for in return
};

/// Four ranks in a line, that each exchange a message with their neighbours; rank 3 takes rank 0 for a neighbour as well.
WaitForVerdict verdictOf(const Line &line) {
    return verdictOfJob(4, [&](RecordingWriter &writer, std::uint32_t rank) {
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
    });
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

    /// Six ranks exchange messages along a line. In the last round ranks 3 and 4 are out of it, and rank 2 takes rank 4 for its
    /// neighbour instead of rank 5.
    void theWrongNeighbour_data() {
        QTest::addColumn<bool>("isAsked"); // rank 5 takes rank 2 for its neighbour
        QTest::newRow("rank 5 asks rank 2, which has nothing to do with it") << true;
        QTest::newRow("rank 5 asks rank 4, too, as ever") << false;
    }
    void theWrongNeighbour() {
        QFETCH(bool, isAsked);
        constexpr int rounds = 5; // all well
        using Ranks = std::vector<std::uint32_t>;
        const std::vector<Ranks> first{{1}, {0, 2}, {1, 3}, {2, 4}, {3, 5}, {4}};
        const std::vector<Ranks> last{{1}, {0, 2}, {1, 4}, {}, {}, isAsked ? Ranks{2} : Ranks{4}};
        const WaitForVerdict verdict = verdictOfJob(6, [&](RecordingWriter &writer, std::uint32_t rank) {
            for (int round = 0; round <= rounds; ++round) {
                const Ranks &neighbours = (round < rounds ? first : last)[rank];
                std::uint64_t time = 10 + 100U * static_cast<unsigned>(round);
                RecordingWriter::Words requests;
                for (const std::uint32_t other : neighbours) {
                    requests.push_back(10 * static_cast<unsigned>(round) + other + 1);
                    writer.begin(time, "MPI_Irecv").receivePart(other, 7, requests.back()).end(time + 1);
                    writer.sendCall(time + 2, time + 3, other, 7);
                    time += 5;
                }
                if (neighbours.empty())
                    break;
                writer.begin(time + 10, "MPI_Waitall").awaited(requests);
                if (round == rounds && (rank == 2 || rank == 5))
                    return;
                for (std::size_t i = 0; i < requests.size(); ++i)
                    writer.received(neighbours[i], 7, requests[i]);
                writer.end(time + 50);
            }
            writer.begin(800, "MPI_Allreduce").collectivePart();
        });
        QVERIFY2(verdict.misfit && verdict.misfit->isStranger, verdict.why.c_str());
        QCOMPARE(verdict.ranks, RankSet{2});
        QCOMPARE(verdict.why.find("are not its neighbours, either") != std::string::npos, isAsked);
        QVERIFY2(verdict.confidence <= 0.9, "it may be the first exchange of the two");
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
        const WaitForVerdict verdict = verdictOfJob(4, [&](RecordingWriter &writer, std::uint32_t rank) {
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
        });
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

    /// Rank 0 waits for a message of anybody, with tag 5; two ranks have sent it some with tag 6, which it never took or, in the
    /// other row, took before.
    void sentButNotAskedFor_data() {
        QTest::addColumn<bool>("hasTakenSuch");
        QTest::addColumn<QList<int>>("of");
        QTest::newRow("such as it never took") << false << QList{2, 3};
        QTest::newRow("such as it took before: they may be for a later receive") << true << QList<int>{};
    }
    void sentButNotAskedFor() {
        QFETCH(bool, hasTakenSuch);
        QFETCH(QList<int>, of);
        const WaitForVerdict verdict = verdictOfJob(4, [&](RecordingWriter &writer, std::uint32_t rank) {
            if (hasTakenSuch && rank == 1)
                writer.sendCall(5, 6, 0, 6);
            if (hasTakenSuch && rank == 0)
                writer.receiveCall(5, 8, 1, 6);
            if (rank == 0)
                writer.begin(40, "MPI_Recv").receivePart(recording::anySource, 5);
            if (rank >= 2)
                writer.sendCall(20 + static_cast<std::uint64_t>(rank), 30, 0, 6);
            if (rank != 0)
                writer.begin(40, "MPI_Barrier").collectivePart(0);
        });
        QVERIFY2(verdict.kind == Kind::NoSender, verdict.why.c_str());
        QCOMPARE(verdict.ranks, RankSet{0});
        QList<int> found;
        for (const MisfitMessage &message : verdict.unasked) {
            QCOMPARE(message.sentTag, 6U);
            found << static_cast<int>(message.from);
        }
        QCOMPARE(found, of);
    }

    /// A rank that lags a round behind when neighbours change waits for an old one, and is asked by a new one: that is no sign of
    /// fault. Ranks 0 and 2, 1 and 3, 3 and 4 exchange, then 0 with 1, 2 and 3, and 2 with 4; rank 4 leaves out a message to
    /// rank 3.
    void whoLagsIsNotNamed_data() {
        QTest::addColumn<bool>("haveMet"); ///< ranks 0 and 3, before all that
        QTest::newRow("the two never had to do with each other") << false;
        QTest::newRow("they have met") << true;
    }
    void whoLagsIsNotNamed() {
        QFETCH(bool, haveMet);
        constexpr std::uint32_t ranks = 5;
        const auto partners = [](std::uint32_t rank, int round) -> std::vector<std::uint32_t> {
            static const std::vector<std::vector<std::uint32_t>> before{{2}, {3}, {0}, {1, 4}, {3}};
            static const std::vector<std::vector<std::uint32_t>> after{{1, 2, 3}, {0}, {0, 4}, {0}, {2}};
            return (round < 3 ? before : after)[rank];
        };
        const WaitForVerdict verdict = verdictOfJob(ranks, [&](RecordingWriter &writer, std::uint32_t rank) {
            if (haveMet && rank == 3)
                writer.sendCall(3, 4, 0, 9);
            if (haveMet && rank == 0)
                writer.receiveCall(3, 6, 3, 9);
            const int last = rank == 3 ? 2 : rank == 0 ? 3 : rank == 4 ? 5 : 4; // the round in which it waits for good
            for (int round = 0; round <= last; ++round) {
                const auto time = static_cast<std::uint64_t>(10 + round * 100);
                std::vector<std::uint64_t> requests;
                for (const std::uint32_t partner : partners(rank, round)) {
                    requests.push_back(static_cast<std::uint64_t>(round) * 10 + partner + 1);
                    writer.begin(time, "MPI_Irecv").receivePart(partner, 5, requests.back()).end(time + 1);
                    if (!(rank == 4 && round == 2 && partner == 3))
                        writer.sendCall(time + 2, time + 3, partner, 5);
                }
                writer.begin(time + 10, "MPI_Waitall").awaited(requests);
                if (round < last) {
                    for (const std::uint32_t partner : partners(rank, round))
                        writer.received(partner, 5, static_cast<std::uint64_t>(round) * 10 + partner + 1);
                    writer.end(time + 50);
                }
            }
        });
        QVERIFY2(!(verdict.misfit && verdict.misfit->isOneSided), verdict.why.c_str());
        QVERIFY2(verdict.confidence < 0.5, qPrintable(QString::number(verdict.confidence) + ": " + verdict.why.c_str()));
    }

    /// Eight ranks in a ring exchange messages with both neighbours, again and again. Then two of them change places, of which
    /// rank 3 does not know: it goes on to exchange with its old neighbours.
    void neighbourNoMore_data() {
        QTest::addColumn<int>("one"); ///< places that are changed
        QTest::addColumn<int>("other");
        QTest::addColumn<int>("change"); ///< the round
        QTest::addColumn<bool>("knows");
        QTest::addColumn<bool>("isTold");
        QTest::newRow("one of its neighbours moves away") << 2 << 5 << 6 << false << true;
        QTest::newRow("it does after two rounds, which are no habit") << 2 << 5 << 2 << false << false;
        QTest::newRow("the other one does") << 4 << 7 << 6 << false << true;
        QTest::newRow("all know, and rank 4 leaves out its messages") << 2 << 5 << 6 << true << false;
    }
    void neighbourNoMore() {
        QFETCH(int, one);
        QFETCH(int, other);
        QFETCH(int, change);
        QFETCH(bool, knows);
        QFETCH(bool, isTold);
        constexpr std::uint32_t ranks = 8;
        constexpr int rounds = 12;
        // Round by round, as far as each rank gets: it needs the messages of both neighbours, as it sees them.
        const auto neighbours = [&](std::uint32_t rank, int round) {
            std::vector<std::uint32_t> order{0, 1, 2, 3, 4, 5, 6, 7};
            if (round >= change && (knows || rank != 3))
                std::swap(order[static_cast<std::size_t>(one)], order[static_cast<std::size_t>(other)]);
            const auto place = static_cast<std::size_t>(std::ranges::find(order, rank) - order.begin());
            return std::pair(order[(place + ranks - 1) % ranks], order[(place + 1) % ranks]);
        };
        std::map<std::tuple<std::uint32_t, std::uint32_t, std::int32_t>, int> queued; // from, to, tag
        std::vector<int> round(ranks, 0);
        std::vector<bool> hasSent(ranks, false);
        std::vector<RecordingWriter> writers;
        for (std::uint32_t rank = 0; rank < ranks; ++rank)
            writers.emplace_back(static_cast<std::int32_t>(rank), ranks).call(1, 2, "MPI_Init");
        const auto timeOf = [](int number) { return static_cast<std::uint64_t>(10 + number * 100); };
        for (bool moved = true; moved;) {
            moved = false;
            for (std::uint32_t rank = 0; rank < ranks; ++rank) {
                if (round[rank] == rounds)
                    continue;
                const auto [left, right] = neighbours(rank, round[rank]);
                const std::uint64_t time = timeOf(round[rank]);
                const auto request = static_cast<std::uint64_t>(2 * round[rank] + 1);
                if (!hasSent[rank]) {
                    writers[rank].begin(time, "MPI_Irecv").receivePart(left, toRight, request).end(time + 1);
                    writers[rank].begin(time + 2, "MPI_Irecv").receivePart(right, toLeft, request + 1).end(time + 3);
                    if (!(knows && rank == 4 && round[rank] == change)) {
                        writers[rank].sendCall(time + 4, time + 5, left, toLeft).sendCall(time + 6, time + 7, right, toRight);
                        ++queued[{rank, left, toLeft}];
                        ++queued[{rank, right, toRight}];
                    }
                    writers[rank].begin(time + 10, "MPI_Waitall").awaited({request, request + 1});
                    hasSent[rank] = moved = true;
                }
                if (queued[{left, rank, toRight}] == 0 || queued[{right, rank, toLeft}] == 0)
                    continue;
                --queued[{left, rank, toRight}];
                --queued[{right, rank, toLeft}];
                writers[rank].received(left, toRight, request).received(right, toLeft, request + 1).end(time + 50);
                ++round[rank];
                hasSent[rank] = false;
                moved = true;
            }
        }
        QTemporaryDir folder;
        for (std::uint32_t rank = 0; rank < ranks; ++rank)
            writers[rank].write(folder.filePath(QString::number(rank) + ".laggard").toStdString());
        const WaitForVerdict verdict = buildWaitForGraph(*openTrace(folder.path().toStdString(), {}, {}), openEnd, {}).verdict;
        // Who waits for a rank that it never had to do with is told as a stranger.
        const bool isDisagreement = verdict.misfit && (verdict.misfit->isOneSided || verdict.misfit->isStranger);
        QVERIFY2(isDisagreement == isTold, verdict.why.c_str());
        if (!knows)
            QVERIFY2(contains(verdict.ranks, 3) || verdict.confidence < 0.5, verdict.why.c_str());
        if (isTold)
            QVERIFY2(contains(verdict.ranks, 3) && verdict.ranks.size() <= 2, verdict.why.c_str());
    }
};

QTEST_APPLESS_MAIN(TestMisfitMessages)
#include "tst_misfitmessages.moc"
