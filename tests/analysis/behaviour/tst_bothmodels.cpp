// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/behaviour/BothModels.h"

#include "tests/support/TraceBuilder.h"

#include <QTest>

using namespace laggard;
using laggard::test::TraceBuilder;

namespace {

/// Two ranks, four rounds of "solve", `solve` ticks long, and MPI_Barrier; then MPI_Bcast, if wanted.
TracePtr runOf(Tick solve, bool withBcast, std::size_t ranks = 2) {
    TraceBuilder builder(ranks);
    Tick end = 0;
    for (Rank rank = 0; rank < ranks; ++rank) {
        Tick now = 0;
        builder.enter(rank, now, "main");
        for (int round = 0; round < 4; ++round) {
            builder.call(rank, now, now + solve, "solve").call(rank, now + solve, now + solve + 10, "MPI_Barrier");
            now += solve + 10;
        }
        if (withBcast)
            builder.call(rank, now + 5, now + 15, "MPI_Bcast");
        builder.leave(rank, now + 20, "main");
        end = now + 20;
    }
    return builder.finish(end);
}

const BothTransition *find(const BothModels &models, const std::string &text) {
    for (const BothTransition &each : models.transitions)
        if (describeTransition(models.table, each.transition) == text)
            return &each;
    return nullptr;
}

} // namespace

class TestBothModels : public QObject {
    Q_OBJECT
  private slots:
    void whatIsSlowerComesFirst() {
        const BothModels models = compareModelsOf(*runOf(1000, false), *runOf(100, false), Work{});
        QVERIFY(!models.transitions.empty());
        const BothTransition &first = models.transitions.front();
        QCOMPARE(describeTransition(models.table, first.transition),
                 std::string("after MPI_Barrier in main \u2192 MPI_Barrier in main"));
        QVERIFY2(first.differs, "a computation ten times as long is told");
        QCOMPARE(first.times[0].mean, 1000e-9);
        QCOMPARE(first.times[1].mean, 100e-9);
        QCOMPARE(first.times[0].count, 6.0);
        QCOMPARE(first.probability[0], 0.75);
    }
    void whatOneRunAloneDoes() {
        const BothModels models = compareModelsOf(*runOf(100, true), *runOf(100, false), Work{});
        const BothTransition *bcast = find(models, "after MPI_Barrier in main \u2192 MPI_Bcast in main");
        QVERIFY(bcast != nullptr);
        QCOMPARE(bcast->times[0].count, 2.0);
        QCOMPARE(bcast->times[1].count, 0.0);
        QVERIFY(bcast->differs);
    }
    void aRunBesideItselfHasNoDifference() {
        const TracePtr run = runOf(100, true);
        for (const BothTransition &each : compareModelsOf(*run, *run, Work{}).transitions) {
            QVERIFY(!each.differs);
            QCOMPARE(each.excess(), 0.0);
            QCOMPARE(each.probability[0], each.probability[1]);
        }
    }
    /// What is compared are means and shares: of twice as many ranks they are the same.
    void otherNumbersOfRanks() {
        const BothModels models = compareModelsOf(*runOf(100, true, 4), *runOf(100, true), Work{});
        for (const BothTransition &each : models.transitions) {
            QVERIFY2(!each.differs, describeTransition(models.table, each.transition).c_str());
            QCOMPARE(each.times[0].count, 2 * each.times[1].count);
        }
    }
    void runsWithoutCalls() {
        const TracePtr nothing = TraceBuilder(2).finish(10);
        QVERIFY(compareModelsOf(*nothing, *nothing, Work{}).transitions.empty());
    }
};

QTEST_APPLESS_MAIN(TestBothModels)
#include "tst_bothmodels.moc"
