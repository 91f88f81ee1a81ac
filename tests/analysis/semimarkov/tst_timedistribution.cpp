// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/semimarkov/TimeDistribution.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

using namespace laggard;

/// Densities of times, and their L2 distance in closed form.
class TestTimeDistribution : public QObject {
    Q_OBJECT
  private slots:
    void momentsByHand();
    void mergedMomentsAreThoseOfAllValues();
    void gaussianByHand();
    void histogramByHand();
    void singleBucketIsAGaussianOfFloorWidth();
    void closeBucketsAreMerged();
    void densitiesIntegrateToOne();
    void distanceMatchesNumericalIntegration();
    void closedFormIsExact_data();
    void closedFormIsExact();
    void distanceIsSymmetricAndZeroOnItself();
    void distanceStaysBelowThePenalty();
    void meanWeightByHand();
};

namespace {

Histogram histogramOf(const std::vector<std::pair<double, double>> &buckets) {
    Histogram result;
    for (const auto &[mean, count] : buckets)
        result.add(mean, count);
    return result;
}

/// Composite Simpson over a range in which nothing is missed.
template <typename F> double integrate(double from, double to, F f) {
    constexpr int steps = 400000;
    const double h = (to - from) / steps;
    double sum = f(from) + f(to);
    for (int i = 1; i < steps; ++i)
        sum += f(from + i * h) * (i % 2 == 1 ? 4 : 2);
    return sum * h / 3;
}

TimeDensity randomDensity(std::mt19937 &random) {
    std::uniform_real_distribution<double> value(0.1, 3);
    const int buckets = std::uniform_int_distribution<int>(1, 8)(random);
    if (buckets == 1)
        return TimeDensity::gaussian(value(random), 0.05 + value(random) / 5);
    Histogram histogram;
    for (int i = 0; i < buckets; ++i)
        histogram.add(value(random), std::floor(value(random) * 4) + 1);
    return TimeDensity::histogram(histogram, 1, 0.02);
}

} // namespace

void TestTimeDistribution::momentsByHand() {
    TimeMoments times;
    for (const double v : {2.0, 4.0, 6.0})
        times.add(v);
    QCOMPARE(times.count, 3.0);
    QCOMPARE(times.mean, 4.0);
    QCOMPARE(times.sigma(), 2.0); // (4 + 0 + 4) / 2 = 4
    QCOMPARE(TimeMoments{}.sigma(), 0.0);
}

void TestTimeDistribution::mergedMomentsAreThoseOfAllValues() {
    std::mt19937 random(1);
    std::normal_distribution<double> value(1000, 3);
    TimeMoments all, first, second;
    for (int i = 0; i < 500; ++i) {
        const double v = value(random);
        all.add(v);
        (i < 120 ? first : second).add(v);
    }
    first.merge(second);
    first.merge({});
    QCOMPARE(first.count, all.count);
    QVERIFY(std::abs(first.mean - all.mean) < 1e-9);
    QVERIFY(std::abs(first.sigma() - all.sigma()) < 1e-9);
}

void TestTimeDistribution::gaussianByHand() {
    // Two Gaussians of σ = 1, means 0 and 2: ∫f² = 1/(2√π), ∫fg = exp(−1)/(2√π).
    const GaussianDensity f{0, 1}, g{2, 1};
    const double self = 1 / (2 * std::sqrt(std::numbers::pi));
    QVERIFY(std::abs(f.selfProduct() - self) < 1e-15);
    QVERIFY(std::abs(GaussianDensity::product(f, g) - self * std::exp(-1.0)) < 1e-15);
    QVERIFY(std::abs(l2Distance(f, g) - std::sqrt(2 * self * (1 - std::exp(-1.0)))) < 1e-14);
    QVERIFY(std::abs(f.density(0) - 1 / std::sqrt(2 * std::numbers::pi)) < 1e-15);
    TimeMoments times;
    for (const double v : {2.0, 4.0, 6.0})
        times.add(v);
    const GaussianDensity measured = GaussianDensity::of(times, 4, 0.006);
    QCOMPARE(measured.mean, 1.0);
    QCOMPARE(measured.sigma, 0.5);
    QCOMPARE(sigmaFloor(1e-9, 1e-8), 0.1);
    QCOMPARE(sigmaFloor(1e-9, 1), 0.006);
}

void TestTimeDistribution::histogramByHand() {
    // Buckets at 1, 2, 4 with probabilities ¼, ½, ¼. Widths 1, 1.5, 2: heights ¼, ⅓, ⅛ before division by the integral:
    // lines (¼+⅓)/2·1 + (⅓+⅛)/2·2 = 0.75, tails ¼·½·√(π/2) + ⅛·1·√(π/2).
    const TimeDensity density = TimeDensity::histogram(histogramOf({{1, 1}, {2, 2}, {4, 1}}), 1, 0.006);
    const double integral = 0.75 + 0.25 * std::sqrt(std::numbers::pi / 2);
    QVERIFY(std::abs(density.density(1) - 0.25 / integral) < 1e-12);
    QVERIFY(std::abs(density.density(2) - 1.0 / 3 / integral) < 1e-12);
    QVERIFY(std::abs(density.density(3) - (1.0 / 3 + 0.125) / 2 / integral) < 1e-12);
    QVERIFY(std::abs(density.density(0.5) - 0.25 / integral * std::exp(-0.5)) < 1e-12); // one σ below: half of 2 − 1
    QVERIFY(std::abs(density.density(5) - 0.125 / integral * std::exp(-0.5)) < 1e-12);  // one σ above: half of 4 − 2
    QCOMPARE(density.mean(), 2.25);
    // The same in milliseconds, measured in milliseconds.
    const TimeDensity scaled = TimeDensity::histogram(histogramOf({{1e-3, 1}, {2e-3, 2}, {4e-3, 1}}), 1e-3, 0.006);
    QVERIFY(l2Distance(density, scaled) < 1e-6);
}

void TestTimeDistribution::singleBucketIsAGaussianOfFloorWidth() {
    const TimeDensity density = TimeDensity::histogram(histogramOf({{3, 5}}), 2, 0.01);
    QVERIFY(std::abs(density.density(1.5) - 1 / (0.01 * std::sqrt(2 * std::numbers::pi))) < 1e-9);
    QVERIFY(std::abs(l2Distance(density, TimeDensity::gaussian(1.5, 0.01))) < 1e-6);
    QVERIFY2(std::isfinite(density.logDensity(1e6)), "a density too small for a number still has a logarithm");
}

void TestTimeDistribution::closeBucketsAreMerged() {
    const TimeDensity merged = TimeDensity::histogram(histogramOf({{1, 1}, {1.01, 1}}), 1, 0.006);
    QVERIFY2(l2Distance(merged, TimeDensity::gaussian(1.005, 0.006)) < 1e-6, "two buckets within 2.4 floors are one");
    const TimeDensity apart = TimeDensity::histogram(histogramOf({{1, 1}, {1.02, 1}}), 1, 0.006);
    QVERIFY(apart.density(1.0) < merged.density(1.005));
}

void TestTimeDistribution::densitiesIntegrateToOne() {
    std::mt19937 random(2);
    for (int i = 0; i < 20; ++i) {
        const TimeDensity density = randomDensity(random);
        const double integral = integrate(-20, 24, [&](double x) { return density.density(x); });
        QVERIFY2(std::abs(integral - 1) < 1e-6, qPrintable(QString("the integral is %1").arg(integral)));
    }
}

void TestTimeDistribution::distanceMatchesNumericalIntegration() {
    std::mt19937 random(3);
    for (int i = 0; i < 40; ++i) {
        const TimeDensity f = randomDensity(random);
        const TimeDensity g = randomDensity(random);
        const double numeric = integrate(-20, 24, [&](double x) { return f.density(x) * g.density(x); });
        const double closed = TimeDensity::product(f, g);
        QVERIFY2(std::abs(numeric - closed) < 1e-6 * std::max(1.0, numeric),
                 qPrintable(QString("∫fg is %1 by steps and %2 in closed form").arg(numeric).arg(closed)));
        const double squares = integrate(-20, 24, [&](double x) { return std::pow(f.density(x) - g.density(x), 2); });
        QVERIFY(std::abs(std::sqrt(squares) - l2Distance(f, g)) < 1e-5);
    }
    const GaussianDensity f{1, 0.2}, g{1.3, 0.4};
    const double numeric = integrate(-5, 7, [&](double x) { return f.density(x) * g.density(x); });
    QVERIFY(std::abs(numeric - GaussianDensity::product(f, g)) < 1e-9);
    QVERIFY(std::abs(TimeDensity::product(TimeDensity::gaussian(1, 0.2), TimeDensity::gaussian(1.3, 0.4)) - numeric) < 1e-9);
}

void TestTimeDistribution::closedFormIsExact_data() {
    QTest::addColumn<double>("spread");
    QTest::addColumn<double>("apart");
    QTest::newRow("alike") << 0.1 << 0.0;
    QTest::newRow("next to each other") << 0.1 << 0.3;
    QTest::newRow("in the tails") << 0.05 << 0.6;
    QTest::newRow("wide") << 2.0 << 0.2;
}

/// Against Simpson's rule in each piece in which both densities are smooth.
void TestTimeDistribution::closedFormIsExact() {
    QFETCH(double, spread);
    QFETCH(double, apart);
    std::mt19937 random(6);
    for (int round = 0; round < 60; ++round) {
        std::vector<double> bounds;
        double narrowest = spread; // narrowest of the half Gaussians at the ends
        const auto make = [&](double from) {
            Histogram histogram;
            std::uniform_real_distribution<double> value(from, from + spread);
            for (int n = std::uniform_int_distribution<int>(2, 40)(random); n > 0; --n)
                histogram.add(value(random));
            for (std::uint64_t i = 0; i < histogram.used; ++i)
                bounds.push_back(histogram.buckets[i].mean);
            const Histogram::Bucket *buckets = histogram.buckets;
            narrowest = std::min({narrowest, (buckets[1].mean - buckets[0].mean) / 2,
                                  (buckets[histogram.used - 1].mean - buckets[histogram.used - 2].mean) / 2});
            return TimeDensity::histogram(histogram, 1, 1e-6); // no buckets are merged
        };
        const TimeDensity f = make(1);
        const TimeDensity g = make(1 + apart);
        std::sort(bounds.begin(), bounds.end());
        const double margin = 8 * (bounds.back() - bounds.front());
        bounds.insert(bounds.begin(), bounds.front() - margin);
        bounds.push_back(bounds.back() + margin);
        double slow = 0;
        for (std::size_t i = 0; i + 1 < bounds.size(); ++i) {
            const int steps = 2 * std::clamp(static_cast<int>(10 * (bounds[i + 1] - bounds[i]) / narrowest), 200, 50000);
            const double h = (bounds[i + 1] - bounds[i]) / steps;
            for (int k = 0; k <= steps; ++k) {
                const double x = bounds[i] + k * h;
                slow += h / 3 * (k == 0 || k == steps ? 1 : k % 2 == 1 ? 4 : 2) * f.density(x) * g.density(x);
            }
        }
        const double fast = TimeDensity::product(f, g);
        QVERIFY2(std::abs(fast - slow) < 1e-8 * std::max(1.0, slow), qPrintable(QString("%1, not %2").arg(fast).arg(slow)));
    }
}

void TestTimeDistribution::distanceIsSymmetricAndZeroOnItself() {
    std::mt19937 random(4);
    for (int i = 0; i < 200; ++i) {
        const TimeDensity f = randomDensity(random);
        const TimeDensity g = randomDensity(random);
        QVERIFY(std::abs(l2Distance(f, g) - l2Distance(g, f)) < 1e-9);
        QCOMPARE(l2Distance(f, f), 0.0);
    }
}

void TestTimeDistribution::distanceStaysBelowThePenalty() {
    std::mt19937 random(5);
    std::uniform_real_distribution<double> value(1, 1.3);
    const TimeDensity far = TimeDensity::gaussian(50, smallestSigma);
    double largest = l2Distance(far, TimeDensity::gaussian(1, smallestSigma));
    QVERIFY2(largest > 9.5, "two disjoint densities of the smallest σ come close to 10");
    for (int i = 0; i < 3000; ++i) {
        Histogram histogram;
        for (int n = std::uniform_int_distribution<int>(1, 20)(random); n > 0; --n)
            histogram.add(value(random), n % 5 == 0 ? 100 : 1);
        largest = std::max(largest, l2Distance(far, TimeDensity::histogram(histogram, 1, smallestSigma)));
    }
    QVERIFY2(largest < 10, qPrintable(QString("an L2 distance of %1").arg(largest)));
}

void TestTimeDistribution::meanWeightByHand() {
    QCOMPARE(meanWeight(1, 1), 1.0);
    QCOMPARE(meanWeight(1, 3), 3.0); // 1 + 4 / 2
    QCOMPARE(meanWeight(0, 0), 1.0);
}

QTEST_APPLESS_MAIN(TestTimeDistribution)
#include "tst_timedistribution.moc"
