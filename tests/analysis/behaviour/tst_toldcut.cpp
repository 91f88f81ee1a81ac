// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/behaviour/ClusterCut.h"
#include "analysis/behaviour/ToldCut.h"
#include "tests/support/TraceBuilder.h"

#include <QTest>

#include <cmath>
#include <random>

using namespace laggard;
using test::TraceBuilder;

namespace {

constexpr Rank ranks = 8;
constexpr int steps = 8;

/// Steps of a millisecond: a broadcast, a very short computation, a reduction, and a long computation before an all-reduce. Rank
/// 0 takes as many ticks (nanoseconds) as are given for the short one, the others 200; and so many more for the long one.
TracePtr job(Tick shortOfRank0, Tick moreOfRank0, bool skips = false) {
    TraceBuilder builder(ranks);
    std::mt19937 random(7);
    std::normal_distribution<double> spread(1, 0.02);
    const auto about = [&](Tick ticks) { return static_cast<Tick>(static_cast<double>(ticks) * spread(random)); };
    Tick now = 1000;
    for (Rank rank = 0; rank < ranks; ++rank)
        builder.enter(rank, now, "main").call(rank, now + 10, now + 500, "MPI_Init");
    now += 1000;
    for (int step = 0; step < steps; ++step) {
        Tick meet = 0;
        for (Rank rank = 0; rank < ranks; ++rank) {
            builder.enter(rank, now, "step").call(rank, now + 10, now + 1000, "MPI_Bcast");
            const Tick reduce = now + 1000 + about(rank == 0 ? shortOfRank0 : 200);
            if (!skips || rank != 0)
                builder.call(rank, reduce, now + 4000, "MPI_Reduce");
            builder.enter(rank, now + 4010, "flux");
            const Tick done = now + 4010 + about(1'000'000) + (rank == 0 ? moreOfRank0 : 0);
            builder.leave(rank, done, "flux").enter(rank, done + 10, "MPI_Allreduce");
            meet = std::max(meet, done + 10);
        }
        for (Rank rank = 0; rank < ranks; ++rank)
            builder.leave(rank, meet + 20, "MPI_Allreduce").leave(rank, meet + 50, "step");
        now = meet + 60;
    }
    for (Rank rank = 0; rank < ranks; ++rank)
        builder.call(rank, now, now + 100, "MPI_Finalize").leave(rank, now + 200, "main");
    return builder.finish(now + 300);
}

SemiMarkovReport analysed(const TracePtr &trace, std::uint32_t clusters = 0) {
    SemiMarkovOptions options;
    options.phase = "step";
    options.clusters = clusters;
    SemiMarkovReport report = analyseSemiMarkov(*trace, {}, options, {});
    // What is asked here is the cut alone, whatever the run as a whole is said to be.
    report.faultyCluster.reset();
    report.setApart.reset();
    report.told = toldCut(report);
    return report;
}

} // namespace

/// Clusters are told as behaviour if their difference matters to somebody.
class TestToldCut : public QObject {
    Q_OBJECT
  private slots:
    void aMicrosecondMattersToNobody() {
        const SemiMarkovReport report = analysed(job(1600, 0));
        QCOMPARE(report.clusters.size(), std::size_t{2}); // the paper's cut: eight times as long is far away
        QVERIFY(report.told.has_value());
        QCOMPARE(report.told->clusters, (std::vector<RankSet>{{0, 1, 2, 3, 4, 5, 6, 7}}));
        QVERIFY2(report.told->threshold > report.clusterDeviation.threshold, "it lies above the trained one");
        QVERIFY2(report.told->seconds < 0.05 * report.told->phaseSeconds, "a twentieth of the phase would matter");
        QVERIFY(report.told->transition != none);
        const ClusterCut cut = openingCut(report);
        QCOMPARE(cut.clusters.size(), std::size_t{1});
        QVERIFY2(!cut.trained, "it is not the cut that was trained");
        QCOMPARE(cut.clusterOf, std::vector<std::uint32_t>(ranks, 0));
        const ClusterCut same = cutAt(report, report.told->threshold, {});
        QCOMPARE(same.clusterOf, cut.clusterOf);
        const std::vector<ModelTransition> &ofRanks = same.clusters.front().model.transitions;
        const std::vector<ModelTransition> &joined = cut.clusters.front().model.transitions;
        QCOMPARE(joined.size(), ofRanks.size());
        for (std::size_t i = 0; i < joined.size(); ++i) { // sums in another order differ in their last digits
            QCOMPARE(joined[i].transition, ofRanks[i].transition);
            QCOMPARE(joined[i].times.count, ofRanks[i].times.count);
            QVERIFY(std::abs(joined[i].times.mean - ofRanks[i].times.mean) <= 1e-9 * ofRanks[i].times.mean);
        }
    }

    void aPartOfThePhaseDoes() {
        const SemiMarkovReport report = analysed(job(200, 7'000'000));
        QVERIFY(report.clusters.size() > 1);
        QVERIFY(!report.told.has_value());
        QCOMPARE(openingCut(report).clusters.size(), report.clusters.size());
    }

    void otherCallsDoHoweverShort() {
        const SemiMarkovReport report = analysed(job(200, 0, true));
        QVERIFY(report.clusters.size() > 1);
        for (const RankSet &told : report.told ? report.told->clusters : std::vector<RankSet>())
            QVERIFY2(told == RankSet{0} || told.front() != 0, "rank 0 makes no MPI_Reduce");
    }

    void aNumberThatWasAskedForIsKept() { QVERIFY(!analysed(job(1600, 0), 2).told.has_value()); }

    void theVerdictsClusterIsKept() {
        SemiMarkovReport report = analysed(job(1600, 0));
        report.faultyCluster = 0;
        QVERIFY(!toldCut(report).has_value());
    }
};

QTEST_APPLESS_MAIN(TestToldCut)
#include "tst_toldcut.moc"
