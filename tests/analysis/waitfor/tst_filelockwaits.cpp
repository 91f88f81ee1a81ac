// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/waitfor/WaitForGraph.h"
#include "tests/support/TraceBuilder.h"

#include <QTest>

#include <algorithm>

using namespace laggard;
using laggard::test::TraceBuilder;

namespace {

/// Ranks 1 and 2 are in a barrier; rank 0 is outside MPI and, by what the system said at 500, in the lock of a file that `holder`
/// has.
WaitForGraph graphOf(Rank holder, Tick at = 1000) {
    TraceBuilder builder(3);
    for (Rank rank = 0; rank < 3; ++rank)
        builder.call(rank, 10, 20, "MPI_Init");
    builder.enter(0, 100, "work");
    builder.enter(1, 100, "MPI_Barrier");
    builder.enter(2, 100, "MPI_Barrier");
    const auto trace = std::const_pointer_cast<Trace>(builder.finish(1000));
    trace->tellsOpenCalls = true;
    trace->processes[0].fileLockOf = holder;
    trace->processes[0].fileLockSeen = 500;
    return buildWaitForGraph(*trace, at, {});
}

std::optional<RankSet> awaited(const WaitForGraph &graph) {
    const auto wait = std::ranges::find(graph.waits, Wait::Kind::FileLock, &Wait::kind);
    return wait == graph.waits.end() ? std::nullopt : std::optional(wait->on);
}

} // namespace

class TestFileLockWaits : public QObject {
    Q_OBJECT
  private slots:
    void whoWaitsForALockIsNotTheEnd() {
        const WaitForGraph graph = graphOf(2);
        QCOMPARE(awaited(graph), std::optional(RankSet{2}));
        QVERIFY2(std::ranges::find(graph.verdict.ranks, Rank{2}) != graph.verdict.ranks.end(), graph.verdict.why.c_str());
        QVERIFY2(std::ranges::find(graph.verdict.ranks, Rank{1}) == graph.verdict.ranks.end(), graph.verdict.why.c_str());
    }
    void withoutAHolderItIs() {
        const WaitForGraph graph = graphOf(none);
        QVERIFY(!awaited(graph));
        QCOMPARE(graph.verdict.ranks, RankSet{0});
    }
    void nobodyWaitsForItselfOrForNoRank() {
        QVERIFY(!awaited(graphOf(0)));
        QVERIFY(!awaited(graphOf(77)));
    }
    void beforeItWasSeenNothingIsKnown() { QVERIFY(!awaited(graphOf(2, 400))); }
};

QTEST_APPLESS_MAIN(TestFileLockWaits)
#include "tst_filelockwaits.moc"
