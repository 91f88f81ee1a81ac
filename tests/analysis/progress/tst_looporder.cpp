// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/progress/LoopOrder.h"
#include "analysis/progress/ProgressGraph.h"

#include <QTest>

#include <algorithm>
#include <map>
#include <numeric>
#include <random>
#include <set>

using namespace laggard;

namespace {

using Way = std::vector<std::uint32_t>;
using Kind = LoopAnswer::Kind;

/// The models of tasks that went these ways, each from the program's start, state 0, and are where their way ends.
ModelSet modelsOf(const std::vector<Way> &ways, std::uint32_t states) {
    ModelSet models;
    for (std::uint32_t s = 0; s < states; ++s)
        models.states.push_back(
            {s == 0 ? ModelState::Kind::Start : ModelState::Kind::Communication, none, {{"MPI_" + std::to_string(s), "", 0}}});
    for (const Way &way : ways) {
        std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> counts;
        for (std::size_t i = 1; i < way.size(); ++i)
            ++counts[{way[i - 1], way[i]}];
        MarkovModel model;
        for (const auto &[edge, count] : counts)
            model.transitions.push_back({edge.first, edge.second, count});
        models.modelOfRank.push_back(static_cast<std::uint32_t>(models.models.size()));
        models.models.push_back(std::move(model));
        models.stateOfRank.push_back(way.back());
    }
    return models;
}

Way operator+(Way a, const Way &b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
}
Way times(std::size_t count, const Way &way) {
    Way all;
    for (std::size_t i = 0; i < count; ++i)
        all = all + way;
    return all;
}

/// "1-8 of 1 in 4-6 of 4": states of a loop, its header ("?": none), and the loop around it.
QStringList describe(const LoopNest &nest) {
    QStringList list;
    const auto text = [](const LoopRegion &region) {
        return QString::fromStdString(formatRanges(region.states)) + " of " +
               (region.header == none ? QString("?") : QString::number(region.header));
    };
    for (const LoopRegion &region : nest.regions())
        list << text(region) + (region.parent == none ? QString() : " in " + text(nest.regions()[region.parent]));
    list.sort();
    return list;
}

/// Counted along the ways: times that a task has come back to the header since it was last outside the loop.
InnerRoundsOfRank innerRounds(const ModelSet &models, const std::vector<Way> &ways) {
    const LoopNest nest(models);
    InnerRoundsOfRank result(ways.size());
    for (Rank rank = 0; rank < ways.size(); ++rank)
        for (const std::uint32_t region : nest.chain(ways[rank].back())) {
            if (nest.regions()[region].parent == none)
                continue;
            InnerRounds inner{nest.header(region, rank), 0};
            for (std::size_t i = 1; i < ways[rank].size(); ++i) {
                if (!nest.isWithin(ways[rank][i - 1], region))
                    inner.rounds = 0;
                else if (ways[rank][i] == inner.header)
                    ++inner.rounds;
            }
            result[rank].push_back(inner);
        }
    return result;
}

/// A program of loops within loops, drawn at random. Each loop begins with a state of its own; no state is left out.
class Program {
  public:
    explicit Program(std::mt19937 &random) : m_random(random), m_body(draw(0)) {}
    [[nodiscard]] std::uint32_t states() const { return m_states; }
    /// The way of a task through all of it.
    [[nodiscard]] Way run() const { return Way{0} + run(m_body); }

  private:
    struct Part {
        std::uint32_t state = 0;
        std::vector<Part> loop; ///< empty: only the state
    };
    std::vector<Part> draw(int depth) {
        std::vector<Part> parts;
        for (std::uint32_t count = 1 + m_random() % 3; count > 0; --count) {
            parts.push_back({m_states++, {}});
            if (depth < 3 && m_random() % 2 == 0)
                parts.back().loop = draw(depth + 1);
        }
        return parts;
    }
    /// A loop has its state once a round, and at least two rounds.
    [[nodiscard]] Way run(const std::vector<Part> &parts) const {
        Way way;
        for (const Part &part : parts)
            for (std::uint32_t rounds = part.loop.empty() ? 1 : 2 + m_random() % 3; rounds > 0; --rounds)
                way = way + Way{part.state} + run(part.loop);
        return way;
    }
    std::mt19937 &m_random;
    std::uint32_t m_states = 1;
    std::vector<Part> m_body;
};

/// By the definition: v dominates u if u is not reached without v; the loop of the steps u → v are the states from which such a u
/// is reached without v.
std::map<std::uint32_t, RankSet> naturalLoops(const ModelSet &models) {
    std::set<std::pair<std::uint32_t, std::uint32_t>> steps;
    for (const MarkovModel &model : models.models)
        for (const Transition &t : model.transitions)
            steps.insert({t.from, t.to});
    const auto reached = [&](std::uint32_t from, std::uint32_t without, bool backward) {
        std::set<std::uint32_t> seen{from};
        for (std::size_t before = 0; before != seen.size();) {
            before = seen.size();
            for (const auto &[a, b] : steps)
                if (const std::uint32_t next = backward ? a : b; seen.contains(backward ? b : a) && next != without)
                    seen.insert(next);
        }
        return seen;
    };
    std::map<std::uint32_t, std::set<std::uint32_t>> loops;
    for (const auto &[u, v] : steps)
        if (u == v || v == 0 || !reached(0, v, false).contains(u)) {
            loops[v].insert(v);
            if (u != v)
                loops[v].merge(reached(u, v, true));
        }
    std::map<std::uint32_t, RankSet> result;
    for (const auto &[header, states] : loops)
        result[header] = RankSet(states.begin(), states.end());
    return result;
}

/// Whether the first of two ranks is behind (-1), the second (1), or neither.
int behind(const LoopOrder &order, Rank a, Rank b) {
    const Kind kind = order.compare(order.placeOf(a), order.placeOf(b)).kind;
    return kind == Kind::FirstBehind ? -1 : kind == Kind::SecondBehind ? 1 : 0;
}

} // namespace

class TestLoopOrder : public QObject {
    Q_OBJECT
  private slots:
    void nestedLoops();
    void fewerRoundsAreBehind();
    void outerRoundsCountFirst();
    void innerRoundsOfADumpAreNotKnown();
    void otherBranchesOfARoundStayOpen();
    void irreducibleRegionIsCutWhereAllGoInStep();
    void eachTaskHasItsOwnHeader();
    void naturalLoopsAsByTheDefinition();
    void neverAgainstTheTruth();
    void doesNotDependOnRankNumbers();
    void aNodeIsSplitAndEdgesAreOfKindLoop();
    void nobodyCanBeSingledOut();
};

void TestLoopOrder::nestedLoops() {
    // 1 { 2 { 3 4 } 5 6 {} } 7, each loop with its back edge to its first state
    const Way round{1, 2, 3, 4, 2, 3, 4, 5, 6, 6, 6};
    const ModelSet models = modelsOf({Way{0} + times(3, round) + Way{7}}, 8);
    const LoopNest nest(models);
    QCOMPARE(describe(nest), (QStringList{"1-6 of 1", "2-4 of 2 in 1-6 of 1", "6 of 6 in 1-6 of 1"}));
    QCOMPARE(nest.common(3, 4), nest.innermost(2));
    QCOMPARE(nest.common(3, 6), nest.innermost(1));
    QCOMPARE(nest.common(3, 7), none);
    QCOMPARE(nest.rounds(nest.innermost(1), 0).value(), std::uint64_t{2});
    QCOMPARE(nest.rounds(nest.innermost(2), 0).value(), std::uint64_t{3});
    QCOMPARE(nest.rounds(nest.innermost(6), 0).value(), std::uint64_t{6});
}

void TestLoopOrder::fewerRoundsAreBehind() {
    const Way round{1, 2, 3};
    const ModelSet models = modelsOf({Way{0} + times(4, round),             // in 3 of round 4
                                      Way{0} + times(4, round) + Way{1},    // in 1 of round 5
                                      Way{0} + times(4, round) + Way{1, 2}, // in 2 of round 5
                                      Way{0} + times(4, round) + Way{1, 2}},
                                     4);
    const LoopOrder order(models);
    QCOMPARE(behind(order, 0, 1), -1);
    QCOMPARE(behind(order, 0, 2), -1);
    QVERIFY(order.compare(order.placeOf(0), order.placeOf(2)).byRounds);
    QCOMPARE(behind(order, 1, 2), -1); // the same round: by the place in it
    QVERIFY(!order.compare(order.placeOf(1), order.placeOf(2)).byRounds);
    QCOMPARE(behind(order, 2, 1), 1);
    QCOMPARE(behind(order, 2, 3), 0); // a tie
}

void TestLoopOrder::outerRoundsCountFirst() {
    // 1 { 2 { 3 } 4 }: rank 0 is in outer round 2 and its inner round 9, rank 1 in outer round 3 and its inner round 2
    const auto outer = [](std::size_t inner) { return Way{1} + times(inner, {2, 3}) + Way{4}; };
    const std::vector<Way> ways{Way{0} + outer(3) + Way{1} + times(9, {2, 3}),
                                Way{0} + outer(3) + outer(3) + Way{1} + times(2, {2, 3}),
                                Way{0} + outer(3) + outer(3) + Way{1} + times(5, {2, 3}) + Way{2}};
    const ModelSet models = modelsOf(ways, 5);
    const LoopOrder order(models, innerRounds(models, ways));
    QCOMPARE(behind(order, 0, 1), -1);
    QCOMPARE(behind(order, 0, 2), -1);
    QCOMPARE(behind(order, 1, 2), -1); // the same outer round: inner ones since it began
    QCOMPARE(order.placeOf(2).rounds, (std::vector<std::uint64_t>{2, 5}));
}

void TestLoopOrder::innerRoundsOfADumpAreNotKnown() {
    const auto outer = [](std::size_t inner) { return Way{1} + times(inner, {2, 3}) + Way{4}; };
    const ModelSet models = modelsOf({Way{0} + outer(3) + Way{1} + times(9, {2, 3}),
                                      Way{0} + outer(3) + Way{1} + times(2, {2, 3}), Way{0} + Way{1} + times(2, {2, 3})},
                                     5);
    const LoopOrder order(models);
    QVERIFY(order.compare(order.placeOf(0), order.placeOf(1)).kind == Kind::Open);
    QCOMPARE(behind(order, 2, 0), -1); // the outer loop is known
}

void TestLoopOrder::otherBranchesOfARoundStayOpen() {
    // In each round 1, then 2 or 3, then 4.
    const ModelSet models =
        modelsOf({Way{0, 1, 2, 4, 1, 3, 4, 1, 2}, Way{0, 1, 2, 4, 1, 3, 4, 1, 3}, Way{0, 1, 2, 4, 1, 3, 4, 1, 3, 4}}, 5);
    const LoopOrder order(models);
    QVERIFY(order.compare(order.placeOf(0), order.placeOf(1)).kind == Kind::Open);
    QCOMPARE(behind(order, 0, 2), -1);
    QCOMPARE(behind(order, 1, 2), -1);
}

void TestLoopOrder::irreducibleRegionIsCutWhereAllGoInStep() {
    // Rounds begin with 1 or with 2, in turns, and all pass 3 and 4: entered at 1 and at 2, so no state dominates.
    const Way ab{1, 3, 4, 2, 3, 4};
    const ModelSet models = modelsOf({Way{0} + times(4, ab) + Way{1}, Way{0, 2, 3, 4} + times(4, ab) + Way{1},
                                      Way{0} + times(4, ab) + Way{1, 3, 4}, Way{0, 2, 3, 4} + times(4, ab) + Way{1, 3}},
                                     5);
    const LoopNest nest(models);
    QCOMPARE(nest.regions().size(), std::size_t{1});
    QVERIFY(!nest.regions().front().isNatural);
    QVERIFY2(nest.regions().front().header == 3 || nest.regions().front().header == 4, "all go through both once a round");
    const LoopOrder order(models);
    QCOMPARE(behind(order, 0, 1), -1); // 8 rounds and 9
    QCOMPARE(behind(order, 0, 2), -1);
    QCOMPARE(behind(order, 1, 3), -1); // the same round, by place
    QCOMPARE(behind(order, 2, 1), nest.regions().front().header == 3 ? 0 : -1);
}

void TestLoopOrder::eachTaskHasItsOwnHeader() {
    // Some go round 1 2, some 2 3, some 3 1: there is no state that all go through.
    ModelSet models =
        modelsOf({Way{0} + times(20, {1, 2}), Way{0} + times(21, {2, 3}) + Way{2}, Way{0} + times(21, {3, 1}) + Way{3}}, 4);
    const LoopNest nest(models);
    QVERIFY2(nest.regions().size() == 2,
             "what the three have beside their own rounds still goes round, and nobody begins a round there");
    QCOMPARE(nest.regions().front().header, none);
    QCOMPARE(nest.header(0, 0), std::uint32_t{1});
    QCOMPARE(nest.header(0, 1), std::uint32_t{2});
    QCOMPARE(nest.header(0, 2), std::uint32_t{3});
    const LoopOrder order(models);
    QCOMPARE(behind(order, 0, 1), -1);
    QCOMPARE(behind(order, 0, 2), -1);
}

void TestLoopOrder::naturalLoopsAsByTheDefinition() {
    std::mt19937 random(5);
    for (int round = 0; round < 60; ++round) {
        Program program(random);
        const ModelSet models = modelsOf({program.run(), program.run(), program.run()}, program.states());
        QStringList expected;
        for (const auto &[header, states] : naturalLoops(models))
            expected << QString::fromStdString(formatRanges(states)) + " of " + QString::number(header);
        expected.sort();
        QStringList found;
        const LoopNest nest(models);
        for (const LoopRegion &region : nest.regions()) {
            QVERIFY2(region.isNatural, "a structured program has no other loops");
            found << QString::fromStdString(formatRanges(region.states)) + " of " + QString::number(region.header);
        }
        found.sort();
        QCOMPARE(found, expected);
    }
}

void TestLoopOrder::neverAgainstTheTruth() {
    // Tasks of one program that were stopped somewhere: who went a shorter way is behind.
    std::mt19937 random(11);
    int decided = 0;
    int pairs = 0;
    for (int round = 0; round < 60; ++round) {
        Program program(random);
        const Way whole = program.run();
        std::vector<Way> ways;
        for (int rank = 0; rank < 8; ++rank)
            ways.emplace_back(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(1 + random() % whole.size()));
        const ModelSet models = modelsOf(ways, program.states());
        const LoopOrder order(models, innerRounds(models, ways));
        for (Rank a = 0; a < ways.size(); ++a)
            for (Rank b = 0; b < ways.size(); ++b) {
                if (order.nest().common(ways[a].back(), ways[b].back()) == none)
                    continue;
                const int truth = ways[a].size() < ways[b].size() ? -1 : ways[a].size() > ways[b].size() ? 1 : 0;
                const int said = behind(order, a, b);
                QVERIFY2(said == 0 || said == truth, qPrintable(QString("round %1: ranks %2 and %3").arg(round).arg(a).arg(b)));
                pairs += truth != 0;
                decided += said != 0;
            }
    }
    QVERIFY2(pairs > 500 && decided == pairs, qPrintable(QString("%1 of %2 decided").arg(decided).arg(pairs)));
}

void TestLoopOrder::doesNotDependOnRankNumbers() {
    std::mt19937 random(3);
    for (int round = 0; round < 40; ++round) {
        Program program(random);
        const Way whole = program.run();
        std::vector<Way> ways;
        for (int rank = 0; rank < 10; ++rank)
            ways.emplace_back(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(1 + random() % whole.size()));
        std::vector<Rank> number(ways.size());
        std::iota(number.begin(), number.end(), Rank{0});
        std::shuffle(number.begin(), number.end(), random);
        std::vector<Way> renumbered(ways.size());
        for (Rank rank = 0; rank < ways.size(); ++rank)
            renumbered[number[rank]] = ways[rank];
        RankSet expected;
        for (const Rank rank : buildProgressGraph(modelsOf(ways, program.states()), {}).leastProgressed)
            expected.push_back(number[rank]);
        std::sort(expected.begin(), expected.end());
        QCOMPARE(buildProgressGraph(modelsOf(renumbered, program.states()), {}).leastProgressed, expected);
    }
}

void TestLoopOrder::aNodeIsSplitAndEdgesAreOfKindLoop() {
    // Ranks 0 to 3 in state 2; rank 2 is a round behind them. Rank 4 is further in the round.
    const Way round{1, 2, 3};
    std::vector<Way> ways(5, Way{0} + times(6, round) + Way{1, 2});
    ways[2] = Way{0} + times(5, round) + Way{1, 2};
    ways[4] = Way{0} + times(7, round);
    const ProgressGraph graph = buildProgressGraph(modelsOf(ways, 4), {});
    QCOMPARE(graph.nodes.size(), std::size_t{3});
    QCOMPARE(formatRanges(graph.nodes[0].ranks), std::string("0-1,3"));
    QCOMPARE(formatRanges(graph.nodes[1].ranks), std::string("2"));
    QCOMPARE(graph.leastProgressed, RankSet{2});
    QCOMPARE(graph.edges.size(), std::size_t{3});
    for (const ProgressEdge &edge : graph.edges) {
        QVERIFY(edge.kind == ProgressEdge::Kind::Loop && edge.dependence == ProgressEdge::Dependence::Waits && !edge.observed);
        QVERIFY2(edge.confidence > 0 && edge.confidence < 1, "it is inferred");
    }
    QCOMPARE(QString::fromStdString(graph.edges[0].evidence),
             QString("has gone round the loop of MPI_1 6 times, the other 5 times"));
}

void TestLoopOrder::nobodyCanBeSingledOut() {
    const ProgressGraph graph = buildProgressGraph(modelsOf(std::vector<Way>(4, Way{0, 1, 2, 1, 2}), 3), {});
    QVERIFY(graph.leastProgressed.empty());
    QVERIFY(std::none_of(graph.nodes.begin(), graph.nodes.end(), [](const ProgressNode &n) { return n.leastProgressed; }));
    QVERIFY2(graph.why.find("nobody can be singled out") != std::string::npos, graph.why.c_str());
}

QTEST_APPLESS_MAIN(TestLoopOrder)
#include "tst_looporder.moc"
