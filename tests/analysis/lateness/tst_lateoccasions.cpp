// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/behaviour/SemiMarkov.h"
#include "analysis/lateness/LateOccasions.h"
#include "tests/support/TraceBuilder.h"

#include <QTest>

using namespace laggard;
using laggard::test::TraceBuilder;
using Op = CollectiveOperation;

namespace {

/// "last waited members" of each occasion.
QStringList said(const LateOccasions &occasions) {
    QStringList list;
    for (const LateOccasion &occasion : occasions.all) {
        QString members;
        for (std::uint32_t i = occasion.begin; i < occasion.end; ++i)
            members += QString::number(occasions.members[i]);
        list.append(QString("%1 %2 %3")
                        .arg(occasion.last == none ? QString("-") : QString::number(occasion.last))
                        .arg(occasion.waited)
                        .arg(members));
    }
    return list;
}

QStringList inCollectives(const TracePtr &trace) { return said(lateInCollectives(*trace, trace->range, Work{})); }

} // namespace

class tst_LateOccasions : public QObject {
    Q_OBJECT
  private slots:
    void inABarrierAllWait() {
        TraceBuilder builder(3);
        builder.collectiveCall(0, 10, 105, Op::Barrier);
        builder.collectiveCall(1, 40, 105, Op::Barrier);
        builder.collectiveCall(2, 100, 105, Op::Barrier);
        QCOMPARE(inCollectives(builder.finish(105)), QStringList{"2 150 012"});
    }

    /// Members that are not the root leave as soon as they have sent.
    void inAReductionTheRootWaits() {
        TraceBuilder builder(3);
        builder.collectiveCall(0, 10, 105, Op::Reduce, 0, 0);
        builder.collectiveCall(1, 40, 42, Op::Reduce, 0, 0);
        builder.collectiveCall(2, 100, 102, Op::Reduce, 0, 0);
        QCOMPARE(inCollectives(builder.finish(105)), QStringList{"2 90 012"});
    }

    void aLateMemberOfABroadcastHoldsUpNobody() {
        TraceBuilder builder(2);
        builder.collectiveCall(0, 10, 12, Op::Bcast, 0, 0);
        builder.collectiveCall(1, 90, 92, Op::Bcast, 0, 0);
        QCOMPARE(inCollectives(builder.finish(100)), QStringList());
    }

    void ofACommunicatorItsMembersTakePart() {
        TraceBuilder builder(4);
        const CommunicatorId pair = builder.communicator({1, 3});
        builder.collectiveCall(1, 10, 60, Op::Allreduce, pair);
        builder.collectiveCall(3, 50, 60, Op::Allreduce, pair);
        builder.enter(0, 0, "work").enter(2, 0, "work");
        QCOMPARE(inCollectives(builder.finish(100)), QStringList{"3 40 13"});
    }

    void aCollectiveThatSomeDidNotCompleteIsNone() {
        TraceBuilder builder(3);
        builder.collectiveCall(0, 10, 60, Op::Barrier);
        builder.collectiveCall(1, 50, 60, Op::Barrier);
        builder.enter(2, 0, "work");
        QCOMPARE(inCollectives(builder.finish(100)), QStringList());
    }

    /// Rank 0 waits in one call for ranks 1 and 2; what came before it asked, nobody waited for.
    void inACallThatReceivesOfSeveral() {
        TraceBuilder builder(3);
        builder.sendCall(1, 20, 21, 0).sendCall(2, 60, 61, 0);
        builder.sendCall(1, 70, 71, 0).sendCall(2, 75, 76, 0);
        builder.enter(0, 10, "MPI_Waitall").receive(0, 25, 1).receive(0, 65, 2).leave(0, 66, "MPI_Waitall");
        builder.enter(0, 90, "MPI_Waitall").receive(0, 92, 1).receive(0, 93, 2).leave(0, 94, "MPI_Waitall");
        const TracePtr trace = builder.finish(100);
        QCOMPARE(said(lateInMessages(*trace, trace->range, Work{})), QStringList{"2 50 12"});
    }

    /// Six steps; in each rank 1 sends late, and rank 0 waits 30 for it.
    void inStepsWhomTheOthersWaitedForLongest() {
        TraceBuilder builder(2);
        for (Rank rank = 0; rank < 2; ++rank)
            builder.enter(rank, 0, "main");
        for (Tick step = 0; step < 6; ++step) {
            const Tick begin = 10 + step * 100;
            builder.enter(0, begin, "step").receiveCall(0, begin + 20, begin + 55, 1).leave(0, begin + 90, "step");
            builder.enter(1, begin, "step")
                .call(1, begin + 5, begin + 40, "late")
                .sendCall(1, begin + 50, begin + 56, 0)
                .leave(1, begin + 90, "step");
        }
        const TracePtr trace = builder.finish(700);
        const SemiMarkovReport models = analyseSemiMarkov(*trace, {}, SemiMarkovOptions{}, Work{});
        const std::vector<WaitSegments> waits = findWaitSegments(*trace, trace->range, Work{});
        QCOMPARE(said(lateInSteps(*trace, waits, models.phases, Work{})), QStringList(6, "1 30 01"));
    }
};

QTEST_APPLESS_MAIN(tst_LateOccasions)
#include "tst_lateoccasions.moc"
