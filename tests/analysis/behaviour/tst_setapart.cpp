// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/behaviour/SemiMarkov.h"
#include "tests/analysis/semimarkov/SyntheticJob.h"

#include <QTest>

#include <algorithm>

using namespace laggard;
using test::SyntheticJob;

/// Clusters as they are cut, and the verdict's ranks beside them.
class TestSetApart : public QObject {
    Q_OBJECT
  private slots:
    void theVerdictHasNoPartInTheClusters();
    void clustersFollowTheRankNumbers_data();
    void clustersFollowTheRankNumbers();
    void twoThatAreAsSlowStandTogether();
    void sentences();
};

namespace {

/// With one run without a fault as its reference.
SemiMarkovReport analysed(const SyntheticJob &job) {
    SyntheticJob clean;
    clean.seed = 100;
    return analyseSemiMarkov(*job.build(), {{clean.build()}}, {}, {});
}

} // namespace

/// The same trace twice; whom the waits lead to is the verdict of a hang inside MPI.
void TestSetApart::theVerdictHasNoPartInTheClusters() {
    const TracePtr trace = test::hungInSend().build();
    SemiMarkovOptions options;
    options.leastProgressed = {6};
    const SemiMarkovReport four = analyseSemiMarkov(*trace, {}, {}, {});
    const SemiMarkovReport six = analyseSemiMarkov(*trace, {}, options, {});
    QCOMPARE(four.verdict.ranks, RankSet{4});
    QCOMPARE(six.verdict.ranks, RankSet{6});
    QCOMPARE(four.clusterOf, six.clusterOf);
    QCOMPARE(four.clusterOf, four.hierarchy.clusters(four.clusterDeviation.threshold));
    for (std::size_t c = 0; c < four.clusters.size(); ++c) {
        QCOMPARE(four.clusters[c].smm, six.clusters[c].smm);
        QCOMPARE(four.clusters[c].cluster, six.clusters[c].cluster);
        QCOMPARE(four.clusters[c].contrast, six.clusters[c].contrast);
    }
    for (std::size_t i = 0; i < four.clusterAnswers.size(); ++i)
        QCOMPARE(four.clusterAnswers[i].cluster.value_or(none), six.clusterAnswers[i].cluster.value_or(none));
    for (std::size_t i = 0; i < four.transitionAnswers.size(); ++i)
        QCOMPARE(four.transitionAnswers[i].transitions, six.transitionAnswers[i].transitions);
    QVERIFY2(six.setApart && six.setApart->ranks == RankSet{6}, "rank 6 waits like others");
    QVERIFY2(!four.setApart, "rank 4 alone is in MPI_Send");
}

/// Who is with whom, and who is set apart, goes with what ranks do and not with their numbers.
void TestSetApart::clustersFollowTheRankNumbers_data() {
    QTest::addColumn<unsigned>("slow"); // how many
    QTest::addColumn<Rank>("rotate");
    for (const unsigned slow : {1U, 2U, 7U})
        for (const Rank rotate : {1U, 3U, 6U})
            QTest::addRow("%u slow, rotated by %u", slow, rotate) << slow << rotate;
}

void TestSetApart::clustersFollowTheRankNumbers() {
    QFETCH(unsigned, slow);
    QFETCH(Rank, rotate);
    SyntheticJob job;
    job.extra = [slow](Rank rank, int step) { return step == 7 && rank < slow ? Tick{2'000'000} : 0; };
    const SemiMarkovReport before = analysed(job);
    job.rotate = rotate;
    const SemiMarkovReport after = analysed(job);
    const auto role = [&](Rank rank) { return (rank + rotate) % job.ranks; };
    QCOMPARE(after.clusters.size(), before.clusters.size());
    for (Rank a = 0; a < job.ranks; ++a)
        for (Rank b = 0; b < a; ++b)
            QCOMPARE(after.clusterOf[a] == after.clusterOf[b], before.clusterOf[role(a)] == before.clusterOf[role(b)]);
    QCOMPARE(after.setApart.has_value(), before.setApart.has_value());
    if (!after.setApart)
        return;
    RankSet apart;
    for (const Rank rank : after.setApart->ranks)
        apart.push_back(role(rank));
    std::sort(apart.begin(), apart.end());
    QCOMPARE(apart, before.setApart->ranks);
}

/// Ranks 2 and 5 take as much longer in step 7: neither is set apart from the other.
void TestSetApart::twoThatAreAsSlowStandTogether() {
    SyntheticJob job;
    job.extra = [](Rank rank, int step) -> Tick { return step == 7 && (rank == 2 || rank == 5) ? 9'000'000 : 0; };
    const SemiMarkovReport two = analysed(job);
    QCOMPARE(two.clusters[*two.faultyCluster].ranks, (RankSet{2, 5}));
}

void TestSetApart::sentences() {
    QCOMPARE(QString::fromStdString(describe({0, {3}, false, {}}, {1, 2, 3})),
             QString("The verdict's rank 3 is in the cluster of ranks 1-3: the cut alone does not set it apart."));
    QCOMPARE(QString::fromStdString(describe({0, {2, 3}, false, {}}, {1, 2, 3})),
             QString("The verdict's ranks 2 and 3 are in the cluster of ranks 1-3: the cut alone does not set them apart."));
    QCOMPARE(QString::fromStdString(describe({0, {2, 3}, true, {}}, {1, 2, 3})),
             QString("The verdict's rank is in the cluster of ranks 1-3; its branch of the dendrogram has ranks 2 and 3."));
}

QTEST_APPLESS_MAIN(TestSetApart)
#include "tst_setapart.moc"
