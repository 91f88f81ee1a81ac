// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/outliers/Distances.h"

#include <QTest>

#include <algorithm>
#include <random>

using namespace laggard;

namespace {

ProfileSet setOf(const std::vector<std::vector<double>> &rows) {
    ProfileSet set;
    set.scale = 1U << 30U;
    set.components.resize(rows.front().size());
    for (const std::vector<double> &row : rows) {
        set.rank.push_back(static_cast<Rank>(set.rank.size()));
        set.source.push_back(0);
        for (const double share : row)
            set.values.push_back(static_cast<std::uint32_t>(share * set.scale));
    }
    return set;
}

/// Every distance, sorted: slow and obvious.
Neighbour slowKth(const ProfileSet &set, std::uint32_t query, std::uint32_t begin, std::uint32_t end, std::uint32_t k) {
    std::vector<Neighbour> all;
    for (std::uint32_t row = begin; row < end; ++row) {
        if (row == query)
            continue;
        std::uint64_t sum = 0;
        for (std::size_t c = 0; c < set.components.size(); ++c) {
            const std::uint32_t a = set.row(query)[c];
            const std::uint32_t b = set.row(row)[c];
            sum += a > b ? a - b : b - a;
        }
        all.push_back({row, static_cast<std::uint32_t>(sum)});
    }
    std::sort(all.begin(), all.end(),
              [](const Neighbour &a, const Neighbour &b) { return std::pair(a.distance, a.row) < std::pair(b.distance, b.row); });
    return all[k - 1];
}

/// Ranks of a few kinds, most of whose time lies in a few functions.
ProfileSet randomSet(std::uint32_t rows, std::size_t width, unsigned kinds, std::mt19937 &random) {
    std::vector<std::vector<double>> kind(kinds, std::vector<double>(width));
    std::exponential_distribution<double> heavy(1);
    for (std::vector<double> &k : kind)
        for (double &share : k)
            share = std::pow(heavy(random), 4);
    std::vector<std::vector<double>> all;
    std::uniform_real_distribution<double> noise(0.9, 1.1);
    for (std::uint32_t row = 0; row < rows; ++row) {
        std::vector<double> shares = kind[random() % kinds];
        double sum = 0;
        for (double &share : shares)
            sum += share *= noise(random);
        for (double &share : shares)
            share /= sum;
        all.push_back(shares);
    }
    return setOf(all);
}

} // namespace

class tst_Distances : public QObject {
    Q_OBJECT
  private slots:
    /// Thesis Figure 5.2 and equation 5.3.
    void theThesisExample() {
        const ProfileSet set = setOf({{0.7, 0.3}, {0.5, 0.5}});
        const double distance = manhattan(set.row(0), set.row(1)) / static_cast<double>(set.scale);
        QVERIFY2(std::abs(distance - 0.4) < 1e-8, "profiles (0.7, 0.3) and (0.5, 0.5) are 0.4 apart");
        QCOMPARE(manhattan(set.row(1), set.row(0)), manhattan(set.row(0), set.row(1)));
        QCOMPARE(manhattan(set.row(0), set.row(0)), 0U);
    }

    /// Thesis Figure 5.3: processes that share nothing are 2 apart, however they divide their time.
    void nothingInCommon() {
        const ProfileSet set = setOf({{1, 0, 0}, {0.5, 0.5, 0}, {0, 0, 1}});
        QCOMPARE(manhattan(set.row(0), set.row(2)), 2 * set.scale);
        QCOMPARE(manhattan(set.row(1), set.row(2)), 2 * set.scale);
    }

    void kthAsByBruteForce_data() {
        QTest::addColumn<int>("rows");
        QTest::addColumn<int>("width");
        QTest::addColumn<int>("kinds");
        QTest::addColumn<int>("k");
        QTest::newRow("two rows") << 2 << 3 << 1 << 1;
        QTest::newRow("one function") << 9 << 1 << 1 << 4;
        QTest::newRow("all alike") << 40 << 60 << 1 << 10;
        QTest::newRow("three kinds") << 100 << 80 << 3 << 25;
        QTest::newRow("many kinds") << 150 << 200 << 40 << 37;
        QTest::newRow("nearest") << 60 << 33 << 5 << 1;
        QTest::newRow("farthest") << 60 << 33 << 5 << 59;
    }
    void manyAsByBruteForce_data() {
        QTest::addColumn<int>("width");
        QTest::addColumn<int>("kinds");
        QTest::addColumn<int>("k");
        QTest::addColumn<bool>("repeated");
        QTest::newRow("a quarter, five kinds") << 70 << 5 << 1250 << false;
        QTest::newRow("a quarter, one kind") << 40 << 1 << 1250 << false;
        QTest::newRow("more kinds than groups") << 50 << 40 << 1250 << false;
        QTest::newRow("nearest") << 40 << 3 << 1 << false;
        QTest::newRow("farthest") << 40 << 3 << 4999 << false;
        QTest::newRow("equal rows") << 40 << 3 << 1250 << true;
    }
    /// So many that distances are guessed from a sample first.
    void manyAsByBruteForce() {
        QFETCH(int, width);
        QFETCH(int, kinds);
        QFETCH(int, k);
        QFETCH(bool, repeated);
        constexpr std::uint32_t rows = 5000;
        std::mt19937 random(5);
        ProfileSet set = randomSet(rows, width, kinds, random);
        for (std::uint32_t row = 20; row < rows && repeated; ++row)
            std::copy_n(set.values.begin() + (row % 20) * width, width, set.values.begin() + row * width);
        const std::vector<Neighbour> found = kthNeighbours(set, 300, rows, k, Work{});
        for (std::uint32_t query = 0; query < 300; query += 7)
            QVERIFY2(found[query] == slowKth(set, query, 0, rows, k),
                     qPrintable(QString("neighbour %1 of row %2 is another one by comparing all").arg(k).arg(query)));
    }
    void kthAsByBruteForce() {
        QFETCH(int, rows);
        QFETCH(int, width);
        QFETCH(int, kinds);
        QFETCH(int, k);
        std::mt19937 random(7);
        for (int round = 0; round < 5; ++round) {
            const ProfileSet set = randomSet(rows, width, kinds, random);
            const std::vector<Neighbour> found = kthNeighbours(set, rows, rows, k, Work{});
            for (int query = 0; query < rows; ++query)
                QVERIFY2(found[query] == slowKth(set, query, 0, rows, k),
                         qPrintable(QString("neighbour %1 of row %2 is another one by comparing all").arg(k).arg(query)));
        }
    }

    void nearestReferenceAsByBruteForce() {
        std::mt19937 random(11);
        const ProfileSet set = randomSet(90, 50, 6, random);
        const std::vector<Neighbour> found = nearestOf(set, 40, 40, 90, Work{});
        for (std::uint32_t query = 0; query < 40; ++query)
            QCOMPARE(found[query].row, slowKth(set, query, 40, 90, 1).row);
    }

    void canBeStopped() {
        std::stop_source source;
        source.request_stop();
        std::mt19937 random(1);
        const ProfileSet set = randomSet(50, 20, 2, random);
        Work work;
        work.stop = source.get_token();
        QVERIFY_EXCEPTION_THROWN(kthNeighbours(set, 50, 50, 3, work), Cancelled);
    }
};

QTEST_APPLESS_MAIN(tst_Distances)
#include "tst_distances.moc"
