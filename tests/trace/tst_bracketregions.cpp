// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace/BracketRegions.h"

#include "tests/support/TraceBuilder.h"

#include <QTest>

using namespace laggard;
using test::TraceBuilder;

namespace {

/// Four ranks that send in "loop"; rank 0 does so within "wall_time", `calls` times, from 2 ticks after it was entered on.
TracePtr traceWith(int calls, Tick ownTime) {
    TraceBuilder builder(4);
    for (Rank rank = 1; rank < 4; ++rank) {
        builder.enter(rank, 0, "loop");
        for (Tick i = 0; i < 4; ++i)
            builder.call(rank, 10 + i * 100, 100 + i * 100, "MPI_Send");
        builder.leave(rank, 900, "loop");
    }
    builder.enter(0, 0, "loop").enter(0, 10 - std::min<Tick>(ownTime, 10), "wall_time");
    for (int i = 0; i < calls; ++i)
        builder.call(0, 10 + static_cast<Tick>(i) * 10, 20 + static_cast<Tick>(i) * 10, "MPI_Send");
    const Tick end = 10 + static_cast<Tick>(calls) * 10;
    builder.leave(0, end + ownTime, "wall_time").leave(0, 900, "loop");
    return builder.finish(1000);
}

std::size_t changed(const TracePtr &trace) {
    const std::vector<CallPathId> plain = withoutBrackets(*trace, Work{});
    std::size_t count = 0;
    for (CallPathId path = 0; path < plain.size(); ++path)
        count += plain[path] != path ? 1 : 0;
    return count;
}

} // namespace

class TestBracketRegions : public QObject {
    Q_OBJECT
  private slots:
    void aLevelThatTracingAdds() {
        const TracePtr trace = traceWith(4, 0);
        const std::vector<CallPathId> plain = withoutBrackets(*trace, Work{});
        const Track &first = trace->mainEvents(0)->track;
        const Track &other = trace->mainEvents(1)->track;
        QCOMPARE(plain[first.callPath[1]], first.callPath[0]); // wall_time: its caller
        QCOMPARE(plain[first.callPath[2]], other.callPath[1]); // MPI_Send in it: as on the others
        QCOMPARE(plain[first.callPath[0]], first.callPath[0]);
        QCOMPARE(changed(trace), std::size_t{2});
    }
    /// Two levels, one of which is entered twice as its own caller.
    void levelsInLevels() {
        TraceBuilder builder(4);
        for (Rank rank = 1; rank < 4; ++rank)
            builder.enter(rank, 0, "loop")
                .call(rank, 10, 500, "MPI_Send")
                .call(rank, 500, 900, "MPI_Barrier")
                .leave(rank, 900, "loop");
        builder.enter(0, 0, "loop").enter(0, 10, "wall_time").enter(0, 10, "in_loop").call(0, 10, 400, "MPI_Send");
        builder.enter(0, 400, "in_loop").call(0, 400, 800, "MPI_Barrier").leave(0, 800, "in_loop");
        builder.leave(0, 800, "in_loop").leave(0, 800, "wall_time").leave(0, 900, "loop");
        const TracePtr trace = builder.finish(1000);
        const std::vector<CallPathId> plain = withoutBrackets(*trace, Work{});
        const Track &first = trace->mainEvents(0)->track;
        const Track &other = trace->mainEvents(1)->track;
        for (const std::size_t row : {1, 2, 4})
            QCOMPARE(plain[first.callPath[row]], first.callPath[0]);
        QCOMPARE(plain[first.callPath[3]], other.callPath[1]);
        QCOMPARE(plain[first.callPath[5]], other.callPath[2]);
    }
    /// A master that takes far more messages than the others does something else.
    void aFunctionWithManyMoreCalls() { QCOMPARE(changed(traceWith(9, 0)), std::size_t{0}); }
    void aFunctionThatComputes() { QCOMPARE(changed(traceWith(4, 20)), std::size_t{0}); }
    /// Score-P's own regions: however many ranks have them, and however long they take.
    void regionsOfTheMeasurementSystem() {
        const TracePtr trace = traceWith(4, 20);
        for (Region &region : std::const_pointer_cast<Trace>(trace)->regions)
            if (region.name == "wall_time")
                region.paradigm = Paradigm::MeasurementSystem;
        QCOMPARE(changed(trace), std::size_t{2});
    }
    void nothingToCompare() {
        QCOMPARE(changed(TraceBuilder(1).call(0, 0, 10, "MPI_Barrier").finish(20)), std::size_t{0});
        QCOMPARE(changed(TraceBuilder(2).finish(20)), std::size_t{0});
    }
};

QTEST_APPLESS_MAIN(TestBracketRegions)
#include "tst_bracketregions.moc"
