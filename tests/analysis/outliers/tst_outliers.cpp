// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/outliers/Outliers.h"
#include "analysis/words/OutlierWords.h"
#include "ingest/Format.h"
#include "tests/support/TraceBuilder.h"

#include <QFileInfo>
#include <QTest>

#include <algorithm>
#include <random>

using namespace laggard;
using laggard::test::TraceBuilder;

namespace {

/// Each rank spends its parts of 1000 ticks in "compute", "exchange" and MPI_Wait.
TracePtr job(const std::vector<std::array<unsigned, 3>> &parts, Tick offset = 0, Tick unit = 1) {
    TraceBuilder builder(static_cast<Rank>(parts.size()));
    for (Rank rank = 0; rank < parts.size(); ++rank) {
        Tick now = offset;
        const char *const names[] = {"compute", "exchange", "MPI_Wait"};
        for (int i = 0; i < 3; ++i) {
            if (parts[rank][i] != 0)
                builder.call(rank, now, now + parts[rank][i] * unit, names[i]);
            now += parts[rank][i] * unit;
        }
    }
    return builder.finish(offset + 1000 * unit);
}

const std::vector<std::array<unsigned, 3>> slowRank2 = {{300, 100, 600}, {310, 100, 590}, {850, 100, 50},  {305, 100, 595},
                                                        {295, 100, 605}, {300, 100, 600}, {300, 102, 598}, {301, 100, 599}};

QList<unsigned> suspectsOf(const Ranking &ranking) {
    QList<unsigned> ranks;
    for (std::size_t i = 0; i < ranking.suspects; ++i)
        ranks.append(ranking.scores[i].rank);
    return ranks;
}

/// 0 of a rank that is not in the ranking: it has no time of that kind.
double scoreOf(const Ranking &ranking, Rank rank) {
    const auto found =
        std::find_if(ranking.scores.begin(), ranking.scores.end(), [rank](const SuspectScore &s) { return s.rank == rank; });
    return found == ranking.scores.end() ? 0 : found->score();
}

} // namespace

class tst_Outliers : public QObject {
    Q_OBJECT
  private slots:
    void aSlowRank() {
        const OutlierReport report = findOutliers(*job(slowRank2), {}, {}, Work{});
        QCOMPARE(suspectsOf(report.withoutMpi), QList<unsigned>{2});
        // k = max(4, 8/4): the 4th of 0.54, 0.545, 0.549, 0.55 (twice, and 0.552), 0.555 is 0.55.
        const SuspectScore &first = report.withoutMpi.scores.front();
        QCOMPARE(report.withoutMpi.k, 4U);
        QVERIFY(qAbs(first.unsupervised - 0.55) < 1e-6);
        const ProfileComponent &component = report.withoutMpi.profiles->components[first.contributions.front().component];
        QCOMPARE(component.stack.front(), std::string("compute"));
        QVERIFY(first.contributions.front().difference > 0);
        QCOMPARE(report.findings.front().ranks, RankSet{2});
        QCOMPARE(report.findings.front().function, std::string("compute"));
    }

    void aRankWhoseEventsWereLostIsNoSuspect() {
        const TracePtr trace = job(slowRank2);
        for (Location &location : std::const_pointer_cast<Trace>(trace)->locations)
            location.damaged = location.rank == 2;
        const OutlierReport report = findOutliers(*trace, {}, {}, Work{});
        QVERIFY2(suspectsOf(report.withoutMpi).empty(), "what was lost makes it differ");
        QVERIFY(report.findings.empty());
    }

    void invariantUnderUnitAndShift() {
        const OutlierReport report = findOutliers(*job(slowRank2), {}, {}, Work{});
        const OutlierReport other = findOutliers(*job(slowRank2, 5'000'000, 1000), {}, {}, Work{});
        for (Rank rank = 0; rank < slowRank2.size(); ++rank)
            QVERIFY(qAbs(scoreOf(report.withMpi, rank) - scoreOf(other.withMpi, rank)) < 1e-7);
    }

    void invariantUnderRenumbering() {
        std::vector<std::size_t> order = {5, 2, 7, 0, 1, 6, 4, 3};
        std::vector<std::array<unsigned, 3>> shuffled;
        for (const std::size_t from : order)
            shuffled.push_back(slowRank2[from]);
        const OutlierReport report = findOutliers(*job(slowRank2), {}, {}, Work{});
        const OutlierReport other = findOutliers(*job(shuffled), {}, {}, Work{});
        for (Rank rank = 0; rank < order.size(); ++rank)
            QCOMPARE(scoreOf(other.withMpi, rank), scoreOf(report.withMpi, static_cast<Rank>(order[rank])));
    }

    void oneClassIsNeverAbove() {
        std::mt19937 random(3);
        for (int round = 0; round < 20; ++round) {
            std::vector<std::array<unsigned, 3>> trial;
            std::vector<std::array<unsigned, 3>> known;
            for (int i = 0; i < 9; ++i) {
                const unsigned a = random() % 500;
                const unsigned b = random() % 500;
                (i % 2 == 0 ? trial : known).push_back({a, b, 1000 - a - b});
                trial.push_back({b, a, 1000 - a - b});
            }
            const TracePtr reference = job(known);
            const OutlierReport report = findOutliers(*job(trial), std::span(&reference, 1), {}, Work{});
            for (const Ranking *ranking : {&report.withMpi, &report.withoutMpi})
                for (const SuspectScore &score : ranking->scores)
                    QVERIFY2(score.oneClass && *score.oneClass <= score.unsupervised,
                             "one-class takes the smaller distance (5.8)");
        }
    }

    /// Thesis §5.1.2.3: a master is unlike its workers, but so it was in the reference.
    void theReferenceExcusesTheMaster() {
        std::vector<std::array<unsigned, 3>> parts(8, {300, 100, 600});
        parts[0] = {10, 700, 290};
        const TracePtr reference = job(parts);
        parts[5] = {900, 50, 50};
        const OutlierReport alone = findOutliers(*job(parts), {}, {}, Work{});
        QVERIFY2(suspectsOf(alone.withMpi).contains(0U), "without a reference the master is an outlier");
        const OutlierReport compared = findOutliers(*job(parts), std::span(&reference, 1), {}, Work{});
        QCOMPARE(suspectsOf(compared.withMpi), QList<unsigned>{5});
        QVERIFY(scoreOf(compared.withMpi, 0) < 1e-6);
    }

    void contributionsAddUpToTheScore() {
        const OutlierReport report = findOutliers(*job(slowRank2), {}, {}, Work{});
        for (const SuspectScore &score : report.withMpi.scores) {
            double sum = 0;
            double before = 10;
            for (const ProfileDifference &c : score.contributions) {
                QVERIFY(std::abs(c.difference) <= before);
                before = std::abs(c.difference);
                sum += before;
            }
            QVERIFY(qAbs(sum - score.score()) < 1e-6);
        }
    }

    void allAlike() {
        const std::vector<std::array<unsigned, 3>> parts(6, {300, 100, 600});
        const OutlierReport report = findOutliers(*job(parts), {}, {}, Work{});
        QVERIFY(report.findings.empty());
        QCOMPARE(describe(report), std::string("No rank spends its time differently from the rest."));
    }

    void waitingIsNoGuilt() {
        // Rank 3 waits longer in MPI than the others and computes as they do, in less time of its own.
        std::vector<std::array<unsigned, 3>> parts(8, {400, 100, 500});
        parts[3] = {385, 95, 520};
        parts[3] = {380, 90, 530};
        const OutlierReport report = findOutliers(*job(parts), {}, {}, Work{});
        QVERIFY(suspectsOf(report.withoutMpi).isEmpty());
    }

    /// All others wait nearly all the time for one that computes: it is the odd one, though nobody else computes.
    void whereMostWait() {
        std::vector<std::array<unsigned, 3>> parts(8, {5, 5, 990});
        parts[4] = {980, 10, 10};
        const OutlierReport report = findOutliers(*job(parts), {}, {}, Work{});
        QCOMPARE(suspectsOf(report.withoutMpi), QList<unsigned>{4});
    }

    void theMasterWorkerThatBecameSlow() {
        const QString path = QStringLiteral(LAGGARD_TRACES "/slow-master-worker");
        if (!QFileInfo::exists(path))
            QSKIP("The trace slow-master-worker is not there");
        const TracePtr trace = openTrace(path.toStdString(), {}, Work{});
        for (const auto by : {ProfileOptions::By::CallPath, ProfileOptions::By::Function}) {
            const OutlierReport report = findOutliers(*trace, {}, {.by = by}, Work{});
            QVERIFY2(report.failStop.stopped.empty(), "the job finished: nothing stopped");
            QCOMPARE(report.withoutMpi.scores.front().rank, 7U);
            QVERIFY(scoreOf(report.withoutMpi, 0) < report.withoutMpi.scores.front().score());
            QVERIFY2(report.withMpi.scores.front().rank == 0, "with MPI time the master, which only waits, is the odd one");
            const SuspectScore &first = report.withoutMpi.scores.front();
            const ProfileComponent &component = report.withoutMpi.profiles->components[first.contributions.front().component];
            QCOMPARE(component.stack[0], std::string("busy"));
            if (by == ProfileOptions::By::CallPath) {
                QCOMPARE(component.stack[1], std::string("compute_kernel"));
                QVERIFY(describe(*trace, report, report.findings.front()).find("busy, called from compute_kernel") !=
                        std::string::npos);
            }
        }
    }
};

QTEST_APPLESS_MAIN(tst_Outliers)
#include "tst_outliers.moc"
