// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/automaded/PhaseSummary.h"
#include "tests/analysis/semimarkov/MarkedRun.h"

#include <QTest>

#include <algorithm>

using namespace laggard;

class TestPhaseSummary : public QObject {
    Q_OBJECT
  private slots:
    void joinedIterations_data();
    void joinedIterations();
    void tooManyPhasesInTurn();
};

void TestPhaseSummary::joinedIterations_data() {
    QTest::addColumn<QStringList>("levels"); // levels of the marks, by rank
    QTest::addColumn<uint>("most");
    QTest::addColumn<QList<uint>>("joined"); // by set
    QTest::addColumn<int>("phases");         // phases of rank 0
    const QString turns = "1212121212121212";
    QTest::newRow("not too many") << QStringList{turns} << 1000U << QList<uint>{1, 1} << 16;
    QTest::newRow("in turn") << QStringList{turns} << 20U << QList<uint>{1, 1} << 16;
    QTest::newRow("one after the other") << QStringList{"1111111122222222"} << 10U << QList<uint>{4, 4} << 4;
    QTest::newRow("one set") << QStringList{"11111111"} << 7U << QList<uint>{4} << 2;
    QTest::newRow("four in a row") << QStringList{"1111222211112222"} << 1U << QList<uint>{4, 4} << 4;
    QTest::newRow("six in a row") << QStringList{"111111211111121"} << 1U << QList<uint>{2, 1} << 9;
    QTest::newRow("in turn on another rank")
        << QStringList{"1111222211112222", "1111222211121222"} << 1U << QList<uint>{1, 1} << 16;
}

/// As many states as without a limit, in phases that do not overlap.
void TestPhaseSummary::joinedIterations() {
    QFETCH(QStringList, levels);
    QFETCH(uint, most);
    QFETCH(QList<uint>, joined);
    QFETCH(int, phases);
    const TracePtr trace = test::markedRun(levels);
    const PhaseModels models = summarisePhases(*trace, "", {}, most);
    const PhaseModels apart = summarisePhases(*trace, "", {});
    QList<uint> found;
    for (const PhaseModels::Set &set : models.sets)
        found << set.joined;
    QCOMPARE(found, joined);
    QCOMPARE(static_cast<int>(models.ranks[0].phases.size()), phases);
    const auto statesOf = [](const PhaseModels::Rank &rank) {
        std::uint64_t states = 0;
        for (const RankPhase &phase : rank.phases)
            for (const PhaseTransition &transition : phase.transitions)
                states += transition.count;
        return states;
    };
    for (std::size_t r = 0; r < models.ranks.size(); ++r) {
        const std::vector<RankPhase> &of = models.ranks[r].phases;
        QCOMPARE(statesOf(models.ranks[r]), statesOf(apart.ranks[r]));
        QVERIFY(std::adjacent_find(of.begin(), of.end(),
                                   [](const RankPhase &a, const RankPhase &b) { return a.end > b.begin; }) == of.end());
    }
}

/// They cannot be joined: the whole run is one phase, with all its states.
void TestPhaseSummary::tooManyPhasesInTurn() {
    const TracePtr trace = test::markedRun({"1212121212121212"});
    const PhaseModels apart = summarisePhases(*trace, "", {}, 10);
    QVERIFY(apart.note.empty());
    QCOMPARE(apart.ranks[0].phases.size(), std::size_t{16});
    std::size_t entries = 0;
    std::uint64_t states = 0;
    for (const RankPhase &phase : apart.ranks[0].phases)
        for (const PhaseTransition &transition : phase.transitions) {
            ++entries;
            states += transition.count;
        }
    QCOMPARE(summarisePhases(*trace, "", {}, 10, entries).ranks[0].phases.size(), std::size_t{16});
    const PhaseModels whole = summarisePhases(*trace, "", {}, 10, entries - 1);
    QVERIFY2(whole.note.starts_with("Phases of several kinds take turns, 16 in all, "), whole.note.c_str());
    QVERIFY(whole.source == PhaseSource::WholeRun && whole.sets.empty() && whole.region.empty());
    QCOMPARE(whole.ranks[0].phases.size(), std::size_t{1});
    for (const PhaseTransition &transition : whole.ranks[0].phases[0].transitions)
        states -= std::min(transition.count, states);
    QCOMPARE(states, std::uint64_t{0});
}

QTEST_APPLESS_MAIN(TestPhaseSummary)
#include "tst_phasesummary.moc"
