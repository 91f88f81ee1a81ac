// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/waitfor/StillToCome.h"

#include "analysis/waitfor/WaitForGraph.h"
#include "ingest/Format.h"
#include "tests/support/RecordingWriter.h"

#include <QTemporaryDir>
#include <QTest>

using namespace laggard;
using laggard::test::RecordingWriter;
using Kind = WaitForVerdict::Kind;

namespace {

constexpr std::int32_t part = 4;
constexpr std::int32_t done = 5;

struct Case {
    int rounds = 5;
    bool isAwaiting = false; ///< rank 3 stands in a receive of rank 2, as in every other round, before its own word; otherwise it
                             ///< has left that out, and is in the broadcast
};

/// In each round workers 1 to 3 send rank 0 a word, of which it takes three of any rank, and all meet in a broadcast. In every
/// other round rank 2 has sent rank 3 a part before.
WaitForVerdict wordsMissing(const Case &what) {
    QTemporaryDir folder;
    for (std::int32_t rank = 0; rank < 4; ++rank) {
        RecordingWriter writer(rank, 4);
        writer.call(1, 2, "MPI_Init");
        std::uint64_t time = 1000;
        const auto message = [&](std::int32_t from, std::int32_t to, std::int32_t tag) {
            if (rank == from)
                writer.sendCall(time, time + 10, static_cast<std::uint32_t>(to), tag);
            if (rank == to)
                writer.receiveCall(time + 20, time + 30, static_cast<std::uint32_t>(from), tag);
            time += 100;
        };
        for (int round = 0; round < what.rounds; ++round) {
            if (round % 2 == 1)
                message(2, 3, part);
            for (std::int32_t worker = 1; worker < 4; ++worker)
                message(worker, 0, done);
            writer.collectiveCall(time, time + 10, "MPI_Bcast");
            time += 100;
        }
        message(1, 0, done);
        message(2, 0, done);
        if (rank == 0)
            writer.begin(time, "MPI_Recv").receivePart(recording::anySource, done);
        else if (rank == 3 && what.isAwaiting)
            writer.begin(time, "MPI_Recv").receivePart(2, part);
        else
            writer.begin(time, "MPI_Bcast").collectivePart(0);
        writer.header.aliveTicks = time + 1'000'000;
        writer.write(folder.filePath(QString::number(rank) + ".laggard").toStdString());
    }
    return buildWaitForGraph(*openTrace(folder.path().toStdString(), {}, {}), openEnd, {}).verdict;
}

/// A master asks each of its workers for results, one by one, and takes one too many of any of them. `results`: of each.
WaitForVerdict askedOnceTooOften(const std::vector<int> &results, bool asksFirst) {
    QTemporaryDir folder;
    const auto ranks = static_cast<std::int32_t>(results.size()) + 1;
    for (std::int32_t rank = 0; rank < ranks; ++rank) {
        RecordingWriter writer(rank, ranks);
        writer.call(1, 2, "MPI_Init");
        std::uint64_t time = 1000;
        for (std::int32_t worker = 1; worker < ranks; ++worker) // one after the other: there are no rounds
            for (int i = 0; i < results[static_cast<std::size_t>(worker) - 1]; ++i, time += 200) {
                const auto peer = static_cast<std::uint32_t>(rank == 0 ? worker : 0);
                if (rank != 0 && rank != worker)
                    continue;
                if (asksFirst && rank == 0)
                    writer.sendCall(time, time + 10, peer, part);
                if (asksFirst && rank == worker)
                    writer.receiveCall(time + 20, time + 30, peer, part);
                if (rank == worker)
                    writer.sendCall(time + 100, time + 110, peer, done);
                else
                    writer.receiveCall(time + 120, time + 130, peer, done);
            }
        if (rank == 0)
            writer.begin(time, "MPI_Recv").receivePart(recording::anySource, done);
        else
            writer.begin(time, "MPI_Barrier").collectivePart(0);
        writer.header.aliveTicks = time + 1'000'000;
        writer.write(folder.filePath(QString::number(rank) + ".laggard").toStdString());
    }
    return buildWaitForGraph(*openTrace(folder.path().toStdString(), {}, {}), openEnd, {}).verdict;
}

} // namespace

class TestStillToCome : public QObject {
    Q_OBJECT
  private slots:
    void whoLeftItsWordOutIsNamed() {
        const WaitForVerdict verdict = wordsMissing({});
        QCOMPARE(verdict.kind, Kind::MissingSend);
        QCOMPARE(verdict.ranks, RankSet{3});
        QVERIFY2(verdict.confidence >= 0.5, qPrintable(QString::number(verdict.confidence)));
    }

    /// Rank 3 has not come to its word yet: rank 2 owes it a part.
    void whoIsOnItsWayIsNot() {
        const WaitForVerdict verdict = wordsMissing({.isAwaiting = true});
        QVERIFY2(verdict.ranks != RankSet{3} || verdict.confidence < 0.5, verdict.why.c_str());
        QVERIFY2(std::ranges::find(verdict.ranks, Rank{2}) != verdict.ranks.end(), verdict.why.c_str());
        QVERIFY2(std::ranges::find(verdict.ranks, Rank{1}) == verdict.ranks.end(), verdict.why.c_str());
    }

    void shares_data() {
        QTest::addColumn<std::vector<int>>("results");
        QTest::addColumn<bool>("asksFirst");
        QTest::newRow("all answered") << std::vector{4, 4, 3} << true;
        QTest::newRow("unequal shares, unasked") << std::vector{4, 4, 3} << false;
        QTest::newRow("two workers") << std::vector{4, 3} << false;
    }
    /// A worker with a smaller share owes nothing: it is not accused.
    void shares() {
        QFETCH(std::vector<int>, results);
        QFETCH(bool, asksFirst);
        const WaitForVerdict verdict = askedOnceTooOften(results, asksFirst);
        const bool namesWorker = verdict.ranks != RankSet{0};
        QVERIFY2(!namesWorker || verdict.confidence < 0.5,
                 qPrintable(QString::number(verdict.confidence) + " " + QString::fromStdString(verdict.why)));
    }
};

QTEST_APPLESS_MAIN(TestStillToCome)
#include "tst_stilltocome.moc"
