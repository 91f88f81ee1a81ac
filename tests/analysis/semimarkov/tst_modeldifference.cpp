// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/semimarkov/ModelDifference.h"

#include <QTest>

#include <cmath>
#include <random>

using namespace laggard;

/// Diff, D, α and ν (AutomaDeD §3.2, §3.3).
class TestModelDifference : public QObject {
    Q_OBJECT
  private slots:
    void byHand();
    void missingStatesAndTransitions();
    void noiseWeighs();
    void noiseByHand();
    void mergedModels();
    void symmetricAndZeroOnItself_data();
    void symmetricAndZeroOnItself();
    void doesNotDependOnTheUnitOfTime();
};

namespace {

/// Three states, all transitions between them.
StateTable smallTable() {
    StateTable table;
    for (const char *name : {"MPI_A", "MPI_B", "MPI_C"})
        table.states.push_back({SmmState::Kind::Communication, {{name, ""}}});
    table.states.push_back({SmmState::Kind::Finished, {}});
    table.states.push_back({SmmState::Kind::NotReturned, {}});
    table.finished = 3;
    table.notReturned = 4;
    for (std::uint32_t from = 0; from < 3; ++from)
        for (std::uint32_t to = 0; to < 3; ++to)
            table.transitions.push_back({from, to});
    return table;
}

ModelScale unitScale(const StateTable &table, DistributionKind kind = DistributionKind::Gaussian, double unit = 1) {
    ModelScale scale;
    scale.distribution = kind;
    scale.unit.assign(table.transitions.size(), unit);
    scale.floor.assign(table.transitions.size(), smallestSigma);
    return scale;
}

ModelTransition transition(std::uint32_t number, const std::vector<double> &times) {
    ModelTransition result{number, {}};
    for (const double t : times)
        result.times.add(t);
    return result;
}

SemiMarkovModel randomModel(std::mt19937 &random, double unit) {
    std::uniform_real_distribution<double> value(0.5, 2);
    SemiMarkovModel model;
    for (std::uint32_t t = 0; t < 9; ++t) {
        if (random() % 3 == 0)
            continue;
        model.transitions.push_back({t, {}});
        model.histograms.emplace_back();
        for (unsigned n = 1 + random() % 6; n > 0; --n) {
            const double v = value(random) * unit;
            model.transitions.back().times.add(v);
            model.histograms.back().add(v);
        }
    }
    return model;
}

} // namespace

void TestModelDifference::byHand() {
    const StateTable table = smallTable();
    const ModelScale scale = unitScale(table);
    // From A: three quarters to B, a quarter to C; against all to B. Times to B: 1 ± 0.1 against 2 ± 0.1.
    const double s = 0.1 / std::sqrt(2.0); // two values this far either side of their mean have σ = 0.1
    SemiMarkovModel a, b;
    a.transitions = {transition(1, {1 - s, 1 + s}), transition(2, {1})};
    a.transitions[0].times.count = 3;
    a.transitions[0].times.squares = 2 * 0.01;
    b.transitions = {transition(1, {2 - s, 2 + s})};
    const std::vector<double> noise(table.transitions.size(), 1);
    const Difference d = difference(prepare(a, table, scale), prepare(b, table, scale), table, noise);
    const double states = std::sqrt(0.25 * 0.25 + 0.25 * 0.25);
    const double self = 1 / (2 * 0.1 * std::sqrt(std::acos(-1.0)));
    const double l2 = std::sqrt(2 * self * (1 - std::exp(-25.0)));
    const double alpha = 1 + 1 / 1.5;
    QVERIFY(std::abs(d.total - (states + l2 * alpha + 10)) < 1e-9);
    QCOMPARE(d.computation, 0.0);
}

void TestModelDifference::missingStatesAndTransitions() {
    const StateTable table = smallTable();
    const ModelScale scale = unitScale(table);
    SemiMarkovModel a, b;
    a.transitions = {transition(0, {1})};
    b.transitions = {transition(4, {1})};
    const std::vector<double> noise(table.transitions.size(), 0.001);
    // Two states and two transitions that only one has: 40, whatever ν is.
    QCOMPARE(difference(prepare(a, table, scale), prepare(b, table, scale), table, noise).total, 40.0);
    const auto parts = contributions(prepare(a, table, scale), prepare(b, table, scale), noise);
    QCOMPARE(parts.size(), std::size_t{2});
    QCOMPARE(parts[1].transition, 4U);
    QCOMPARE(parts[1].value, 10.0);
}

void TestModelDifference::noiseWeighs() {
    const StateTable table = smallTable();
    const ModelScale scale = unitScale(table);
    SemiMarkovModel a, b;
    a.transitions = {transition(0, {1})};
    b.transitions = {transition(0, {1.01})};
    std::vector<double> noise(table.transitions.size(), 1);
    const double plain = difference(prepare(a, table, scale), prepare(b, table, scale), table, noise).total;
    noise[0] = 0.25;
    QVERIFY(std::abs(difference(prepare(a, table, scale), prepare(b, table, scale), table, noise).total - plain / 4) < 1e-12);
}

void TestModelDifference::noiseByHand() {
    NoiseSums sums(3);
    sums.squares = {9 + 16, 0, 1e-12};
    sums.pairs = {2, 0, 1};
    const std::vector<double> inverse = sums.inverseNoise();
    QVERIFY(std::abs(inverse[0] - 1 / std::sqrt(12.5)) < 1e-12);
    QCOMPARE(inverse[1], 1.0);      // no pair has it
    QCOMPARE(inverse[2], 1 / 1e-3); // never varied: the floor
    NoiseSums one(3);
    one.squares[0] = 9;
    one.pairs[0] = 1;
    sums.subtract(one);
    QVERIFY(std::abs(sums.inverseNoise()[0] - 0.25) < 1e-12);
}

void TestModelDifference::mergedModels() {
    const StateTable table = smallTable();
    SemiMarkovModel a, b;
    a.transitions = {transition(0, {1, 2}), transition(3, {5})};
    b.transitions = {transition(0, {3}), transition(1, {7})};
    a.merge(b);
    QCOMPARE(a.transitions.size(), std::size_t{3});
    QCOMPARE(a.transitions[0].times.count, 3.0);
    QCOMPARE(a.transitions[0].times.mean, 2.0);
    QCOMPARE(a.transitions[1].transition, 1U);
    QCOMPARE(a.probabilities(table), (std::vector<double>{0.75, 0.25, 1}));
}

void TestModelDifference::symmetricAndZeroOnItself_data() {
    QTest::addColumn<int>("kind");
    QTest::newRow("Gaussian") << static_cast<int>(DistributionKind::Gaussian);
    QTest::newRow("histogram") << static_cast<int>(DistributionKind::Histogram);
}

void TestModelDifference::symmetricAndZeroOnItself() {
    QFETCH(int, kind);
    const StateTable table = smallTable();
    const ModelScale scale = unitScale(table, static_cast<DistributionKind>(kind));
    const std::vector<double> noise(table.transitions.size(), 2);
    std::mt19937 random(21);
    for (int i = 0; i < 100; ++i) {
        const PreparedModel a = prepare(randomModel(random, 1), table, scale);
        const PreparedModel b = prepare(randomModel(random, 1), table, scale);
        const double ab = difference(a, b, table, noise).total;
        const double ba = difference(b, a, table, noise).total;
        QVERIFY(std::abs(ab - ba) <= 1e-9 * ab);
        QCOMPARE(difference(a, a, table, noise).total, 0.0);
    }
}

void TestModelDifference::doesNotDependOnTheUnitOfTime() {
    const StateTable table = smallTable();
    const std::vector<double> noise(table.transitions.size(), 1);
    for (const DistributionKind kind : {DistributionKind::Gaussian, DistributionKind::Histogram}) {
        double expected = 0;
        for (const double unit : {1.0, 1e-6, 3600.0}) {
            std::mt19937 random(22);
            const ModelScale scale = unitScale(table, kind, unit);
            const PreparedModel a = prepare(randomModel(random, unit), table, scale);
            const PreparedModel b = prepare(randomModel(random, unit), table, scale);
            const double d = difference(a, b, table, noise).total;
            if (unit == 1.0)
                expected = d;
            QVERIFY(std::abs(d - expected) < 1e-6 * expected);
        }
    }
}

QTEST_APPLESS_MAIN(TestModelDifference)
#include "tst_modeldifference.moc"
