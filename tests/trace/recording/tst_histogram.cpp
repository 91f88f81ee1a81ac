// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace/recording/Histogram.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

using namespace laggard;

namespace {

/// The slow, obvious version: a sorted list, and a search of all neighbours.
struct SlowHistogram {
    std::vector<std::pair<double, double>> buckets;

    void insert(double value, double weight) {
        for (auto &[mean, count] : buckets)
            if (mean == value) {
                count += weight;
                return;
            }
        buckets.emplace_back(value, weight);
        std::sort(buckets.begin(), buckets.end());
    }
    void reduce(std::size_t limit) {
        while (buckets.size() > limit) {
            std::size_t best = 0;
            for (std::size_t i = 1; i + 1 < buckets.size(); ++i)
                if (buckets[i + 1].first - buckets[i].first < buckets[best + 1].first - buckets[best].first)
                    best = i;
            auto &[mean, count] = buckets[best];
            const auto [nextMean, nextCount] = buckets[best + 1];
            mean += (nextMean - mean) * (nextCount / (count + nextCount));
            count += nextCount;
            buckets.erase(buckets.begin() + static_cast<std::ptrdiff_t>(best) + 1);
        }
    }
};

std::vector<std::pair<double, double>> bucketsOf(const Histogram &histogram) {
    std::vector<std::pair<double, double>> result;
    for (std::size_t i = 0; i < histogram.used; ++i)
        result.emplace_back(histogram.buckets[i].mean, histogram.buckets[i].count);
    return result;
}

} // namespace

class TestHistogram : public QObject {
    Q_OBJECT
  private slots:
    void byHand();
    void likeTheSlowOne_data();
    void likeTheSlowOne();
    void mergingIsSymmetric();
    void ignoresWhatIsNoNumber();
};

void TestHistogram::byHand() {
    Histogram histogram;
    for (const double value : {1.0, 10.0, 2.0, 10.0})
        histogram.add(value, 1, 3);
    const std::vector<std::pair<double, double>> three{{1, 1}, {2, 1}, {10, 2}};
    QVERIFY2(bucketsOf(histogram) == three, "three different values fit into three buckets, equal ones share theirs");
    histogram.add(11, 1, 3);
    const std::vector<std::pair<double, double>> merged{{1.5, 2}, {10, 2}, {11, 1}};
    QVERIFY2(bucketsOf(histogram) == merged, "1 and 2 are as close as 10 and 11: the lower pair merges");
    QCOMPARE(histogram.total(), 5.0);
}

void TestHistogram::likeTheSlowOne_data() {
    QTest::addColumn<unsigned>("seed");
    QTest::addColumn<std::size_t>("limit");
    for (const std::size_t limit : {1U, 2U, 3U, 7U, 19U, 20U})
        for (unsigned seed = 1; seed <= 5; ++seed)
            QTest::addRow("limit %zu, seed %u", limit, seed) << seed << limit;
}

void TestHistogram::likeTheSlowOne() {
    QFETCH(unsigned, seed);
    QFETCH(std::size_t, limit);
    std::mt19937 random(seed);
    std::lognormal_distribution<double> times(5, 2);
    Histogram fast;
    SlowHistogram slow;
    for (int i = 0; i < 500; ++i) {
        // Coarse values, so that equal ones occur.
        const double value = i % 3 == 0 ? std::round(times(random) / 50) * 50 : times(random);
        const double weight = 1 + static_cast<double>(random() % 3);
        fast.add(value, weight, limit);
        slow.insert(value, weight);
        slow.reduce(limit);
        QVERIFY2(bucketsOf(fast) == slow.buckets, qPrintable(QStringLiteral("buckets differ after value %1").arg(i + 1)));
    }
    Histogram other;
    SlowHistogram slowOther;
    for (int i = 0; i < 30; ++i) {
        const double value = times(random);
        other.add(value);
        slowOther.insert(value, 1);
        slowOther.reduce(Histogram::maxBuckets);
    }
    fast.merge(other, limit);
    for (const auto &[mean, count] : slowOther.buckets)
        slow.insert(mean, count);
    slow.reduce(limit);
    QVERIFY2(bucketsOf(fast) == slow.buckets, "merged buckets differ");
}

void TestHistogram::mergingIsSymmetric() {
    std::mt19937 random(7);
    for (int round = 0; round < 50; ++round) {
        Histogram a;
        Histogram b;
        for (int i = 0; i < 40; ++i) {
            a.add(static_cast<double>(random() % 100));
            b.add(static_cast<double>(random() % 1000));
        }
        Histogram ab = a;
        ab.merge(b);
        Histogram ba = b;
        ba.merge(a);
        QCOMPARE(ab.used, ba.used);
        for (std::size_t i = 0; i < ab.used; ++i) {
            QCOMPARE(ab.buckets[i].mean, ba.buckets[i].mean);
            QCOMPARE(ab.buckets[i].count, ba.buckets[i].count);
        }
        QCOMPARE(ab.total(), 80.0);
    }
}

void TestHistogram::ignoresWhatIsNoNumber() {
    Histogram histogram;
    histogram.add(std::numeric_limits<double>::quiet_NaN());
    histogram.add(std::numeric_limits<double>::infinity());
    histogram.add(1, 0);
    histogram.add(1, -1);
    QCOMPARE(histogram.used, std::uint64_t{0});
    histogram.add(3, 2, 0);
    QVERIFY2(histogram.used == 1 && histogram.buckets[0].mean == 3, "a limit of 0 means one bucket");
}

QTEST_APPLESS_MAIN(TestHistogram)
#include "tst_histogram.moc"
