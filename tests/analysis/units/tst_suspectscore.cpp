// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/units/SuspectScore.h"

#include <QTest>
#include <algorithm>
#include <numeric>
#include <random>
#include <set>

using namespace laggard;

namespace {

/// The model of Figure 6.4: a (1.0) calls b (0.9) and c (0.8), and d (…) or e as the text tells: Δ(a) … Δ(e) are 0.0, 0.1,
/// 0.2, 1.0 and 0.3. So d is in the trial unit alone, and e, with probability 0.3, in the model alone.
CallModel::UnitModel figureModel() {
    CallModel::UnitModel model;
    model.units = 10;
    model.calls = {{none, "a", "", "", 0, 10},
                   {0, "b", "", "", 0, 9},
                   {0, "c", "", "", 0, 8},
                   {0, "e", "", "", 0, 3},
                   {3, "f", "", "", 0, 3}};
    return model;
}

/// What the unit of the figure calls: a, b, c, and d, which calls g; the model has neither.
const std::vector<TrialCall> figureUnit{{none, 0}, {0, 1}, {0, 2}, {0, none}, {3, none}};

/// A unit that calls nothing unknown, by positions in the model.
std::vector<TrialCall> unitOf(const CallModel::UnitModel &model, const std::set<std::uint32_t> &calls) {
    std::vector<TrialCall> unit;
    std::vector<std::uint32_t> position(model.calls.size(), none);
    for (const std::uint32_t call : calls) {
        position[call] = static_cast<std::uint32_t>(unit.size());
        const std::uint32_t parent = model.calls[call].parent;
        unit.push_back({parent == none ? none : position[parent], call});
    }
    return unit;
}

/// Sections 6.2.1's sets, word for word.
double slowScore(const CallModel::UnitModel &model, const std::vector<TrialCall> &unit, bool isComplete) {
    std::set<std::uint32_t> common;
    for (const TrialCall &call : unit)
        if (call.inModel != none)
            common.insert(call.inModel);
    std::vector<double> scores;
    for (const std::uint32_t call : common)
        scores.push_back(1 - model.probability(call));
    for (std::uint32_t call = 0; isComplete && call < model.calls.size(); ++call) {
        const std::uint32_t parent = model.calls[call].parent;
        if (!common.contains(call) && (parent == none || common.contains(parent)))
            scores.push_back(model.probability(call));
    }
    for (const TrialCall &call : unit)
        if (call.inModel == none && (call.parent == none || unit[call.parent].inModel != none))
            scores.push_back(1);
    return scores.empty() ? 0 : std::accumulate(scores.begin(), scores.end(), 0.0) / static_cast<double>(scores.size());
}

struct RandomCase {
    CallModel::UnitModel model;
    std::vector<TrialCall> unit;
};

RandomCase randomCase(std::mt19937 &random) {
    RandomCase made;
    made.model.units = 20;
    for (std::uint32_t i = 0; i < 30; ++i) {
        const std::uint32_t parent = i == 0 || random() % 4 == 0 ? none : static_cast<std::uint32_t>(random() % i);
        const std::uint64_t most = parent == none ? made.model.units : made.model.calls[parent].units;
        made.model.calls.push_back({parent, "f" + std::to_string(i), "", "", 0, 1 + random() % most});
    }
    std::set<std::uint32_t> called;
    for (std::uint32_t i = 0; i < 30; ++i)
        if (const std::uint32_t parent = made.model.calls[i].parent;
            random() % 3 != 0 && (parent == none || called.contains(parent)))
            called.insert(i);
    made.unit = unitOf(made.model, called);
    for (int i = 0; i < 6; ++i)
        if (random() % 2 == 0)
            made.unit.push_back(
                {made.unit.empty() || random() % 4 == 0 ? none : static_cast<std::uint32_t>(random() % made.unit.size()), none});
    return made;
}

} // namespace

class TestSuspectScore : public QObject {
    Q_OBJECT
  private slots:
    void figure64();
    void scores_data();
    void scores();
    void whatMayStillComeIsNoEvidence();
    void agreesWithTheDefinition();
    void liesBetweenNoughtAndOne();
    void differencesMakeTheScore();
};

void TestSuspectScore::figure64() {
    SuspectScorer scorer(figureModel());
    QVERIFY2(qAbs(scorer.score(figureUnit, true) - 0.32) < 1e-12, "equation 6.3 of the thesis gives 0.32");
    const std::vector<CallDifference> differences = scorer.differences(figureUnit, true);
    QCOMPARE(differences.size(), 4U); // a is called always
    QVERIFY(differences[0].kind == CallDifference::Kind::Unknown);
    QCOMPARE(differences[0].trialCall, 3U); // d
    QVERIFY(differences[1].kind == CallDifference::Kind::Missing);
    QCOMPARE(differences[1].modelCall, 3U); // e
    QCOMPARE(differences[1].score, 0.3);
    QVERIFY(differences[2].kind == CallDifference::Kind::Rare);
    QCOMPARE(differences[2].modelCall, 2U); // c
    QCOMPARE(differences[3].modelCall, 1U); // b
}

void TestSuspectScore::scores_data() {
    QTest::addColumn<QList<int>>("called");
    QTest::addColumn<double>("score");
    // By hand from figureModel: a 1.0, b 0.9, c 0.8, e 0.3 and f 1.0 below it.
    QTest::newRow("as most units") << QList<int>{0, 1, 2} << (0 + 0.1 + 0.2 + 0.3) / 4;
    QTest::newRow("all calls") << QList<int>{0, 1, 2, 3, 4} << (0 + 0.1 + 0.2 + 0.7 + 0) / 5;
    QTest::newRow("nothing") << QList<int>{} << 1.0; // a is missing, and what it calls follows from that
    QTest::newRow("one missing") << QList<int>{0, 1} << (0 + 0.1 + 0.8 + 0.3) / 4;
}

void TestSuspectScore::scores() {
    QFETCH(QList<int>, called);
    QFETCH(double, score);
    const CallModel::UnitModel model = figureModel();
    const auto unit = unitOf(model, std::set<std::uint32_t>(called.begin(), called.end()));
    QVERIFY(qAbs(SuspectScorer(model).score(unit, true) - score) < 1e-12);
}

void TestSuspectScore::whatMayStillComeIsNoEvidence() {
    const CallModel::UnitModel model = figureModel();
    SuspectScorer scorer(model);
    QCOMPARE(scorer.score(unitOf(model, {0}), false), 0.0);
    QCOMPARE(scorer.score({}, false), 0.0);
    QVERIFY(scorer.differences(unitOf(model, {0}), false).empty());
    QVERIFY(qAbs(scorer.score(figureUnit, false) - 1.3 / 4) < 1e-12); // d is still unknown
}

void TestSuspectScore::agreesWithTheDefinition() {
    std::mt19937 random(11);
    for (int round = 0; round < 500; ++round) {
        const RandomCase made = randomCase(random);
        SuspectScorer scorer(made.model);
        for (const bool isComplete : {true, false, true})
            QVERIFY(qAbs(scorer.score(made.unit, isComplete) - slowScore(made.model, made.unit, isComplete)) < 1e-12);
    }
}

void TestSuspectScore::liesBetweenNoughtAndOne() {
    std::mt19937 random(12);
    for (int round = 0; round < 200; ++round) {
        const RandomCase made = randomCase(random);
        const double score = SuspectScorer(made.model).score(made.unit, true);
        QVERIFY(score >= 0 && score <= 1);
    }
}

void TestSuspectScore::differencesMakeTheScore() {
    std::mt19937 random(13);
    for (int round = 0; round < 200; ++round) {
        const RandomCase made = randomCase(random);
        SuspectScorer scorer(made.model);
        double sum = 0;
        double before = 1;
        for (const CallDifference &difference : scorer.differences(made.unit, true)) {
            QVERIFY2(difference.score <= before, "the largest difference goes first");
            before = difference.score;
            sum += difference.score;
        }
        const double score = scorer.score(made.unit, true);
        QVERIFY((sum == 0) == (score == 0));
        if (score > 0) // sum / |E|
            QVERIFY(qAbs(sum / score - qRound(sum / score)) < 1e-6);
    }
}

QTEST_APPLESS_MAIN(TestSuspectScore)
#include "tst_suspectscore.moc"
