// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/behaviour/Separation.h"
#include "tests/analysis/semimarkov/SyntheticJob.h"

#include <QTest>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

using namespace laggard;
using namespace laggard::test;

namespace {

constexpr Rank slowRank = 5;
constexpr std::uint32_t slowPhase = 7;

/// A job of eight ranks and twelve steps in which rank 5 took four steps' time longer in step 7.
TracePtr delayedJob() {
    SyntheticJob job;
    job.extra = [](Rank rank, int step) { return rank == slowRank && step == int(slowPhase) ? Tick{400'000} : Tick{0}; };
    return job.build();
}

} // namespace

/// What views are shown of one phase: reportOfPhase, separations, statePlaces.
class TestShownPhase : public QObject {
    Q_OBJECT
  private slots:
    void initTestCase() {
        m_trace = delayedJob();
        m_report = analyseSemiMarkov(*m_trace, {}, {}, {});
        QCOMPARE(m_report.shownPhase, slowPhase);
    }

    void anotherPhaseSharesTheTables() {
        const SemiMarkovReport other = reportOfPhase(m_report, *m_trace, 2, {});
        QCOMPARE(other.shownPhase, 2U);
        QVERIFY2(other.histories.runs.isSharedWith(m_report.histories.runs), "histories of a large job were copied");
        QVERIFY2(other.phases.spans.isSharedWith(m_report.phases.spans), "phases of a large job were copied");
        std::size_t ranks = 0;
        for (const SmmCluster &cluster : other.clusters)
            ranks += cluster.ranks.size();
        QCOMPARE(ranks, std::size_t{8});
        QVERIFY2(!other.faultyCluster && !other.setApart, "the verdict is about another phase");
        QCOMPARE(other.verdict.phase, m_report.verdict.phase);
        QCOMPARE(other.models.size(), other.clusters.size());
        double all = 0;
        for (const ClusterModel &model : other.models)
            for (const ModelTransition &transition : model.model.transitions)
                all += transition.times.count;
        RankSet everyone(8);
        std::iota(everyone.begin(), everyone.end(), Rank{0});
        double merged = 0;
        for (const ModelTransition &transition : mergedModel(m_report, 0, 2, everyone).transitions)
            merged += transition.times.count;
        QCOMPARE(all, merged);
    }

    void thereAndBackIsTheSame() {
        const SemiMarkovReport other = reportOfPhase(m_report, *m_trace, 2, {});
        const SemiMarkovReport back = reportOfPhase(other, *m_trace, slowPhase, {});
        QCOMPARE(back.clusterOf, m_report.clusterOf);
        QCOMPARE(back.faultyCluster, m_report.faultyCluster);
        QCOMPARE(back.clusterDeviation.threshold, m_report.clusterDeviation.threshold);
        QCOMPARE(back.abnormal.occurrences.size(), m_report.abnormal.occurrences.size());
    }

    void everyPhaseCanBeShown() {
        for (std::uint32_t phase = 0; phase < m_report.phases.size(); ++phase)
            QCOMPARE(reportOfPhase(m_report, *m_trace, phase, {}).shownPhase, phase);
    }

    void rangesAreThoseOfThePhases() {
        QCOMPARE(m_report.ranges.size(), m_report.phases.size());
        for (std::size_t phase = 0; phase < m_report.ranges.size(); ++phase)
            QVERIFY(m_report.ranges[phase] == m_report.phases.range(0, phase));
    }

    void separatesWhatTookLonger() {
        const ClusterCut cut = trainedCut(m_report);
        QVERIFY(cut.faulty.has_value());
        const std::vector<Separation> found = separations(m_report, cut);
        QVERIFY(!found.empty());
        QVERIFY2(found.size() <= cut.characteristic.size(), "more than the paper's characteristic transitions");
        const Separation &first = found.front();
        QVERIFY(first.what == Separation::What::Time);
        QVERIFY2(first.value > 1.1 * first.high || 1.1 * first.value < first.low, "what separates differs in time");
        for (const Separation &each : found)
            if (each.what == Separation::What::Time && &each != &first)
                QVERIFY2(each.value > 1.1 * each.high || 1.1 * each.value < each.low, "no difference to be seen");
        // The same rank among others of its cluster.
        const ClusterCut one = cutAt(m_report, 1e9, {});
        QVERIFY(one.setApart.has_value());
        const std::vector<Separation> apart = separations(m_report, one);
        QVERIFY(!apart.empty());
        QCOMPARE(apart.front().transition, first.transition);
        QVERIFY(std::abs(apart.front().value - first.value) < 1e-9);
    }

    void nobodyIsSetApartFromNobody() {
        const SemiMarkovReport other = reportOfPhase(m_report, *m_trace, 2, {});
        QVERIFY(separations(other, trainedCut(other)).empty());
    }

    void timeGoesToTheInnermostFunction() {
        // Two steps between barriers; in main, 100 ticks before the call of solve, 300 in it, of which 200 in kernel.
        TraceBuilder builder(1);
        builder.enter(0, 0, "main").call(0, 10, 20, "MPI_Barrier");
        builder.enter(0, 120, "solve").call(0, 170, 370, "kernel").leave(0, 420, "solve");
        builder.call(0, 430, 440, "MPI_Barrier").leave(0, 500, "main");
        const TracePtr trace = builder.finish(500);
        const std::array<const Trace *, 1> traces{trace.get()};
        const Histories histories = buildHistories(traces, {});
        const PhaseTable phases = wholeRunOf(histories);
        const std::vector<StatePlace> places = statePlaces(*trace, histories, phases, 0, {});
        QCOMPARE(places.size(), histories.table.states.size());
        bool found = false;
        for (std::size_t state = 0; state < places.size(); ++state) {
            if (histories.table.states[state].kind != SmmState::Kind::Computation)
                QVERIFY(places[state].region == none || histories.table.states[state].isComputation());
            else if (places[state].seconds > 150e-9) {
                QCOMPARE(QString::fromStdString(trace->regions[places[state].region].name), QString("kernel"));
                found = true;
            }
        }
        QVERIFY2(found, "most of the time between the barriers was in kernel");
    }

    /// Rank 1 never comes back from kernel: it leaves the state from there, though what follows is a part of the others' state.
    void aStateIsDividedAtItsFunctions() {
        TraceBuilder builder(2);
        for (const Rank rank : {0U, 1U}) {
            builder.enter(rank, 0, "main").call(rank, 10, 20, "MPI_Barrier");
            builder.call(rank, 20, 120, "unpack").enter(rank, 120, "kernel");
        }
        builder.leave(0, 520, "kernel").call(0, 525, 825, "update");
        builder.enter(0, 826, "end").call(0, 830, 840, "MPI_Barrier").leave(0, 850, "end").leave(0, 900, "main");
        const TracePtr trace = builder.finish(1'000'000);
        const std::array<const Trace *, 1> traces{trace.get()};
        const Histories histories = buildHistories(traces, {});
        const std::vector<StatePlace> places = statePlaces(*trace, histories, wholeRunOf(histories), 0, {});
        const auto divided = std::ranges::find_if(places, [](const StatePlace &place) { return place.parts.size() > 1; });
        QVERIFY(divided != places.end());
        QStringList names;
        for (const StatePart &part : divided->parts)
            names << QString::fromStdString(trace->regions[part.region].name);
        QCOMPARE(names, QStringList({"unpack", "kernel", "update"}));
        QVERIFY2(divided->parts[1].share > 0.9, "most of the time is that of the rank that hangs");
        bool isLeftFromKernel = false;
        for (const auto &[transition, part] : divided->leaving) {
            const bool hangs = histories.table.isCensored(transition);
            QCOMPARE(part, hangs ? std::size_t{1} : std::size_t{2});
            isLeftFromKernel = isLeftFromKernel || hangs;
        }
        QVERIFY(isLeftFromKernel);
    }

  private:
    TracePtr m_trace;
    SemiMarkovReport m_report;
};

QTEST_APPLESS_MAIN(TestShownPhase)
#include "tst_shownphase.moc"
