// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/verdict/LeftFunction.h"
#include "analysis/waitfor/WaitForGraph.h"
#include "tests/support/TraceBuilder.h"

#include <QTest>

using namespace laggard;
using laggard::test::TraceBuilder;

namespace {

WaitForGraph activitiesOf(const Trace &trace) {
    WaitForGraph graph;
    graph.at = trace.range.end;
    for (Rank rank = 0; rank < trace.processes.size(); ++rank) {
        const Track &track = trace.mainEvents(rank)->track;
        Activity activity;
        activity.row = track.innermostOpen();
        activity.callPath = activity.row == none ? none : track.callPath[activity.row];
        activity.kind = rank == 2 ? Activity::Kind::Finalizing : Activity::Kind::Collective;
        graph.activities.push_back(activity);
    }
    return graph;
}

} // namespace

/// Where a rank that left early parted from the others.
class TestLeftFunction : public QObject {
    Q_OBJECT
  private slots:
    /// The others are in main, solve, sum and MPI_Allreduce. Rank 2 was in all of them, the last time in solve until 40.
    void theOutermostFunctionThatWasLeft() {
        TraceBuilder builder(3);
        for (Rank rank = 0; rank < 3; ++rank) {
            builder.enter(rank, 0, "main").enter(rank, 1, "solve").enter(rank, 2, "sum");
            builder.collectiveCall(rank, 5, 10, CollectiveOperation::Allreduce);
        }
        builder.leave(2, 30, "sum").leave(2, 40, "solve").enter(2, 50, "MPI_Finalize");
        for (Rank rank = 0; rank < 2; ++rank)
            builder.enter(rank, 60, "MPI_Allreduce");
        const TracePtr trace = builder.finish(100);
        WaitForGraph graph = activitiesOf(*trace);
        const std::optional<LeftFunction> left = functionLeftBy(*trace, graph, 2);
        QVERIFY(left.has_value());
        QCOMPARE(trace->region(left->callPath).name, std::string("solve"));
        QCOMPARE(left->returned, Tick{40});
        // Before that it had left nothing but its call.
        graph.at = 35;
        const std::optional<LeftFunction> before = functionLeftBy(*trace, graph, 2);
        QCOMPARE(trace->region(before->callPath).name, std::string("sum"));
        QCOMPARE(before->returned, Tick{30});
    }

    void nothingWithoutFunctionsOfTheProgram() {
        TraceBuilder builder(3);
        builder.enter(0, 10, "MPI_Allreduce")
            .enter(1, 10, "MPI_Allreduce")
            .call(2, 0, 5, "MPI_Bcast")
            .enter(2, 50, "MPI_Finalize");
        const TracePtr trace = builder.finish(100);
        QVERIFY(!functionLeftBy(*trace, activitiesOf(*trace), 2));
    }
};

QTEST_APPLESS_MAIN(TestLeftFunction)
#include "tst_leftfunction.moc"
