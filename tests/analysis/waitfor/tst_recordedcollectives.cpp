// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/waitfor/WaitForGraph.h"
#include "ingest/Format.h"
#include "tests/support/RecordingWriter.h"

#include <QTemporaryDir>
#include <QTest>

#include <vector>

using namespace laggard;
using laggard::test::RecordingWriter;
using Kind = WaitForVerdict::Kind;

namespace {

/// A job of ranks that have been through one MPI_Allreduce together; `goOn` says what each does then.
template <typename GoOn> WaitForVerdict verdictOf(GoOn goOn, Rank ranks = 4) {
    QTemporaryDir folder;
    for (Rank rank = 0; rank < ranks; ++rank) {
        RecordingWriter writer(static_cast<std::int32_t>(rank), static_cast<std::int32_t>(ranks));
        writer.call(1, 2, "MPI_Init").collectiveCall(10, 20, "MPI_Allreduce");
        goOn(writer, rank);
        writer.write(folder.filePath(QString::number(rank) + ".laggard").toStdString());
    }
    const TracePtr trace = openTrace(folder.path().toStdString(), {}, {});
    return buildWaitForGraph(*trace, openEnd, {}).verdict;
}

QString text(const WaitForVerdict &verdict) { return QString::fromStdString(verdict.why); }

} // namespace

class TestRecordedCollectives : public QObject {
    Q_OBJECT
  private slots:
    /// Rank 1 has not come to a scan: rank 0, before it, would have left it if data were passed on in a chain. It is not stuck.
    void scanThatIsNoChain() {
        QTemporaryDir folder;
        for (std::int32_t rank = 0; rank < 3; ++rank) {
            RecordingWriter writer(rank, 3);
            writer.call(1, 2, "MPI_Init");
            if (rank == 1)
                writer.begin(20, "MPI_Barrier").collectivePart(writer.communicator(7, {0, 1, 2}, 0, 0, 1));
            else
                writer.communicator(7, {0, 1, 2}, 0, 0, static_cast<std::uint32_t>(rank));
            if (rank != 1)
                writer.begin(20, "MPI_Exscan").collectivePart(0);
            writer.write(folder.filePath(QString::number(rank) + ".laggard").toStdString());
        }
        const TracePtr trace = openTrace(folder.path().toStdString(), {}, {});
        const WaitForVerdict verdict = buildWaitForGraph(*trace, openEnd, {}).verdict;
        QCOMPARE(verdict.ranks, RankSet{1});
        QVERIFY(verdict.confidence < 0.9);
    }

    /// Three collectives are begun and waited for together; rank 1 has begun two of them, and waits for these alone, or is in
    /// another call. The last one is what the others wait for.
    void aWaitForSeveral_data() {
        QTest::addColumn<bool>("isElsewhere");
        QTest::addColumn<bool>("isOnOthers");
        QTest::newRow("rank 1 is in another collective") << true << false;
        QTest::newRow("the last is on another communicator") << true << true;
        QTest::newRow("rank 1 waits for its own") << false << false;
    }
    void aWaitForSeveral() {
        QFETCH(bool, isElsewhere);
        QFETCH(bool, isOnOthers);
        const WaitForVerdict verdict = verdictOf([&](RecordingWriter &writer, Rank rank) {
            const std::uint32_t other = writer.communicator(7, {0, 1, 2, 3}, 0, 0, rank);
            const std::uint64_t most = rank == 1 ? 2 : 3;
            std::vector<std::uint64_t> requests;
            for (std::uint64_t request = 1; request <= most; ++request) {
                const bool isLast = request == 3 && isOnOthers;
                writer.begin(20 + 10 * request, "MPI_Iallreduce")
                    .collectivePart(isLast ? other : 0, recording::nothing, request)
                    .end(25 + 10 * request);
                requests.push_back(request);
            }
            writer.begin(100, "MPI_Waitall").awaited(requests);
            if (rank == 1 && isElsewhere)
                writer.completed(1).completed(2).end(110).begin(120, "MPI_Recv").receivePart(0, 9);
        });
        if (!isElsewhere) // nothing that rank 1 waits for is missing
            QCOMPARE(verdict.ranks, RankSet{1});
        else
            QVERIFY2(contains(verdict.ranks, 1), qPrintable(text(verdict)));
        QVERIFY2(!contains(verdict.ranks, 2) && !contains(verdict.ranks, 3), qPrintable(text(verdict)));
    }

    /// Two groups make a communicator between them: rank 1 of the first has not come, so that both groups wait for it.
    void groupsOfAnIntercommunicator() {
        QTemporaryDir folder;
        for (std::int32_t rank = 0; rank < 4; ++rank) {
            RecordingWriter writer(rank, 4);
            writer.call(1, 2, "MPI_Init");
            const bool isFirst = rank < 2;
            const std::uint32_t own = isFirst ? writer.communicator(7, {0, 1}, 0, 0, static_cast<std::uint32_t>(rank))
                                              : writer.communicator(8, {2, 3}, 0, 0, static_cast<std::uint32_t>(rank - 2));
            if (rank == 1)
                writer.begin(20, "MPI_Barrier").collectivePart(0);
            else
                writer.begin(20, "MPI_Intercomm_create").collectivePart(own);
            writer.write(folder.filePath(QString::number(rank) + ".laggard").toStdString());
        }
        const TracePtr trace = openTrace(folder.path().toStdString(), {}, {});
        const WaitForGraph graph = buildWaitForGraph(*trace, openEnd, {});
        QCOMPARE(graph.verdict.ranks, RankSet{1});
        QVERIFY2(std::ranges::any_of(graph.waits,
                                     [](const Wait &wait) {
                                         return wait.waiters == RankSet{2, 3} && wait.on == RankSet{1} && wait.confidence < 1;
                                     }),
                 "the other group waits for it, which is not certain");
    }

    /// What a wait is for was begun by an earlier call, of which the line is told.
    void mismatchOfBegunOnes() {
        const WaitForVerdict verdict = verdictOf([](RecordingWriter &writer, Rank rank) {
            writer.begin(30, "MPI_Igather").collectivePart(0, rank == 1 ? 1 : 0, 7).end(31).begin(40, "MPI_Wait").awaited({7});
        });
        QVERIFY2(verdict.kind == Kind::Mismatch, qPrintable(text(verdict)));
        QVERIFY2(text(verdict).contains("ranks 0, 2-3 are in MPI_Wait for MPI_Igather (root 0)"), qPrintable(text(verdict)));
        QVERIFY2(text(verdict).contains("rank 1 is in MPI_Wait for MPI_Igather (root 1)"), qPrintable(text(verdict)));
    }

    /// Some have left a reduction and others not: one that stands in it is enough to hold up those that get its data from it.
    void someHaveLeft_data() {
        QTest::addColumn<RankSet>("inside");
        QTest::newRow("one has not") << RankSet{1};
        QTest::newRow("two have not") << RankSet{1, 3};
    }
    void someHaveLeft() {
        QFETCH(RankSet, inside);
        const WaitForVerdict verdict = verdictOf([&](RecordingWriter &writer, Rank rank) {
            writer.begin(30, "MPI_Allreduce").collectivePart(0);
            if (!contains(inside, rank))
                writer.end(40).begin(50, "MPI_Barrier").collectivePart(0);
        });
        QVERIFY2(verdict.kind == Kind::StuckInCall, qPrintable(text(verdict)));
        QCOMPARE(verdict.ranks, inside);
        QCOMPARE(verdict.confidence<0.5, inside.size()> 1);
    }

    /// Between groups: the others take rank 0 for the root of a broadcast, and it gave MPI_PROC_NULL as rank 1 did, and went on.
    void rootThatGaveNone_data() {
        QTest::addColumn<bool>("isGiven");
        QTest::newRow("MPI_PROC_NULL") << false;
        QTest::newRow("MPI_ROOT") << true;
    }
    void rootThatGaveNone() {
        QFETCH(bool, isGiven);
        const WaitForVerdict verdict = verdictOf(
            [isGiven](RecordingWriter &writer, Rank rank) {
                const bool isFirst = rank < 2;
                const std::vector<std::uint32_t> others =
                    isFirst ? std::vector<std::uint32_t>{2, 3, 4, 5} : std::vector<std::uint32_t>{0, 1};
                const std::uint32_t between =
                    writer.communicator(9, others, recording::isIntercommunicator, 0, isFirst ? rank : rank - 2);
                const std::uint32_t root = !isFirst || (isGiven && rank == 0) ? 0 : recording::nullProcess;
                writer.begin(30, "MPI_Bcast").collectivePart(between, root);
                if (isFirst)
                    writer.end(40).begin(50, "MPI_Barrier").collectivePart(0);
            },
            6);
        QCOMPARE(verdict.kind == Kind::Mismatch, !isGiven);
        QCOMPARE(verdict.ranks == RankSet{0}, !isGiven);
        QVERIFY2(isGiven || text(verdict).contains("MPI_PROC_NULL"), qPrintable(text(verdict)));
    }

    /// Those who leave the same collective early are no mismatch.
    void leavesOfATree() {
        const WaitForVerdict verdict = verdictOf([](RecordingWriter &writer, Rank rank) {
            writer.begin(30, "MPI_Reduce").collectivePart(0, 0);
            if (rank == 2)
                writer.end(31).begin(32, "MPI_Barrier").collectivePart(0);
        });
        QVERIFY2(verdict.kind != Kind::Mismatch, qPrintable(text(verdict)));
    }

    /// A rank that left early has freed the communicator in which the others wait for it.
    void communicatorWasFreed() {
        const WaitForVerdict verdict = verdictOf([](RecordingWriter &writer, Rank rank) {
            const std::uint32_t row = writer.communicator(77, {0, 1, 2, 3}, 0, 0, rank);
            writer.collectiveCall(30, 40, "MPI_Alltoall", row);
            if (rank == 1)
                writer.collectiveCall(50, 51, "MPI_Comm_free", row).begin(60, "MPI_Finalize");
            else
                writer.begin(50, "MPI_Alltoall").collectivePart(row);
        });
        QVERIFY2(verdict.kind == Kind::LeftEarly, qPrintable(text(verdict)));
        QCOMPARE(verdict.ranks, RankSet{1});
    }

    /// Who hangs in MPI_Comm_free waits for nobody there; those in MPI_Finalize wait for it.
    void stuckInFree() {
        const WaitForVerdict verdict = verdictOf([](RecordingWriter &writer, Rank rank) {
            const std::uint32_t row = writer.communicator(77, {0, 1, 2, 3}, 0, 0, rank);
            if (rank == 1)
                writer.begin(50, "MPI_Comm_free").collectivePart(row);
            else
                writer.collectiveCall(50, 51, "MPI_Comm_free", row).begin(60, "MPI_Finalize");
        });
        QVERIFY2(verdict.kind == Kind::StuckInCall, qPrintable(text(verdict)));
        QCOMPARE(verdict.ranks, RankSet{1});
    }

    /// Whose part the root has not got is the one that has not left.
    void rootWaitsForTheLast() {
        const WaitForVerdict verdict = verdictOf([](RecordingWriter &writer, Rank rank) {
            writer.begin(30, "MPI_Reduce").collectivePart(0, 0);
            if (rank == 1 || rank == 2)
                writer.end(31).begin(32, "MPI_Barrier").collectivePart(0);
        });
        QVERIFY2(verdict.kind == Kind::StuckInCall, qPrintable(text(verdict)));
        QCOMPARE(verdict.ranks, RankSet{3});
        QVERIFY2(verdict.confidence <= 0.7, "it may be the root that is stuck");
    }

    /// In a reduction the parts of others may pass through who has not left it, in a broadcast the data: of those who lie in a
    /// tree, the end is named, and not with certainty.
    void endOfATree() {
        const WaitForVerdict reduction = verdictOf(
            [](RecordingWriter &writer, Rank rank) {
                writer.begin(30, "MPI_Reduce").collectivePart(0, 0);
                if (rank == 1 || rank == 2 || rank == 3 || rank == 5)
                    writer.end(31).begin(32, "MPI_Barrier").collectivePart(0);
            },
            8);
        QVERIFY2(reduction.kind == Kind::StuckInCall, qPrintable(text(reduction)));
        QCOMPARE(reduction.ranks, RankSet{7});
        QVERIFY2(reduction.confidence <= 0.7, "other trees are possible");
        const WaitForVerdict broadcast = verdictOf(
            [](RecordingWriter &writer, Rank rank) {
                writer.begin(30, "MPI_Bcast").collectivePart(0, 0);
                if (rank < 4)
                    writer.end(31).begin(32, "MPI_Barrier").collectivePart(0);
            },
            8);
        QVERIFY2(broadcast.kind == Kind::StuckInCall, qPrintable(text(broadcast)));
        QCOMPARE(broadcast.ranks, RankSet{4});
        QVERIFY2(broadcast.confidence <= 0.7, "other trees are possible");
    }

    /// Nobody leaves MPI_Win_free before all members have come to it.
    void windowIsFreedByAllTogether() {
        const WaitForVerdict verdict = verdictOf([](RecordingWriter &writer, Rank rank) {
            writer.begin(30, rank == 1 ? "MPI_Barrier" : "MPI_Win_free").collectivePart(0);
        });
        QVERIFY2(verdict.kind == Kind::Mismatch, qPrintable(text(verdict)));
        QCOMPARE(verdict.ranks, RankSet{1});
    }

    /// Only the neighbours wait for who has left out their exchange, so that not more are in it than are elsewhere; but most have
    /// made it.
    void neighboursWaitForOne() {
        const WaitForVerdict verdict = verdictOf([](RecordingWriter &writer, Rank rank) {
            const std::uint32_t row = writer.communicator(77, {0, 1, 2, 3}, 0, 0, rank);
            if (rank == 3)
                writer.collectiveCall(30, 40, "MPI_Neighbor_alltoall", row);
            if (rank % 2 == 0)
                writer.begin(30, "MPI_Neighbor_alltoall").collectivePart(row);
            else
                writer.begin(50, "MPI_Barrier").collectivePart(0);
        });
        QVERIFY2(verdict.kind == Kind::Mismatch, qPrintable(text(verdict)));
        QCOMPARE(verdict.ranks, RankSet{1});
    }
};

QTEST_APPLESS_MAIN(TestRecordedCollectives)
#include "tst_recordedcollectives.moc"
