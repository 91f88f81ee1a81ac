// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/automaded/Clustering.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <random>
#include <set>

using namespace laggard;

class TestClustering : public QObject {
    Q_OBJECT
  private slots:
    void byHand();
    void agreesWithTheObviousAlgorithm();
    void naturalGroupsStayApart();
    void leadersNeverJoinTooEarly();
    void threshold_data();
    void threshold();
    void mirkinByHand();
    void mirkinAgreesWithCountingPairs();
};

namespace {

std::vector<std::pair<double, double>> randomPoints(std::mt19937 &random, std::size_t count) {
    std::uniform_real_distribution<double> value(0, 10);
    std::vector<std::pair<double, double>> points(count);
    for (auto &p : points)
        p = {value(random), value(random)};
    return points;
}

double between(const std::pair<double, double> &a, const std::pair<double, double> &b) {
    return static_cast<float>(std::hypot(a.first - b.first, a.second - b.second));
}

/// Joins the two closest clusters again and again (AutomaDeD §3.4, word by word).
std::vector<std::uint32_t> obvious(std::size_t points, const PointDistance &distance, double threshold) {
    std::vector<std::vector<std::size_t>> clusters;
    for (std::size_t i = 0; i < points; ++i)
        clusters.push_back({i});
    while (clusters.size() > 1) {
        double best = 1e300;
        std::size_t x = 0, y = 0;
        for (std::size_t a = 0; a < clusters.size(); ++a)
            for (std::size_t b = a + 1; b < clusters.size(); ++b)
                for (const std::size_t i : clusters[a])
                    for (const std::size_t j : clusters[b])
                        if (distance(i, j) < best) {
                            best = distance(i, j);
                            x = a;
                            y = b;
                        }
        if (best > threshold)
            break;
        clusters[x].insert(clusters[x].end(), clusters[y].begin(), clusters[y].end());
        clusters.erase(clusters.begin() + static_cast<std::ptrdiff_t>(y));
    }
    for (auto &c : clusters)
        std::sort(c.begin(), c.end());
    std::sort(clusters.begin(), clusters.end());
    std::vector<std::uint32_t> result(points);
    for (std::uint32_t c = 0; c < clusters.size(); ++c)
        for (const std::size_t i : clusters[c])
            result[i] = c;
    return result;
}

Dendrogram withHeights(const std::vector<double> &heights) {
    Dendrogram result;
    result.leaves = heights.size() + 1;
    for (std::uint32_t i = 0; i < heights.size(); ++i)
        result.merges.push_back({i == 0 ? 0 : static_cast<std::uint32_t>(result.leaves) + i - 1, i + 1, heights[i], i + 2});
    return result;
}

} // namespace

void TestClustering::byHand() {
    const std::vector<double> x{0, 1, 5, 7};
    const Dendrogram tree = singleLinkage(4, [&](std::size_t a, std::size_t b) { return std::abs(x[a] - x[b]); }, {}, {});
    QCOMPARE(tree.merges.size(), std::size_t{3});
    QCOMPARE(tree.merges[0].height, 1.0); // 0 and 1
    QCOMPARE(tree.merges[1].height, 2.0); // 5 and 7
    QCOMPARE(tree.merges[2].height, 4.0);
    QCOMPARE(tree.merges[2].size, 4U);
    QCOMPARE(tree.cut(2), (std::vector<std::uint32_t>{0, 0, 1, 1}));
    QCOMPARE(tree.cut(1.5), (std::vector<std::uint32_t>{0, 0, 1, 2}));
    QVERIFY(singleLinkage(0, {}, {}, {}).merges.empty());
    QCOMPARE(singleLinkage(1, {}, {}, {}).cut(1), std::vector<std::uint32_t>{0});
}

void TestClustering::agreesWithTheObviousAlgorithm() {
    std::mt19937 random(11);
    for (int round = 0; round < 30; ++round) {
        const auto points = randomPoints(random, 2 + static_cast<std::size_t>(round));
        const auto distance = [&](std::size_t a, std::size_t b) { return between(points[a], points[b]); };
        const Dendrogram tree = singleLinkage(points.size(), distance, {}, {});
        for (const double threshold : {0.5, 1.0, 2.0, 4.0})
            QCOMPARE(tree.cut(threshold), obvious(points.size(), distance, threshold));
        const Dendrogram all = singleLinkageByLeaders(points.size(), points.size(), distance, {}, {});
        QVERIFY(all.exact);
        QCOMPARE(all.cut(1.5), tree.cut(1.5));
    }
}

void TestClustering::naturalGroupsStayApart() {
    // Point 2 is 10 away from everybody: without groups it bridges 0 and 1, which are 50 apart.
    const auto distance = [](std::size_t a, std::size_t b) { return a == 2 || b == 2 ? 10.0 : 50.0; };
    QCOMPARE(singleLinkage(3, distance, {}, {}).cut(20), (std::vector<std::uint32_t>{0, 0, 0}));
    const std::vector<std::uint32_t> groups{0, 0, 1};
    const Dendrogram tree = singleLinkage(3, distance, groups, {});
    QCOMPARE(tree.natural, std::size_t{1});
    QCOMPARE(tree.cut(20), (std::vector<std::uint32_t>{0, 1, 2}));
    QCOMPARE(tree.cut(1000), (std::vector<std::uint32_t>{0, 0, 1}));
}

void TestClustering::leadersNeverJoinTooEarly() {
    std::mt19937 random(12);
    for (int round = 0; round < 20; ++round) {
        const auto points = randomPoints(random, 200);
        const auto distance = [&](std::size_t a, std::size_t b) { return between(points[a], points[b]); };
        const Dendrogram exact = singleLinkage(points.size(), distance, {}, {});
        const Dendrogram quick = singleLinkageByLeaders(points.size(), 40, distance, {}, {});
        QCOMPARE(quick.leaders, std::size_t{40});
        QVERIFY(!quick.exact && quick.errorBound > 0);
        for (std::size_t i = 0; i < exact.merges.size(); ++i) {
            QVERIFY2(quick.merges[i].height >= exact.merges[i].height - 1e-6, "a height may not be too small");
            QVERIFY2(quick.merges[i].height <= exact.merges[i].height + quick.errorBound + 1e-6,
                     "and not too large by more than the bound");
        }
    }
}

void TestClustering::threshold_data() {
    QTest::addColumn<QList<double>>("heights");
    QTest::addColumn<int>("clusters");
    QTest::addColumn<double>("expected");
    QTest::newRow("two clusters: between the last merge within and the next") << QList<double>{1, 2, 8} << 2 << 5.0;
    QTest::newRow("three clusters") << QList<double>{1, 2, 8} << 3 << 1.5;
    QTest::newRow("as many clusters as leaves") << QList<double>{1, 2, 8} << 4 << 0.5;
    QTest::newRow("more clusters than leaves") << QList<double>{1, 2, 8} << 9 << 0.0;
    QTest::newRow("one cluster: half the largest gap above") << QList<double>{1, 2, 8} << 1 << 11.0;
    QTest::newRow("no number: the largest gap") << QList<double>{1, 2, 8} << 0 << 5.0;
    QTest::newRow("no number, no gap as large as the height below") << QList<double>{5, 6, 8} << 0 << 9.0;
    QTest::newRow("a single rank") << QList<double>{} << 0 << 0.0;
}

void TestClustering::threshold() {
    QFETCH(QList<double>, heights);
    QFETCH(int, clusters);
    QFETCH(double, expected);
    QCOMPARE(trainThreshold(withHeights({heights.begin(), heights.end()}), static_cast<std::size_t>(clusters)), expected);
}

void TestClustering::mirkinByHand() {
    // {0,1},{2,3} against {0,1,2},{3}: of six pairs, 02, 12 and 23 differ.
    const std::vector<std::uint32_t> a{0, 0, 1, 1}, b{0, 0, 0, 1};
    QCOMPARE(mirkinDistance(a, b), 0.5);
    QCOMPARE(mirkinDistance(a, a), 0.0);
    // Pairs with a member in cluster 0 of a: 01, 02, 03, 12, 13; 02 and 12 differ.
    QCOMPARE(mirkinDistancesOf(a, b).at(0), 0.4);
    QCOMPARE(mirkinDistance(std::vector<std::uint32_t>{none, 0}, std::vector<std::uint32_t>{0, 0}), 0.0);
}

void TestClustering::mirkinAgreesWithCountingPairs() {
    std::mt19937 random(13);
    std::uniform_int_distribution<std::uint32_t> cluster(0, 5);
    for (int round = 0; round < 50; ++round) {
        std::vector<std::uint32_t> a(20), b(20);
        for (std::size_t i = 0; i < a.size(); ++i) {
            a[i] = cluster(random) == 5 ? none : cluster(random);
            b[i] = cluster(random) == 5 ? none : 2 * cluster(random); // numbers in between have no members
        }
        double all = 0, differ = 0;
        std::vector<double> own(6), ownDiffer(6);
        for (std::size_t i = 0; i < a.size(); ++i)
            for (std::size_t j = i + 1; j < a.size(); ++j) {
                if (a[i] == none || a[j] == none || b[i] == none || b[j] == none)
                    continue;
                const bool differs = (a[i] == a[j]) != (b[i] == b[j]);
                all += 1;
                differ += differs;
                for (const std::uint32_t c : std::set{a[i], a[j]}) {
                    own[c] += 1;
                    ownDiffer[c] += differs;
                }
            }
        QVERIFY(std::abs(mirkinDistance(a, b) - differ / all) < 1e-12);
        QVERIFY(std::abs(mirkinDistance(b, a) - differ / all) < 1e-12);
        std::vector<double> distances = mirkinDistancesOf(a, b);
        distances.resize(own.size());
        for (std::size_t c = 0; c < own.size(); ++c)
            QVERIFY2(std::abs(distances[c] - (own[c] > 0 ? ownDiffer[c] / own[c] : 0)) < 1e-12,
                     qPrintable(QString("cluster %1 of round %2").arg(c).arg(round)));
    }
}

QTEST_APPLESS_MAIN(TestClustering)
#include "tst_clustering.moc"
