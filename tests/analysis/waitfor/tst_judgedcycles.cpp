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

constexpr std::uint64_t roundTime = 1000;

/// What the recordings say that `write` makes for each rank.
struct Written {
    QTemporaryDir folder;
    TracePtr trace;

    Written(std::uint32_t ranks, const std::function<void(RecordingWriter &, std::uint32_t rank)> &write) {
        for (std::uint32_t rank = 0; rank < ranks; ++rank) {
            RecordingWriter file(static_cast<std::int32_t>(rank), static_cast<std::int32_t>(ranks));
            write(file, rank);
            file.header.aliveTicks = 10'000'000;
            file.write(folder.filePath(QString::number(rank) + ".laggard").toStdString());
        }
        trace = openTrace(folder.path().toStdString(), {}, {});
    }
    [[nodiscard]] WaitForVerdict verdict() const { return buildWaitForGraph(*trace, openEnd, {}).verdict; }
};

/// In each round rank 0 sends a message to rank 1, which answers; in the last one it does not, and waits for one.
struct Answers {
    std::uint64_t rounds = 12;
    bool waitsElsewhere = false; ///< in a receive where it never was
    bool hasDropped = false;     ///< it sent to rank 2 in the same way, and ceased to do so after four rounds
};

WaitForVerdict verdictOf(const Answers &what) {
    const Written written(3, [&](RecordingWriter &file, std::uint32_t rank) {
        const std::vector<std::uint32_t> work{file.address(0x100)};
        const std::vector<std::uint32_t> end{file.address(0x900)};
        std::uint64_t time = roundTime;
        for (std::uint64_t round = 0; round < what.rounds; ++round, time += roundTime) {
            const bool takesPart = what.hasDropped && round < 4;
            if (rank == 0) {
                file.begin(time, "MPI_Send", work).sendPart(1, 5).end(time + 5);
                if (takesPart)
                    file.begin(time + 6, "MPI_Send", work).sendPart(2, 5).end(time + 8);
                file.begin(time + 10, "MPI_Recv", work).receivePart(1, 6).end(time + 30).received(1, 6);
            } else if (rank == 1) {
                file.begin(time, "MPI_Recv", work).receivePart(0, 5).end(time + 15).received(0, 5);
                file.begin(time + 20, "MPI_Send", work).sendPart(0, 6).end(time + 25);
            } else if (takesPart) {
                file.begin(time, "MPI_Recv", work).receivePart(0, 5).end(time + 15).received(0, 5);
            }
        }
        if (rank == 0)
            file.begin(time + 10, "MPI_Recv", what.waitsElsewhere ? end : work).receivePart(1, 6);
        else if (rank == 1)
            file.begin(time, "MPI_Recv", work).receivePart(0, 5);
        else
            file.begin(time, "MPI_Barrier", work).collectivePart();
    });
    return written.verdict();
}

/// Ranks in a ring, or a line, exchange a message with their neighbours. In a second round each has its own tag.
WaitForVerdict verdictOfTags(const std::vector<std::int32_t> &tags, bool isRing) {
    const auto ranks = static_cast<std::uint32_t>(tags.size());
    return Written(ranks,
                   [&](RecordingWriter &file, std::uint32_t rank) {
                       std::vector<std::uint32_t> neighbours;
                       if (isRing || rank > 0)
                           neighbours.push_back((rank + ranks - 1) % ranks);
                       if (isRing || rank + 1 < ranks)
                           neighbours.push_back((rank + 1) % ranks);
                       for (const std::uint64_t time : {100U, 300U}) {
                           const std::int32_t tag = time == 100 ? 3 : tags[rank];
                           RecordingWriter::Words requests;
                           for (const std::uint32_t other : neighbours) {
                               const std::uint64_t at = time + 10 * requests.size();
                               requests.push_back(time + requests.size());
                               file.begin(at, "MPI_Irecv").receivePart(other, tag, requests.back()).end(at + 1);
                               file.sendCall(at + 2, at + 3, other, tag);
                           }
                           file.begin(time + 50, "MPI_Waitall").awaited(requests);
                           for (std::size_t i = 0; i < requests.size() && time == 100; ++i)
                               file.received(neighbours[i], tag, requests[i]);
                           if (time == 100)
                               file.end(time + 60);
                       }
                   })
        .verdict();
}

/// Rank 1 is in MPI_Bcast, and rank 3 in MPI_Allreduce, on the same communicator. Ranks 0 and 2 wait for messages.
WaitForVerdict verdictOfSides(std::uint32_t awaitedBy0, std::uint32_t awaitedBy2) {
    return Written(4,
                   [&](RecordingWriter &file, std::uint32_t rank) {
                       file.collectiveCall(100, 110, "MPI_Barrier");
                       if (rank == 1)
                           file.begin(200, "MPI_Bcast").collectivePart(0, 0);
                       else if (rank == 3)
                           file.begin(200, "MPI_Allreduce").collectivePart();
                       else
                           file.begin(200, "MPI_Recv").receivePart(rank == 0 ? awaitedBy0 : awaitedBy2, 7);
                   })
        .verdict();
}

} // namespace

class TestJudgedCycles : public QObject {
    Q_OBJECT
  private slots:
    void answers() {
        const WaitForVerdict sure = verdictOf(Answers{});
        QCOMPARE(sure.ranks, RankSet{0});
        QVERIFY2(sure.confidence > 0.5, "it left a message out, and is where it is in each round");
    }
    void doubts_data() {
        QTest::addColumn<Answers>("answers");
        QTest::newRow("the rank waits where it never did: it may have left as it should") << Answers{.waitsElsewhere = true};
        QTest::newRow("the call has ceased to send to another rank before") << Answers{.hasDropped = true};
    }
    /// Who is not sent to any more may be wrong to wait.
    void doubts() {
        QFETCH(Answers, answers);
        QVERIFY2(verdictOf(answers).confidence < 0.5, "which of the two is wrong cannot be told");
    }

    void tags_data() {
        QTest::addColumn<std::vector<std::int32_t>>("tags");
        QTest::addColumn<bool>("isRing");
        QTest::addColumn<RankSet>("ranks");
        using Tags = std::vector<std::int32_t>;
        QTest::newRow("rank 1 has another tag than both its neighbours") << Tags{7, 5, 7} << false << RankSet{1};
        QTest::newRow("renumbered") << Tags{7, 7, 7, 5} << true << RankSet{3};
        QTest::newRow("all three have their own") << Tags{7, 5, 9} << true << RankSet{};
    }
    /// Who agrees with none of several, which agree with each other, is the odd one.
    void tags() {
        QFETCH(std::vector<std::int32_t>, tags);
        QFETCH(bool, isRing);
        QFETCH(RankSet, ranks);
        const WaitForVerdict verdict = verdictOfTags(tags, isRing);
        if (ranks.empty()) {
            QVERIFY2(verdict.ranks.size() != 1 || verdict.confidence < 0.5, verdict.why.c_str());
            return;
        }
        QCOMPARE(verdict.ranks, ranks);
        QVERIFY2(!isRing || (verdict.kind == Kind::Misfit && verdict.misfit), verdict.why.c_str());
        QVERIFY2(!isRing || verdict.confidence <= 0.75, "it may be the others that are wrong");
    }

    void sides_data() {
        QTest::addColumn<std::uint32_t>("awaitedBy0");
        QTest::addColumn<std::uint32_t>("awaitedBy2");
        QTest::addColumn<RankSet>("ranks");
        QTest::newRow("both wait for rank 1: it has gone on without them") << 1U << 1U << RankSet{1};
        QTest::newRow("both wait for rank 3") << 3U << 3U << RankSet{3};
        QTest::newRow("one waits for each") << 1U << 3U << RankSet{1, 3};
    }
    /// Of two that take a collective for different ones, the one that others wait for.
    void sides() {
        QFETCH(std::uint32_t, awaitedBy0);
        QFETCH(std::uint32_t, awaitedBy2);
        QFETCH(RankSet, ranks);
        const WaitForVerdict verdict = verdictOfSides(awaitedBy0, awaitedBy2);
        QVERIFY2(verdict.kind == Kind::Mismatch, verdict.why.c_str());
        QCOMPARE(verdict.ranks, ranks);
        QVERIFY2(ranks.size() > 1 || verdict.confidence < 0.5, "these may come to it first");
    }

    /// In different calls, one of three has most likely come to its own too early.
    void circleOfSeveralCalls() {
        const WaitForVerdict verdict = Written(4, [&](RecordingWriter &file, std::uint32_t rank) {
                                           if (rank == 0)
                                               file.begin(100, "MPI_Sendrecv").receivePart(1, 7);
                                           else if (rank == 1)
                                               file.begin(100, "MPI_Recv").receivePart(2, 8);
                                           else if (rank == 2)
                                               file.begin(100, "MPI_Mprobe").receivePart(0, 9, 0, probeOnly);
                                           else
                                               file.begin(100, "MPI_Barrier").collectivePart();
                                       }).verdict();
        QVERIFY2(verdict.confidence < 0.5, verdict.why.c_str());
    }
};

QTEST_APPLESS_MAIN(TestJudgedCycles)
#include "tst_judgedcycles.moc"
