// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/slowness/LikeComputations.h"
#include "tests/support/TraceBuilder.h"

#include <QTest>

using namespace laggard;
using laggard::test::TraceBuilder;
using Op = CollectiveOperation;

namespace {

/// Ten steps: work of 100 (rank 2: `slow` in all but the first `quick` steps), a collective, and afterwards `behind` on rank 0.
TracePtr job(Op operation, Tick slow, Tick behind, int quick = 0) {
    TraceBuilder builder(4);
    Tick now = 10;
    for (Rank rank = 0; rank < 4; ++rank)
        builder.call(rank, 0, 10, "MPI_Init");
    for (int step = 0; step < 10; ++step) {
        const Tick meet = now + 400;
        for (Rank rank = 0; rank < 4; ++rank) {
            builder.collectiveCall(rank, now + (rank == 2 && step >= quick ? slow : 100), meet, operation, 0,
                                   operation == Op::Gather ? 0 : none);
            builder.collectiveCall(rank, meet + (rank == 0 ? behind : 1), meet + 500, Op::Barrier);
        }
        now = meet + 500;
    }
    return builder.finish(now);
}

std::vector<LikeComputation> compared(const TracePtr &trace, Tick since = 0) {
    const std::vector<const Trace *> traces{trace.get()};
    return compareLike(*trace, buildHistories(traces, {}), since, {});
}

} // namespace

class TestLikeComputations : public QObject {
    Q_OBJECT
  private slots:
    void aRankThatIsSlower() {
        const std::vector<LikeComputation> like = compared(job(Op::Allreduce, 300, 1));
        QVERIFY2(qAbs(like[2].slowness - 301.0 / 101) < 0.01, qPrintable(QString::number(like[2].slowness)));
        QVERIFY(qAbs(like[2].lost - 2000e-9) < 250e-9);
        QVERIFY(qAbs(like[1].slowness - 1) < 0.01);
        QCOMPARE(like[1].lost, 0.0);
    }

    /// On a busy machine any rank may be held up in half of its few steps.
    void aRankIsSteadilySlowerIfNearlyAllItsTimesAreLonger() {
        QVERIFY2(compared(job(Op::Allreduce, 300, 1))[2].steadily,
                 "a rank that takes three times as long in each step is slow all along");
        QVERIFY2(compared(job(Op::Allreduce, 300, 1, 1))[2].steadily, "one quick step does not change that");
        const std::vector<LikeComputation> held = compared(job(Op::Allreduce, 300, 1, 4));
        QVERIFY2(held[2].slowness > 2 && !held[2].steadily,
                 "a rank that was as quick as the others in four of ten steps is not slow all along");
        QVERIFY(!held[1].steadily);
    }

    void whatTheRootOfAGatherDoesIsComparedWithNobody() {
        QVERIFY(compared(job(Op::Allreduce, 100, 300))[0].slowness > 2);
        QCOMPARE(compared(job(Op::Gather, 100, 300))[0].slowness, 0.0);
    }

    void fewTimesTellNothing() {
        const TracePtr trace = job(Op::Allreduce, 300, 1);
        QCOMPARE(compared(trace, 7 * 900)[2].slowness, 0.0);
        QVERIFY(compared(trace, 3 * 900)[2].slowness > 2);
    }

    void whatARankLosesFromAMomentOn() {
        TraceBuilder builder(1);
        Tick now = 0;
        for (int step = 0; step < 12; ++step) {
            builder.call(0, now + (step < 6 ? 10 : 30), now + 40, "MPI_Barrier");
            now += 40;
        }
        const TracePtr trace = builder.finish(now);
        const std::vector<const Trace *> traces{trace.get()};
        const double lost = lostSince(buildHistories(traces, {}), 0, 6 * 40);
        QVERIFY2(qAbs(lost - 5 * 20e-9) < 21e-9, qPrintable(QString::number(lost)));
    }
};

QTEST_APPLESS_MAIN(TestLikeComputations)
#include "tst_likecomputations.moc"
