// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/automaded/TransitionAnalysis.h"
#include "analysis/behaviour/PhaseTimes.h"
#include "tests/analysis/semimarkov/SyntheticJob.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>

using namespace laggard;

/// Usual and unusual times, units, θ (AutomaDeD §4.4).
class TestUsualTimes : public QObject {
    Q_OBJECT
  private slots:
    void trimsAtLeastOneValue();
    void aTransitionsLongestPhaseMayBeLeftOut();
    void unitIsTheMedianWithoutReferences();
    void earliestImprobableTransition();
    void nothingImprobable();
    void aStateNeverSeenIsUnusual();
    void theFirstPhaseKnowsAnotherUsualTimeThanTheOthers();
    void ofManyUnusualOnesTheFirstAndTheMostImprobableAreKept();
    void laterThetaMustBeLarger();
    void thetaFindsTheRankThatVaries();
    void busiestFunction();
    void lagsWithinTheBudget();
};

namespace {

struct Analysed {
    TracePtr trace;
    Histories histories;
    PhaseTable phases;
    ModelScale scale;
    explicit Analysed(const test::SyntheticJob &job) : Analysed(job.build()) {}
    explicit Analysed(TracePtr analysed) : trace(std::move(analysed)) {
        const std::vector<const Trace *> traces{trace.get()};
        histories = buildHistories(traces, {});
        phases = findPhases(traces, histories, "step", 0, {});
        scale = makeScale(histories, phases, DistributionKind::Gaussian, 1e-9, {});
    }
    [[nodiscard]] UsualTimes usual(std::size_t without = none) const {
        return UsualTimes(histories, phases, [&](std::size_t, std::size_t p) { return p != without; }, false, {});
    }
    /// The transition whose source is described so.
    [[nodiscard]] std::uint32_t from(const std::string &state) const {
        for (std::uint32_t t = 0; t < histories.table.transitions.size(); ++t)
            if (describe(histories.table.from(t)) == state)
                return t;
        return none;
    }
};

} // namespace

void TestUsualTimes::trimsAtLeastOneValue() {
    test::SyntheticJob job;
    job.noise = 0;
    job.extra = [](Rank rank, int step) {
        return rank == 3 && step == 5 ? Tick{900'000} : rank == 2 && step == 5 ? Tick{50} : 0;
    };
    const Analysed a(job);
    const UsualTimes usual = a.usual();
    // Flux takes 100,000 ticks and 20 around it; one of 96 is a million and is left out, the next one has 50 more.
    const std::uint32_t t = a.from("after MPI_Send in step");
    QVERIFY(usual.isKnown(t));
    QVERIFY2(std::abs(usual.largest(t) - 100'070e-9) < 1e-12, qPrintable(QString::number(usual.largest(t) * 1e9)));
}

void TestUsualTimes::aTransitionsLongestPhaseMayBeLeftOut() {
    test::SyntheticJob job;
    job.noise = 0;
    job.extra = [](Rank, int step) { return step == 5 ? Tick{900'000} : step == 6 ? Tick{50} : 0; };
    const Analysed a(job);
    const std::uint32_t t = a.from("after MPI_Send in step");
    const std::vector<std::uint32_t> longest = longestPhases(a.histories, a.phases, {});
    QCOMPARE(longest[t], 5U);
    const auto all = [](std::size_t, std::size_t) { return true; };
    // All ranks took a million in phase 5, too many to be the longest 1 %.
    QVERIFY(std::abs(a.usual().largest(t) - 1'000'020e-9) < 1e-12);
    const UsualTimes usual(a.histories, a.phases, all, false, {}, longest);
    QVERIFY2(std::abs(usual.largest(t) - 100'070e-9) < 1e-12, qPrintable(QString::number(usual.largest(t) * 1e9)));
}

void TestUsualTimes::unitIsTheMedianWithoutReferences() {
    test::SyntheticJob job;
    job.noise = 0;
    job.extra = [](Rank rank, int step) { return rank == 3 && step == 5 ? Tick{1'000'000'000} : 0; };
    const Analysed a(job);
    QVERIFY2(std::abs(a.scale.unit[a.from("after MPI_Send in step")] - 100'020e-9) < 1e-12, "one delay does not move the unit");
}

void TestUsualTimes::earliestImprobableTransition() {
    test::SyntheticJob job;
    job.extra = [](Rank rank, int step) { return step != 5 ? 0 : rank == 3 ? Tick{5'000'000} : 0; };
    const Analysed a(job);
    const AbnormalTransitions found = abnormalTransitions(a.histories, a.phases, a.usual(5), a.scale, 5);
    QVERIFY(found.division && !found.occurrences.empty());
    QCOMPARE(found.occurrences.front().rank, 3U);
    QCOMPARE(found.occurrences.front().transition, a.from("after MPI_Send in step"));
    QVERIFY(found.occurrences.front().excess > 4.9e-3);
}

void TestUsualTimes::nothingImprobable() {
    const Analysed a(test::SyntheticJob{});
    const AbnormalTransitions found = abnormalTransitions(a.histories, a.phases, a.usual(5), a.scale, 5);
    QVERIFY2(found.occurrences.size() <= 1, "in a quiet phase, there is no class of improbable transitions");
}

/// Six steps of two ranks: 90 µs of code and 10 µs of MPI_Allreduce each. In step 4, rank 1 probes at 50 µs, for 10 µs: what it
/// does from then to 90 µs, MPI_Probe and the code after it, is in no other step.
void TestUsualTimes::aStateNeverSeenIsUnusual() {
    test::TraceBuilder builder(2);
    for (Rank rank = 0; rank < 2; ++rank) {
        builder.enter(rank, 0, "main");
        for (Tick step = 0; step < 6; ++step) {
            const Tick begin = 1 + step * 110'000;
            builder.enter(rank, begin, "step");
            if (rank == 1 && step == 4)
                builder.call(rank, begin + 50'000, begin + 60'000, "MPI_Probe");
            builder.call(rank, begin + 90'000, begin + 100'000, "MPI_Allreduce").leave(rank, begin + 105'000, "step");
        }
        builder.leave(rank, 700'000, "main");
    }
    const Analysed a(builder.finish(700'000));
    const auto newOnes = [&](const UsualTimes &usual) {
        std::vector<Occurrence> found = abnormalTransitions(a.histories, a.phases, usual, a.scale, 4).occurrences;
        std::erase_if(found, [](const Occurrence &o) { return !std::isinf(o.logDensity); });
        return found;
    };
    const auto firstPhase = [](std::size_t, std::size_t p) { return p == 0; };
    for (const UsualTimes &usual : {a.usual(4), UsualTimes(a.histories, a.phases, firstPhase, false, {})}) {
        const std::vector<Occurrence> found = newOnes(usual);
        QCOMPARE(found.size(), std::size_t{2});
        QCOMPARE(found[0].rank, 1U);
        QCOMPARE(found[0].transition, a.from("MPI_Probe in step"));
        QCOMPARE(found[0].time.begin, Tick{490'001});
        QCOMPARE(found[1].rank, 1U);
        QCOMPARE(found[1].transition, a.from("after MPI_Probe in step"));
        QVERIFY(std::abs(found[1].seconds - 30e-6) < 1e-12);
    }
    QVERIFY2(newOnes(a.usual()).empty(), "what was seen once has no usual time, and is not new");
    const UsualTimes nothing(a.histories, a.phases, [](std::size_t, std::size_t) { return false; }, false, {});
    QVERIFY2(abnormalTransitions(a.histories, a.phases, nothing, a.scale, 4).occurrences.empty(),
             "without anything to compare with all would be new");
}

/// Flux takes twice as long from step 3 on.
void TestUsualTimes::theFirstPhaseKnowsAnotherUsualTimeThanTheOthers() {
    test::SyntheticJob job;
    job.extra = [](Rank, int step) { return step >= 3 ? Tick{100'000} : 0; };
    const Analysed a(job);
    const UsualTimes first(a.histories, a.phases, [](std::size_t, std::size_t p) { return p == 0; }, false, {});
    const AbnormalTransitions byFirst = abnormalTransitions(a.histories, a.phases, first, a.scale, 5);
    QCOMPARE(byFirst.occurrences.size(), std::size_t{8});
    for (const Occurrence &o : byFirst.occurrences)
        QCOMPARE(o.transition, a.from("after MPI_Send in step"));
    const AbnormalTransitions byOthers = abnormalTransitions(a.histories, a.phases, a.usual(5), a.scale, 5);
    QVERIFY(std::none_of(byOthers.occurrences.begin(), byOthers.occurrences.end(),
                         [&](const Occurrence &o) { return o.transition == a.from("after MPI_Send in step"); }));
}

/// Flux takes twice as long from step 3 on, on 250 ranks.
void TestUsualTimes::ofManyUnusualOnesTheFirstAndTheMostImprobableAreKept() {
    test::SyntheticJob job;
    job.ranks = 250;
    job.extra = [](Rank, int step) { return step >= 3 ? Tick{100'000} : 0; };
    const Analysed a(job);
    const UsualTimes first(a.histories, a.phases, [](std::size_t, std::size_t p) { return p == 0; }, false, {});
    const std::vector<Occurrence> found = abnormalTransitions(a.histories, a.phases, first, a.scale, 5).occurrences;
    QCOMPARE(found.size(), std::size_t{200});
    std::set<Rank> kept;
    double leastImprobable = -std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < found.size(); ++i) {
        QVERIFY2(kept.insert(found[i].rank).second, "one of each rank");
        QVERIFY2(i == 0 || found[i - 1].time.begin <= found[i].time.begin, "by start");
        leastImprobable = i == 0 ? leastImprobable : std::max(leastImprobable, found[i].logDensity);
    }
    RankSet all(250);
    std::iota(all.begin(), all.end(), Rank{0});
    for (const Occurrence &o : occurrencesOf(a.histories, a.phases, found.front().transition, 5, all)) {
        QVERIFY2(o.time.begin >= found.front().time.begin, "the first of all is kept");
        const double logDensity = first.logDensity(o.transition, o.seconds, a.scale);
        QVERIFY2(kept.contains(o.rank) || logDensity >= leastImprobable, "the most improbable ones are kept");
    }
}

void TestUsualTimes::laterThetaMustBeLarger() {
    const Theta early{0, 0, 0, 1.0, 2.0, 0};
    const Theta late{0, 1, 0, 3.0, 5.0, 0};
    // Two phases of one second later: the later one needs more than 2 · (1 + 2) = 6.
    QVERIFY(isBetter(early, late, 1));
    QVERIFY(!isBetter(late, early, 1));
    const Theta larger{0, 1, 0, 3.0, 7.0, 0};
    QVERIFY(isBetter(larger, early, 1));
    QVERIFY(!isBetter(early, larger, 1));
    QVERIFY2(isBetter(late, early, 10), "Δ is in phase lengths");
}

void TestUsualTimes::thetaFindsTheRankThatVaries() {
    test::SyntheticJob job;
    job.extra = [](Rank rank, int step) { return rank == 6 && step >= 7 ? Tick{300'000} : 0; };
    const Analysed a(job);
    const PhaseDeviation deviation = phaseDeviations(a.histories, a.phases, a.scale, Histogram::maxBuckets, {});
    const std::vector<Theta> ranking = thetaRanking(a.histories, a.phases, a.scale, deviation, 150e-6, {});
    QVERIFY(!ranking.empty() && ranking.size() <= 256);
    const auto flux = std::find_if(ranking.begin(), ranking.end(), [&](const Theta &t) {
        return t.rank == 6 && t.transition == a.from("after MPI_Send in step");
    });
    QVERIFY(flux != ranking.end());
    QCOMPARE(flux->phase, 7U);
}

void TestUsualTimes::busiestFunction() {
    test::TraceBuilder builder(1);
    builder.enter(0, 0, "main")
        .call(0, 5, 10, "short")
        .enter(0, 10, "outer")
        .call(0, 12, 80, "inner")
        .leave(0, 90, "outer")
        .leave(0, 100, "main");
    const TracePtr trace = builder.finish(100);
    const auto busiest = [&](Tick from, Tick to) {
        return QString::fromStdString(trace->region(busiestCallPath(*trace, 0, {from, to})).name);
    };
    QCOMPARE(busiest(0, 100), QString("inner"));
    QCOMPARE(busiest(65, 95), QString("inner"));
    QCOMPARE(busiest(78, 95), QString("outer"));
    QCOMPARE(busiest(91, 95), QString("main"));
}

void TestUsualTimes::lagsWithinTheBudget() {
    QCOMPARE(comparedLags(4, 1, 1e8).size(), std::size_t{3});
    QCOMPARE(comparedLags(1, 1, 1e8).size(), std::size_t{0});
    QCOMPARE(comparedLags(1000, 1e4, 1e8), (std::vector<std::uint32_t>{1, 2, 3, 4, 6, 8, 12, 16, 24, 32}));
    QCOMPARE(comparedLags(1000, 1e9, 1e8), (std::vector<std::uint32_t>{1, 2}));
    // The budget grows with the trace between two bounds.
    QCOMPARE(comparisonBudget(1000), 2e7);
    QCOMPARE(comparisonBudget(20'000'000), 4e7);
    QCOMPARE(comparisonBudget(1'000'000'000), 1e8);
}

QTEST_APPLESS_MAIN(TestUsualTimes)
#include "tst_usualtimes.moc"
