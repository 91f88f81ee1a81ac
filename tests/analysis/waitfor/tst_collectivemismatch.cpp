// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/waitfor/WaitForGraph.h"
#include "tests/support/TraceBuilder.h"

#include <QStringList>
#include <QTest>

using namespace laggard;
using laggard::test::TraceBuilder;
using Kind = WaitForVerdict::Kind;

/// What is made of an archive, in which calls do not say on entry on which communicator they are. (Of recordings:
/// tst_recordedcollectives, tst_collectiveopinion.)
class TestCollectiveMismatch : public QObject {
    Q_OBJECT
  private slots:
    void openCalls_data() {
        QTest::addColumn<QStringList>("calls"); // by rank; empty: it computes
        QTest::addColumn<RankSet>("odd");
        QTest::newRow("one has left out a call")
            << QStringList{"MPI_Allreduce", "MPI_Barrier", "MPI_Allreduce", "MPI_Allreduce"} << RankSet{1};
        QTest::newRow("two and two") << QStringList{"MPI_Allreduce", "MPI_Barrier", "MPI_Barrier", "MPI_Allreduce"} << RankSet{};
        QTest::newRow("all the same") << QStringList{"MPI_Allreduce", "MPI_Allreduce", "MPI_Allreduce", "MPI_Allreduce"}
                                      << RankSet{};
        QTest::newRow("somebody computes") << QStringList{"MPI_Allreduce", "MPI_Barrier", "MPI_Allreduce", ""} << RankSet{};
        QTest::newRow("somebody waits for a message")
            << QStringList{"MPI_Allreduce", "MPI_Barrier", "MPI_Allreduce", "MPI_Recv"} << RankSet{};
    }
    void openCalls() {
        QFETCH(QStringList, calls);
        QFETCH(RankSet, odd);
        TraceBuilder builder(4);
        for (Rank rank = 0; rank < 4; ++rank) {
            builder.enter(rank, 1, "main").call(rank, 2, 3, "MPI_Init");
            for (Tick time = 10; time < 50; time += 10)
                builder.collectiveCall(rank, time, time + 5, CollectiveOperation::Bcast, 0, 0);
            if (!calls[static_cast<qsizetype>(rank)].isEmpty())
                builder.enter(rank, 60, calls[static_cast<qsizetype>(rank)].toStdString());
        }
        const WaitForVerdict verdict = buildWaitForGraph(*builder.finish(1000), openEnd, {}).verdict;
        QCOMPARE(verdict.kind == Kind::Mismatch, !odd.empty());
        QVERIFY2(odd.empty() || verdict.ranks == odd, verdict.why.c_str());
        QVERIFY2(odd.empty() || verdict.confidence < 0.5, "which communicators they are on is not known");
    }
};

QTEST_APPLESS_MAIN(TestCollectiveMismatch)
#include "tst_collectivemismatch.moc"
