// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/delays/UnfinishedWaits.h"
#include "tests/support/TraceBuilder.h"

#include <QTest>

using namespace laggard;
using laggard::test::TraceBuilder;

namespace {

/// At 100: each rank has been in its call since 10, 20, 30 and so on.
WaitForGraph graphOf(const RankSet &named, const std::vector<std::pair<RankSet, RankSet>> &waits, std::size_t ranks) {
    WaitForGraph graph;
    graph.at = 100;
    graph.activities.resize(ranks);
    for (Rank rank = 0; rank < ranks; ++rank)
        graph.activities[rank].since = 10 * (Tick{rank} + 1);
    for (const auto &[waiters, on] : waits) {
        Wait wait;
        wait.waiters = waiters;
        wait.on = on;
        graph.waits.push_back(wait);
    }
    graph.verdict.ranks = named;
    return graph;
}

std::vector<int> nanoseconds(const std::vector<double> &seconds) {
    std::vector<int> rounded;
    for (const double each : seconds)
        rounded.push_back(qRound(1e9 * each));
    return rounded;
}

} // namespace

class TestUnfinishedWaits : public QObject {
    Q_OBJECT
  private slots:
    void whoWaitsAndForWhom_data() {
        using Waits = std::vector<std::pair<RankSet, RankSet>>;
        using Times = std::vector<int>;
        QTest::addColumn<RankSet>("named");
        QTest::addColumn<Waits>("waits");
        QTest::addColumn<Times>("waited");
        QTest::addColumn<Times>("caused");
        QTest::newRow("nobody is named") << RankSet{} << Waits{{{0}, {1}}} << Times{0, 0, 0} << Times{0, 0, 0};
        QTest::newRow("directly and through others")
            << RankSet{2} << Waits{{{0}, {1}}, {{1}, {2}}} << Times{90, 80, 0} << Times{0, 0, 170};
        QTest::newRow("who waits for another") << RankSet{2} << Waits{{{0}, {1}}} << Times{0, 0, 0} << Times{0, 0, 0};
        QTest::newRow("each of several has a part")
            << RankSet{1, 2} << Waits{{{0}, {1, 2}}} << Times{90, 0, 0} << Times{0, 45, 45};
        QTest::newRow("a cycle") << RankSet{0, 1} << Waits{{{0}, {1}}, {{1}, {0}}} << Times{90, 80, 0} << Times{80, 90, 0};
        QTest::newRow("two cycles and a waiter of one")
            << RankSet{0, 1, 2, 3} << Waits{{{0}, {1}}, {{1}, {0}}, {{2}, {3}}, {{3}, {2}}, {{4}, {2}}}
            << Times{90, 80, 70, 60, 50} << Times{80, 90, 85, 95, 0};
        QTest::newRow("a rank that waits for itself") << RankSet{1} << Waits{{{1}, {1}}} << Times{0, 80, 0} << Times{0, 80, 0};
    }
    void whoWaitsAndForWhom() {
        using Waits = std::vector<std::pair<RankSet, RankSet>>;
        QFETCH(const RankSet, named);
        QFETCH(const Waits, waits);
        QFETCH(const std::vector<int>, waited);
        QFETCH(const std::vector<int>, caused);
        TraceBuilder builder(static_cast<Rank>(waited.size()));
        const TracePtr trace = builder.call(0, 0, 1, "work").finish(100);
        const UnfinishedWaits found = findUnfinishedWaits(*trace, graphOf(named, waits, waited.size()));
        QCOMPARE(nanoseconds(found.waitedSeconds), waited);
        QCOMPARE(nanoseconds(found.causedSeconds), caused);
    }

    /// Too many to be followed one by one: what others wait for them is shared out equally.
    void manyNamed() {
        constexpr std::size_t ranks = 40;
        RankSet named;
        std::vector<std::pair<RankSet, RankSet>> waits;
        for (Rank rank = 0; rank < ranks; ++rank) {
            named.push_back(rank);
            waits.push_back({{rank}, {static_cast<Rank>((rank + 1) % ranks)}});
        }
        WaitForGraph graph = graphOf(named, waits, ranks);
        for (Activity &activity : graph.activities)
            activity.since = 20;
        const TracePtr trace = TraceBuilder(ranks).call(0, 0, 1, "work").finish(100);
        const UnfinishedWaits found = findUnfinishedWaits(*trace, graph);
        QCOMPARE(nanoseconds(found.waitedSeconds), std::vector<int>(ranks, 80));
        QCOMPARE(nanoseconds(found.causedSeconds), std::vector<int>(ranks, 80));
    }
};

QTEST_APPLESS_MAIN(TestUnfinishedWaits)
#include "tst_unfinishedwaits.moc"
