// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/waitfor/WaitComponents.h"

#include <QTest>
#include <map>
#include <random>
#include <set>

using namespace laggard;

class TestWaitComponents : public QObject {
    Q_OBJECT
  private slots:
    void chainEndsAtTheRankThatWaitsForNobody();
    void confidenceIsThatOfTheBestChain();
    void equalsBruteForce();
    void longChainsDoNotOverflow();
};

namespace {

Wait wait(RankSet waiters, RankSet on, double confidence = 1) {
    Wait result;
    result.waiters = std::move(waiters);
    result.on = std::move(on);
    result.confidence = confidence;
    return result;
}

/// reach[a][b]: a waits for b, directly or through others.
std::vector<std::vector<bool>> closure(std::size_t ranks, const std::vector<Wait> &waits) {
    std::vector<std::vector<bool>> reach(ranks, std::vector<bool>(ranks, false));
    for (const Wait &w : waits)
        for (const Rank a : w.waiters)
            for (const Rank b : w.on)
                reach[a][b] = true;
    for (std::size_t k = 0; k < ranks; ++k)
        for (std::size_t i = 0; i < ranks; ++i)
            for (std::size_t j = 0; j < ranks; ++j)
                if (reach[i][k] && reach[k][j])
                    reach[i][j] = true;
    return reach;
}

} // namespace

void TestWaitComponents::chainEndsAtTheRankThatWaitsForNobody() {
    const auto ends = findWaitEnds(5, {wait({0}, {1}), wait({1}, {2}), wait({3}, {4})});
    QCOMPARE(ends.size(), std::size_t{2});
    QCOMPARE(ends[0].ranks, RankSet{2});
    QCOMPARE(ends[0].waiting, std::size_t{2});
    QCOMPARE(ends[1].ranks, RankSet{4});
}

void TestWaitComponents::confidenceIsThatOfTheBestChain() {
    WaitEnd end;
    end.ranks = {2};
    describeWaiting(3, {wait({0}, {1}, 0.9), wait({1}, {2}, 0.5), wait({0}, {2}, 0.3)}, end);
    QCOMPARE(end.waitingRanks, (RankSet{0, 1}));
    QCOMPARE(end.confidence, 0.5); // rank 0: min(0.9, 0.5) beats 0.3
}

void TestWaitComponents::equalsBruteForce() {
    std::mt19937 random(7);
    for (int round = 0; round < 400; ++round) {
        const std::size_t ranks = 2 + random() % 9;
        std::vector<Wait> waits(random() % 8);
        for (Wait &w : waits) {
            std::set<Rank> waiters;
            std::set<Rank> on;
            while (waiters.empty() || on.empty()) {
                waiters.clear();
                on.clear();
                for (Rank rank = 0; rank < ranks; ++rank)
                    if (const auto choice = random() % 4; choice == 0)
                        waiters.insert(rank);
                    else if (choice == 1)
                        on.insert(rank);
            }
            w = wait({waiters.begin(), waiters.end()}, {on.begin(), on.end()});
        }
        const auto reach = closure(ranks, waits);
        std::set<RankSet> expected;
        std::map<RankSet, std::size_t> weight;
        for (std::size_t a = 0; a < ranks; ++a) {
            RankSet component;
            bool isBottom = true;
            std::set<std::size_t> waiting;
            for (std::size_t b = 0; b < ranks; ++b)
                if (b == a || (reach[a][b] && reach[b][a]))
                    component.push_back(static_cast<Rank>(b));
            for (std::size_t b = 0; b < ranks; ++b) {
                const bool inside = std::binary_search(component.begin(), component.end(), b);
                isBottom = isBottom && (inside || !reach[a][b]);
                if (!inside && reach[b][a])
                    waiting.insert(b);
            }
            if (isBottom && (!waiting.empty() || component.size() > 1)) {
                expected.insert(component);
                weight[component] = waiting.size();
            }
        }
        const auto ends = findWaitEnds(ranks, waits);
        QCOMPARE(ends.size(), expected.size());
        for (const WaitEnd &end : ends) {
            QVERIFY(expected.contains(end.ranks));
            QCOMPARE(end.waiting, weight[end.ranks]);
            WaitEnd described = end;
            describeWaiting(ranks, waits, described);
            QCOMPARE(described.waiting, end.waiting);
        }
    }
}

void TestWaitComponents::longChainsDoNotOverflow() {
    constexpr Rank ranks = 200'000;
    std::vector<Wait> waits;
    for (Rank rank = 0; rank + 1 < ranks; ++rank)
        waits.push_back(wait({rank}, {rank + 1}));
    const auto ends = findWaitEnds(ranks, waits);
    QCOMPARE(ends.size(), std::size_t{1});
    QCOMPARE(ends[0].ranks, RankSet{ranks - 1});
    QCOMPARE(ends[0].waiting, std::size_t{ranks - 1});
}

QTEST_APPLESS_MAIN(TestWaitComponents)
#include "tst_waitcomponents.moc"
