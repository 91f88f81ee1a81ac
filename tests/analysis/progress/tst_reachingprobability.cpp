// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/progress/ReachingProbability.h"

#include <QTest>

#include <Eigen/Dense>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>

using namespace laggard;

namespace {

/// PDI §3.2's example: a walk from 1, through a loop of 5 and 8, to 9, or to 10.
MarkovModel workedExample() { return {{{1, 2, 10}, {2, 3, 5}, {2, 10, 5}, {3, 5, 5}, {5, 8, 45}, {5, 9, 5}, {8, 5, 45}}}; }

MarkovModel randomModel(std::mt19937 &random, std::uint32_t states, std::uint32_t transitions) {
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> counts;
    for (std::uint32_t i = 0; i < transitions; ++i)
        counts[{random() % states, random() % states}] = 1 + random() % 9;
    MarkovModel model;
    for (const auto &[edge, count] : counts)
        model.transitions.push_back({edge.first, edge.second, count});
    return model;
}

std::vector<std::uint32_t> next(const MarkovModel &model, std::uint32_t from, std::uint32_t ignored) {
    std::vector<std::uint32_t> result;
    for (const Transition &t : model.transitions)
        if (t.from == from && t.to != ignored)
            result.push_back(t.to);
    return result;
}

/// The obvious way: let a walk make 2^60 steps, with the target and all dead ends absorbing.
double longWalk(const MarkovModel &model, std::uint32_t states, std::uint32_t from, std::uint32_t to, std::uint32_t ignored) {
    Eigen::MatrixXd step = Eigen::MatrixXd::Zero(states, states);
    for (std::uint32_t s = 0; s < states; ++s) {
        double total = 0;
        for (const Transition &t : model.transitions)
            total += t.from == s && t.to != ignored ? static_cast<double>(t.count) : 0;
        if (s == to || total == 0) {
            step(s, s) = 1;
            continue;
        }
        for (const Transition &t : model.transitions)
            if (t.from == s && t.to != ignored)
                step(s, t.to) += static_cast<double>(t.count) / total;
    }
    for (int i = 0; i < 60; ++i) {
        step = step * step;
        for (std::uint32_t s = 0; s < states; ++s)
            step.row(s) /= step.row(s).sum(); // rounding errors must not double 60 times
    }
    return step(from, to);
}

/// The definition, by plain search.
Reach byDefinition(const MarkovModel &model, std::uint32_t states, std::uint32_t from, std::uint32_t to, std::uint32_t ignored) {
    const auto reaches = [&](std::uint32_t start, std::uint32_t goal, std::uint32_t avoided) -> bool {
        std::vector<bool> seen(states, false);
        std::vector<std::uint32_t> open{start};
        seen[start] = true;
        while (!open.empty()) {
            const std::uint32_t state = open.back();
            open.pop_back();
            if (state == avoided)
                continue;
            for (const std::uint32_t n : next(model, state, ignored))
                if (!seen[n]) {
                    seen[n] = true;
                    open.push_back(n);
                }
        }
        return seen[goal];
    };
    if (from == to)
        return Reach::Certain;
    if (!reaches(from, to, none))
        return Reach::Never;
    for (std::uint32_t k = 0; k < states; ++k)
        if (k != to && reaches(from, k, to) && !reaches(k, to, none))
            return Reach::Possible;
    return Reach::Certain;
}

} // namespace

class TestReachingProbability : public QObject {
    Q_OBJECT
  private slots:
    void workedExampleOfThePaper_data();
    void workedExampleOfThePaper();
    void whatFollowsTheLastStateIsUnseen();
    void anUnseenContinuationIsNoWayToMiss();
    void aStateThatIsLeftIsNoUnseenContinuation();
    void missingStatesAreUnseen();
    void loopsDoNotLimitTheProbability();
    void transitionsSeenOnlyLater();
    void smallGraphsAgainstBruteForce();
    void randomWalks();
};

void TestReachingProbability::workedExampleOfThePaper_data() {
    QTest::addColumn<std::uint32_t>("from");
    QTest::addColumn<std::uint32_t>("to");
    QTest::addColumn<Reach>("reach");
    QTest::addColumn<double>("value");
    const auto row = [](std::uint32_t from, std::uint32_t to, Reach reach, double value) {
        QTest::addRow("P(%u,%u)", from, to) << from << to << reach << value;
    };
    row(3, 5, Reach::Certain, 1);
    row(5, 3, Reach::Never, 0);
    row(8, 5, Reach::Certain, 1);
    row(5, 8, Reach::Possible, 0.9);
    row(3, 10, Reach::Never, 0);
    row(10, 3, Reach::Never, 0);
    row(1, 3, Reach::Possible, 0.5);
    row(1, 10, Reach::Possible, 0.5);
    row(3, 1, Reach::Never, 0);
    row(10, 1, Reach::Never, 0);
    row(10, 10, Reach::Certain, 1);
}

void TestReachingProbability::workedExampleOfThePaper() {
    QFETCH(std::uint32_t, from);
    QFETCH(std::uint32_t, to);
    QFETCH(double, value);
    // The task in 1 judges: the end of its own history is state 1, which was left before.
    const ReachingProbability probability(workedExample(), 1);
    QTEST(probability.reach(from, to), "reach");
    QVERIFY2(std::abs(probability.value(from, to) - value) < 1e-12, qPrintable(QString::number(probability.value(from, to))));
}

void TestReachingProbability::whatFollowsTheLastStateIsUnseen() {
    const ReachingProbability blockedIn10(workedExample(), 10);
    QCOMPARE(blockedIn10.reach(10, 3), Reach::Unseen);
    QCOMPARE(blockedIn10.reach(10, 1), Reach::Unseen);
    QVERIFY(std::isnan(blockedIn10.value(10, 1)));
    QCOMPARE(blockedIn10.reach(3, 10), Reach::Never);
    QCOMPARE(blockedIn10.reach(1, 10), Reach::Possible);
    QCOMPARE(blockedIn10.value(1, 10), 0.5);
    const ReachingProbability finished(workedExample(), none);
    QCOMPARE(finished.reach(10, 3), Reach::Never);
}

void TestReachingProbability::anUnseenContinuationIsNoWayToMiss() {
    // A loop of 1 and 2 that was left for 3 once, where the history breaks off.
    const MarkovModel model{{{0, 1, 1}, {1, 2, 9}, {2, 1, 8}, {2, 3, 1}}};
    const ReachingProbability hung(model, 3);
    QCOMPARE(hung.reach(2, 1), Reach::Certain);
    QCOMPARE(hung.value(2, 1), 1.0);
    QCOMPARE(hung.reach(1, 3), Reach::Certain);
    const ReachingProbability finished(model, none);
    QCOMPARE(finished.reach(2, 1), Reach::Possible);
    QVERIFY(std::abs(finished.value(2, 1) - 8.0 / 9) < 1e-12);
}

void TestReachingProbability::aStateThatIsLeftIsNoUnseenContinuation() {
    const MarkovModel model{{{0, 1, 1}, {1, 0, 1}, {1, 2, 1}}};
    QCOMPARE(ReachingProbability(model, 0).reach(1, 0), Reach::Possible);
    QCOMPARE(ReachingProbability(model, 0).value(1, 0), 0.5);
}

void TestReachingProbability::missingStatesAreUnseen() {
    const ReachingProbability probability(workedExample(), none);
    QCOMPARE(probability.reach(1, 77), Reach::Unseen);
    QCOMPARE(probability.reach(77, 1), Reach::Unseen);
    QCOMPARE(probability.reach(77, 77), Reach::Certain);
    QVERIFY(std::isnan(probability.value(77, 1)));
    QCOMPARE(ReachingProbability({}, 4).reach(4, 5), Reach::Unseen);
    QVERIFY(ReachingProbability({}, none).states().empty());
}

void TestReachingProbability::loopsDoNotLimitTheProbability() {
    // A loop taken a million times for each way out: simple paths would give one in a million.
    const ReachingProbability probability(MarkovModel{{{0, 1, 1'000'000}, {1, 0, 999'999}, {1, 2, 1}}}, none);
    QCOMPARE(probability.reach(0, 2), Reach::Certain);
    QCOMPARE(probability.value(0, 2), 1.0);
}

void TestReachingProbability::transitionsSeenOnlyLater() {
    // Up to the moment asked about only 0→1 happened; the rest of the trace shows where 1 can lead.
    const ReachingProbability probability(MarkovModel{{{0, 1, 1}, {0, 4, 0}, {1, 2, 0}, {1, 3, 0}}}, none);
    QCOMPARE(probability.reach(0, 2), Reach::Possible);
    QCOMPARE(probability.value(1, 2), 0.5);
    QCOMPARE(probability.value(0, 2), 0.5);
    QCOMPARE(probability.reach(0, 4), Reach::Possible);
    QCOMPARE(probability.value(0, 4), 0.0);
}

void TestReachingProbability::smallGraphsAgainstBruteForce() {
    std::mt19937 random(20120919);
    for (int round = 0; round < 600; ++round) {
        const std::uint32_t states = 2 + random() % 6;
        const MarkovModel model = randomModel(random, states, 1 + random() % (2 * states));
        const std::uint32_t last = random() % 2 == 0 ? none : random() % states;
        const ReachingProbability probability(model, last);
        const bool isSink = last != none && next(model, last, none).empty();
        for (const std::uint32_t from : probability.states())
            for (const std::uint32_t to : probability.states()) {
                const std::uint32_t ignored = isSink && to != last ? last : none;
                if (from == ignored && from != to) {
                    QCOMPARE(probability.reach(from, to), Reach::Unseen);
                    continue;
                }
                const Reach expected = byDefinition(model, states, from, to, ignored);
                const QString where = QString("round %1, P(%2,%3)").arg(round).arg(from).arg(to);
                QVERIFY2(probability.reach(from, to) == expected, qPrintable(where));
                const double value = longWalk(model, states, from, to, ignored);
                QVERIFY2(std::abs(probability.value(from, to) - value) < 1e-6,
                         qPrintable(where + " is " + QString::number(value)));
                QVERIFY2((expected == Reach::Never) == (value < 1e-9), qPrintable(where));
                QVERIFY2((expected == Reach::Certain) == (value > 1 - 1e-9), qPrintable(where));
            }
    }
}

void TestReachingProbability::randomWalks() {
    std::mt19937 random(4711);
    constexpr int walks = 4000;
    for (int round = 0; round < 25; ++round) {
        const MarkovModel model = randomModel(random, 14, 26);
        const ReachingProbability probability(model, none);
        const std::vector<std::uint32_t> &states = probability.states();
        const std::uint32_t from = states[random() % states.size()];
        const std::uint32_t to = states[random() % states.size()];
        int hits = 0;
        int misses = 0;
        for (int walk = 0; walk < walks; ++walk) {
            std::uint32_t state = from;
            for (int step = 0; step < 20'000 && state != to; ++step) {
                std::uint64_t total = 0;
                for (const Transition &t : model.transitions)
                    total += t.from == state ? t.count : 0;
                if (total == 0)
                    break;
                std::uint64_t pick = random() % total;
                for (const Transition &t : model.transitions) {
                    if (t.from != state)
                        continue;
                    if (pick < t.count) {
                        state = t.to;
                        break;
                    }
                    pick -= t.count;
                }
                if (step % 64 == 63 && probability.reach(state, to) == Reach::Never)
                    break; // caught in a part of the graph that never leads there
            }
            ++(state == to ? hits : misses);
        }
        const Reach reach = probability.reach(from, to);
        const QString where = QString("round %1, P(%2,%3), %4 hits of %5").arg(round).arg(from).arg(to).arg(hits).arg(walks);
        QVERIFY2(reach != Reach::Never || hits == 0, qPrintable(where));
        QVERIFY2(reach != Reach::Certain || misses == 0, qPrintable(where));
        const double value = probability.value(from, to);
        if (value > 0.01 && value < 0.99)
            QVERIFY2(hits > 0 && misses > 0 && reach == Reach::Possible, qPrintable(where));
        // Eight standard deviations: no chance of a false alarm, and the seeds are fixed anyway.
        QVERIFY2(std::abs(hits / double(walks) - value) < 8 * 0.5 / std::sqrt(double(walks)), qPrintable(where));
    }
}

QTEST_APPLESS_MAIN(TestReachingProbability)
#include "tst_reachingprobability.moc"
