// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/views/semimarkov/DelayedJob.h"
#include "views/charts/ChartExport.h"
#include "views/semimarkov/AxisTicks.h"
#include "views/semimarkov/ClusterLook.h"
#include "views/semimarkov/DendrogramPicture.h"
#include "views/semimarkov/DistributionPicture.h"
#include "views/semimarkov/OccurrenceListModel.h"
#include "views/semimarkov/PhaseChart.h"
#include "views/semimarkov/TransitionListModel.h"

#include <QImage>
#include <QPainter>
#include <QTest>

#include <cmath>
#include <numeric>

using namespace laggard;
using test::DelayedJob;

/// Phase chart, distributions, dendrogram and lists as plain values and as files.
class TestSemiMarkovPictures : public QObject {
    Q_OBJECT
  private slots:
    void ticks_data();
    void ticks();
    void phaseChartMarksTheFaultyPhase();
    void phaseChartTellsVerdictFromHighestScore();
    void firstChartIsWhatTheVerdictRestsOn();
    void firstChartOfALastingChangeIsWhatChanged();
    void phaseChartHasTheReferencesAsABand();
    void distributionsAddUp();
    void distributionsOfFarTimesAreLogarithmic();
    void dendrogramPlacesEveryRankOnce_data();
    void dendrogramPlacesEveryRankOnce();
    void dendrogramHasEveryClusterInItsColour();
    void nextThresholdChangesTheNumberByOne();
    void lists();
    void files_data();
    void files();
};

void TestSemiMarkovPictures::ticks_data() {
    QTest::addColumn<double>("from");
    QTest::addColumn<double>("to");
    QTest::addColumn<QList<double>>("ticks");
    QTest::newRow("fives") << 0.0 << 20.0 << QList<double>{0, 5, 10, 15, 20};
    QTest::newRow("twos") << 1.0 << 7.0 << QList<double>{2, 4, 6};
    QTest::newRow("small") << 0.0 << 0.04 << QList<double>{0, 0.01, 0.02, 0.03, 0.04};
    QTest::newRow("nothing") << 3.0 << 3.0 << QList<double>{};
}

void TestSemiMarkovPictures::ticks() {
    QFETCH(double, from);
    QFETCH(double, to);
    QFETCH(QList<double>, ticks);
    const std::vector<double> found = linearTicks(from, to, 4);
    QCOMPARE(found.size(), static_cast<std::size_t>(ticks.size()));
    for (std::size_t i = 0; i < found.size(); ++i)
        QVERIFY(std::abs(found[i] - ticks[static_cast<qsizetype>(i)]) < 1e-9);
}

void TestSemiMarkovPictures::phaseChartMarksTheFaultyPhase() {
    const DelayedJob job;
    for (const PhaseMetric metric : phaseMetrics(*job.report)) {
        const Chart chart = phaseChart(*job.trace, *job.report, metric);
        QCOMPARE(chart.items.size(), std::size_t{12});
        QVERIFY(chart.series.front().emphasised[DelayedJob::slowPhase]);
        QCOMPARE(std::count(chart.series.front().emphasised.begin(), chart.series.front().emphasised.end(), true), 1);
    }
    const Chart models = phaseChart(*job.trace, *job.report, PhaseMetric::SmmPhases);
    const std::vector<double> &values = models.series.front().values;
    QCOMPARE(std::max_element(values.begin(), values.end()) - values.begin(), std::ptrdiff_t{DelayedJob::slowPhase});
    QCOMPARE(models.marks.size(), std::size_t{1});
    QCOMPARE(models.marks.front().text, QString("verdict: phase 7"));
}

void TestSemiMarkovPictures::phaseChartTellsVerdictFromHighestScore() {
    const DelayedJob job;
    SemiMarkovReport &report = *std::const_pointer_cast<SemiMarkovReport>(job.report);
    report.deviation.self[3] = 2 * report.deviation.self[DelayedJob::slowPhase];
    const Chart chart = phaseChart(*job.trace, report, PhaseMetric::SmmPhases);
    QCOMPARE(chart.marks.size(), std::size_t{2});
    QCOMPARE(chart.marks[0].item, std::size_t{DelayedJob::slowPhase});
    QCOMPARE(chart.marks[1].item, std::size_t{3});
    QCOMPARE(chart.marks[1].text, QString("highest score: phase 3"));
    QVERIFY2(chart.remarks.last().startsWith("Red is"), qPrintable(chart.remarks.last()));
    report.verdict.kind = SemiMarkovVerdict::Kind::Permanent;
    QCOMPARE(phaseChart(*job.trace, report, PhaseMetric::SmmPhases).marks[0].text, QString("verdict: from phase 7 on"));
    report.verdict.phase.reset();
    QVERIFY(phaseChart(*job.trace, report, PhaseMetric::SmmPhases).marks.empty());
}

void TestSemiMarkovPictures::firstChartIsWhatTheVerdictRestsOn() {
    const DelayedJob job;
    SemiMarkovReport &report = *std::const_pointer_cast<SemiMarkovReport>(job.report);
    QVERIFY(report.verdict.phase.has_value());
    report.deviation.samples.clear();
    report.deviation.samplesComputation.clear();
    const std::size_t phases = report.phases.size();
    report.deviation.self.assign(phases, 400); // another phase scores higher by models …
    report.deviation.self[*report.verdict.phase] = 18;
    report.deviation.selfComputation.assign(phases, 1); // … and the one that is named by computation
    report.deviation.selfComputation[*report.verdict.phase] = 9;
    QCOMPARE(metricOfVerdict(report), PhaseMetric::ComputationPhases);
    report.verdict.phase.reset();
    QCOMPARE(metricOfVerdict(report), phaseMetrics(report).front());
}

/// A lasting change need not make its first phase unlike the others: the chart shows what became slower.
void TestSemiMarkovPictures::firstChartOfALastingChangeIsWhatChanged() {
    const DelayedJob job;
    SemiMarkovReport &report = *std::const_pointer_cast<SemiMarkovReport>(job.report);
    report.verdict.kind = SemiMarkovVerdict::Kind::Permanent;
    report.verdict.shift = PermanentShift{DelayedJob::slowPhase, 3, 5.2, 0.9};
    const std::size_t ranks = report.phases.ranks();
    report.times.slowness.assign(report.phases.size() * ranks, 1);
    for (std::size_t phase = DelayedJob::slowPhase; phase < report.phases.size(); ++phase)
        report.times.slowness[phase * ranks + 3] = 5.2;
    report.times.slowness[3] = 0; // it did not compute in phase 0
    QCOMPARE(metricOfVerdict(report), PhaseMetric::RankSlowness);
    QCOMPARE(metricName(report, PhaseMetric::RankSlowness), QString("Computing of rank 3"));
    const Chart chart = phaseChart(*job.trace, report, PhaseMetric::RankSlowness);
    const std::vector<double> &values = chart.series.front().values;
    QVERIFY(std::isnan(values[0]) && values[1] == 1 && values[DelayedJob::slowPhase] == 5.2);
    QCOMPARE(chart.marks.size(), std::size_t{1});
    QCOMPARE(chart.marks.front().text, QString("verdict: from phase 7 on"));
    report.verdict.shift->rank = none;
    QCOMPARE(metricOfVerdict(report), PhaseMetric::PhaseLength);
    const Chart lengths = phaseChart(*job.trace, report, PhaseMetric::PhaseLength);
    QVERIFY(!lengths.unit.isEmpty());
    const double most = *std::max_element(lengths.series.front().values.begin(), lengths.series.front().values.end());
    QVERIFY2(most >= 1 && most < 1000, "the unit is one in which lengths can be read");
}

void TestSemiMarkovPictures::phaseChartHasTheReferencesAsABand() {
    const DelayedJob job(3);
    QCOMPARE(phaseMetrics(*job.report).front(), PhaseMetric::SmmSamples);
    const Chart chart = phaseChart(*job.trace, *job.report, PhaseMetric::SmmSamples);
    QCOMPARE(chart.ribbons.size(), std::size_t{1});
    const ChartRibbon &band = chart.ribbons.front();
    for (std::size_t phase = 0; phase < chart.items.size(); ++phase)
        QVERIFY(band.low[phase] <= band.high[phase]);
    QVERIFY2(chart.series.front().values[DelayedJob::slowPhase] > band.high[DelayedJob::slowPhase],
             "the faulty phase lies above the band");
    QVERIFY(phaseChart(*job.trace, *job.report, PhaseMetric::SmmPhases).ribbons.empty());
}

void TestSemiMarkovPictures::distributionsAddUp() {
    const DelayedJob job;
    for (const TransitionUse &use : transitionUses(job.cut)) {
        const DistributionPicture picture = makeDistributions(*job.trace, *job.report, job.cut, use.transition);
        QCOMPARE(picture.rows.size(), use.uses.size());
        QVERIFY(std::is_sorted(picture.edges.begin(), picture.edges.end()));
        for (const DistributionRow &row : picture.rows) {
            const double sum = std::accumulate(row.shares.begin(), row.shares.end(), 0.0);
            QVERIFY2(std::abs(sum - 1) < 1e-9, qPrintable(QString("shares of %1 add up to %2").arg(row.name).arg(sum)));
            QVERIFY(std::accumulate(row.gaussian.begin(), row.gaussian.end(), 0.0) <= 1 + 1e-9);
        }
    }
}

void TestSemiMarkovPictures::distributionsOfFarTimesAreLogarithmic() {
    test::SyntheticJob slow;
    slow.extra = [](Rank rank, int step) { return rank == 5 && step == 7 ? Tick{40'000'000} : Tick{0}; };
    const TracePtr trace = slow.build();
    const SemiMarkovReport report = analyseSemiMarkov(*trace, {}, {}, {});
    const ClusterCut cut = trainedCut(report);
    QVERIFY(report.verdict.occurrence);
    const DistributionPicture picture = makeDistributions(*trace, report, cut, report.verdict.occurrence->transition);
    QVERIFY2(picture.logarithmic, "times that are 400 times apart need a logarithmic axis");
    QCOMPARE(picture.rows.front().cluster, *cut.faulty);
    QVERIFY2(!picture.rows.front().marks.empty(), "the delay is marked as abnormal");
    QVERIFY(makeDistributions(*trace, report, cut, 100'000).rows.empty());
}

void TestSemiMarkovPictures::dendrogramPlacesEveryRankOnce_data() {
    QTest::addColumn<int>("rows");
    QTest::newRow("all") << 100;
    QTest::newRow("folded") << 3;
    QTest::newRow("one") << 1;
}

void TestSemiMarkovPictures::dendrogramPlacesEveryRankOnce() {
    QFETCH(int, rows);
    const DelayedJob job;
    const DendrogramPicture picture = makeDendrogram(*job.trace, *job.report, job.cut, static_cast<std::size_t>(rows));
    QCOMPARE(picture.rows.size(), std::min(static_cast<std::size_t>(rows), job.report->hierarchy.leaves.size()));
    QCOMPARE(picture.joins.size(), picture.rows.size() - 1);
    RankSet ranks;
    for (const DendrogramRow &row : picture.rows)
        ranks.insert(ranks.end(), row.ranks.begin(), row.ranks.end());
    std::sort(ranks.begin(), ranks.end());
    QCOMPARE(ranks, (RankSet{0, 1, 2, 3, 4, 5, 6, 7}));
    for (const DendrogramJoin &join : picture.joins) {
        QVERIFY(join.top < join.bottom);
        QVERIFY(join.height <= picture.largest && join.height >= std::max(join.topHeight, join.bottomHeight));
    }
}

void TestSemiMarkovPictures::dendrogramHasEveryClusterInItsColour() {
    const DelayedJob job;
    const DendrogramPicture picture = makeDendrogram(*job.trace, *job.report, job.cut, 100);
    QImage image(800, 400, QImage::Format_RGB32);
    const Theme theme = Theme::of(QPalette(Qt::white, Qt::white));
    image.fill(theme.background);
    QPainter painter(&image);
    paintDendrogram(painter, image.rect(), picture, job.cut, theme);
    painter.end();
    const DendrogramGeometry at = dendrogramGeometry(picture, image.rect());
    for (std::size_t row = 0; row < picture.rows.size(); ++row) {
        const QRgb hue = penOf(clusterLook(job.cut, picture.rows[row].cluster), theme.background).color().rgb();
        bool found = false;
        for (int y = -2; y <= 2; ++y)
            for (int x = 3; x < 12; ++x)
                found = found ||
                        image.pixel(static_cast<int>(at.x(0)) + x, static_cast<int>(at.y(static_cast<double>(row))) + y) == hue;
        QVERIFY2(found, qPrintable(QString("row %1 of cluster %2").arg(row).arg(clusterLabel(picture.rows[row].cluster))));
    }
}

void TestSemiMarkovPictures::nextThresholdChangesTheNumberByOne() {
    Dendrogram tree;
    tree.leaves = 4;
    tree.merges = {{0, 1, 1, 2}, {2, 3, 2, 2}, {4, 5, 7, 4}};
    const auto clusters = [&](double threshold) {
        const std::vector<std::uint32_t> cut = tree.cut(threshold);
        return *std::max_element(cut.begin(), cut.end()) + 1;
    };
    double threshold = 0.1;
    for (std::uint32_t expected = 3; expected >= 1; --expected) {
        threshold = nextThreshold(tree, threshold, 1);
        QCOMPARE(clusters(threshold), expected);
    }
    QCOMPARE(nextThreshold(tree, threshold, 1), threshold);
    for (std::uint32_t expected = 2; expected <= 4; ++expected) {
        threshold = nextThreshold(tree, threshold, -1);
        QCOMPARE(clusters(threshold), expected);
    }
    tree.natural = 1; // the last merge is never made
    QCOMPARE(clusters(nextThreshold(tree, 4, 1)), 2U);
    QCOMPARE(nextThreshold(Dendrogram(), 3, 1), 3.0);
}

void TestSemiMarkovPictures::lists() {
    const DelayedJob job;
    TransitionListModel transitions;
    transitions.show(job.report.get(), std::make_shared<const ClusterCut>(job.cut), std::nullopt, 0);
    QCOMPARE(static_cast<std::size_t>(transitions.rowCount()), transitionUses(job.cut).size());
    const QModelIndex first = transitions.index(0, 0);
    QCOMPARE(transitions.transitionOf(first), job.cut.characteristic.front().transition);
    QCOMPARE(first.data().toString(), QString("1"));
    QCOMPARE(transitions.indexOf(transitions.transitionOf(first)), first);
    OccurrenceListModel occurrences;
    occurrences.show(job.trace, job.report.get(), std::make_shared<const ClusterCut>(job.cut),
                     job.report->verdict.occurrence->transition);
    QCOMPARE(occurrences.rowCount(), 8); // each rank once in the phase
    QCOMPARE(occurrences.occurrence(occurrences.index(0, 0)).rank, DelayedJob::slowRank);
    QCOMPARE(occurrences.indexesOf({DelayedJob::slowRank}, std::nullopt), QModelIndexList{occurrences.index(0, 0)});
    occurrences.show(nullptr, nullptr, nullptr, 0);
    QCOMPARE(occurrences.rowCount(), 0);
}

void TestSemiMarkovPictures::files_data() {
    QTest::addColumn<QString>("path");
    QTest::addColumn<QByteArray>("begin");
    QTest::newRow("svg") << "x.svg" << QByteArray("<?xml");
    QTest::newRow("png") << "x.png" << QByteArray("\x89PNG");
    QTest::newRow("pdf") << "x.pdf" << QByteArray("%PDF");
}

void TestSemiMarkovPictures::files() {
    QFETCH(QString, path);
    QFETCH(QByteArray, begin);
    const DelayedJob job(2);
    const PictureFormat format = framedFormat(path);
    const std::uint32_t transition = job.report->verdict.occurrence->transition;
    const QByteArray files[] = {
        renderFramed(framed(makeDistributions(*job.trace, *job.report, job.cut, transition), job.cut), format),
        renderFramed(framed(makeDendrogram(*job.trace, *job.report, job.cut, 50), job.cut), format),
        renderChart(phaseChart(*job.trace, *job.report, PhaseMetric::SmmSamples), format)};
    for (const QByteArray &file : files) {
        QVERIFY(file.startsWith(begin));
        if (format == PictureFormat::Svg)
            QVERIFY2(file.contains("8 ranks"), "the picture says of which trace it is");
    }
    QVERIFY_THROWS_EXCEPTION(PictureError, (void)framedFormat("x.dot"));
}

QTEST_MAIN(TestSemiMarkovPictures)
#include "tst_semimarkovpictures.moc"
