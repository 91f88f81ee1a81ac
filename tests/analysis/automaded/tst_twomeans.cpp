// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/automaded/TwoMeans.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <random>

using namespace laggard;

class TestTwoMeans : public QObject {
    Q_OBJECT
  private slots:
    void byHand();
    void noDivisionOfEqualValues();
    void agreesWithTryingAllDivisions();
    void evenValuesAreNotClear();
    void countedValuesAreValues();
    void stepByHand();
    void slopeIsNoStep();
};

void TestTwoMeans::byHand() {
    // {1, 2, 3 | 10, 12}: means 2 and 11.
    const auto division = twoMeans({10, 1, 3, 12, 2});
    QVERIFY(division.has_value());
    QCOMPARE(division->lowMean, 2.0);
    QCOMPARE(division->highMean, 11.0);
    QCOMPARE(division->gap, 7.0);
    QCOMPARE(division->threshold, 6.5);
    QCOMPARE(division->high, std::size_t{2});
    QVERIFY(division->isClear());
}

void TestTwoMeans::noDivisionOfEqualValues() {
    QVERIFY(!twoMeans({}));
    QVERIFY(!twoMeans({1}));
    QVERIFY(!twoMeans({4, 4, 4}));
}

void TestTwoMeans::agreesWithTryingAllDivisions() {
    std::mt19937 random(7);
    std::exponential_distribution<double> value(1);
    for (int round = 0; round < 200; ++round) {
        std::vector<double> values(2 + static_cast<std::size_t>(round) % 9);
        for (double &v : values)
            v = value(random);
        double best = 1e300;
        for (unsigned mask = 1; mask + 1 < 1U << values.size(); ++mask) {
            double sum[2] = {}, count[2] = {}, cost = 0;
            for (std::size_t i = 0; i < values.size(); ++i) {
                sum[mask >> i & 1U] += values[i];
                count[mask >> i & 1U] += 1;
            }
            for (std::size_t i = 0; i < values.size(); ++i)
                cost += std::pow(values[i] - sum[mask >> i & 1U] / count[mask >> i & 1U], 2);
            best = std::min(best, cost);
        }
        const auto division = twoMeans(values);
        double cost = 0;
        for (const double v : values)
            cost += std::pow(v - (v > division->threshold ? division->highMean : division->lowMean), 2);
        QVERIFY2(std::abs(cost - best) < 1e-9, "no other division may have a smaller sum of squares");
    }
}

void TestTwoMeans::evenValuesAreNotClear() {
    std::vector<double> values;
    for (int i = 0; i < 50; ++i)
        values.push_back(i);
    QVERIFY2(!twoMeans(values)->isClear(), "evenly spread values are one class");
}

void TestTwoMeans::countedValuesAreValues() {
    std::mt19937 random(7);
    for (int round = 0; round < 50; ++round) {
        std::vector<double> values;
        std::vector<CountedValue> counted;
        for (int i = 0; i < 12; ++i) {
            const double value = static_cast<double>(random() % 1000) / 10;
            const auto count = 1 + random() % 9;
            counted.push_back({value, static_cast<double>(count)});
            values.insert(values.end(), count, value);
        }
        const auto a = twoMeans(values);
        const auto b = twoMeansCounted(counted);
        QVERIFY(a && b);
        QVERIFY(std::abs(a->threshold - b->threshold) < 1e-9 && std::abs(a->explained - b->explained) < 1e-9);
        QVERIFY(std::abs(a->lowMean - b->lowMean) < 1e-9 && std::abs(a->lowSigma - b->lowSigma) < 1e-9);
    }
}

void TestTwoMeans::stepByHand() {
    const std::vector<double> values{1, 1, 1, 3, 3};
    const auto step = upwardStep(values, 2);
    QVERIFY(step.has_value());
    QCOMPARE(step->at, std::size_t{3});
    QCOMPARE(step->height, 2.0);
    QVERIFY(std::abs(step->explained - 1) < 1e-12);
    QVERIFY(step->byLine < step->explained);
    QVERIFY2(!upwardStep(std::vector<double>{3, 3, 1, 1}, 2), "a step down is none");
    QVERIFY2(!upwardStep(std::vector<double>{1, 1, 3}, 2), "two values are needed on either side");
}

void TestTwoMeans::slopeIsNoStep() {
    const auto step = upwardStep(std::vector<double>{1, 2, 3, 4, 5, 6, 7, 8}, 2);
    QVERIFY(step && step->byLine > step->explained);
    QVERIFY(std::abs(step->byLine - 1) < 1e-12);
}

QTEST_APPLESS_MAIN(TestTwoMeans)
#include "tst_twomeans.moc"
