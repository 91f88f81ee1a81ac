// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/waitfor/CollectiveTree.h"

#include <QTest>

#include <algorithm>
#include <numeric>

using namespace laggard;

namespace {

constexpr int nobody = -1;

QString name(std::optional<Rank> rank) { return rank ? QString("rank %1").arg(*rank) : QString("nobody"); }

/// Who has not left a reduction over a binomial tree in which a rank does not hand over its part: played, not derived. Each rank
/// waits for its children, then hands over its part, from the leaves on.
RankSet lateOfReduction(const std::vector<Rank> &order, std::size_t root, std::size_t stuck) {
    const std::size_t size = order.size();
    std::vector<bool> handedOver(size, false);
    for (std::size_t place = size; place-- > 1;) {
        bool hasAll = place != stuck;
        for (std::size_t bit = 1; bit < size && (place & bit) == 0; bit <<= 1)
            hasAll = hasAll && (place + bit >= size || handedOver[place + bit]);
        handedOver[place] = hasAll;
    }
    RankSet late;
    for (std::size_t place = 1; place < size; ++place)
        if (!handedOver[place])
            late.push_back(order[(place + root) % size]);
    std::sort(late.begin(), late.end());
    return late;
}

/// The same for a broadcast: who has the data hands them to its children, the furthest first.
RankSet lateOfBroadcast(const std::vector<Rank> &order, std::size_t root, std::size_t stuck) {
    const std::size_t size = order.size();
    std::vector<bool> has(size, false);
    has[0] = true;
    for (std::size_t place = 0; place < size; ++place)
        for (std::size_t bit = 1; has[place] && bit < size && (place & bit) == 0; bit <<= 1)
            if (place + bit < size && place + bit != stuck)
                has[place + bit] = true;
    RankSet late;
    for (std::size_t place = 1; place < size; ++place)
        if (!has[place])
            late.push_back(order[(place + root) % size]);
    std::sort(late.begin(), late.end());
    return late;
}

} // namespace

class TestCollectiveTree : public QObject {
    Q_OBJECT
  private slots:
    void heldInTree_data() {
        QTest::addColumn<RankSet>("late");
        QTest::addColumn<Rank>("root");
        QTest::addColumn<bool>("toRoot");
        QTest::addColumn<int>("held");

        QTest::newRow("the way of 15 to the root") << RankSet{8, 12, 14, 15} << 0U << true << 15;
        QTest::newRow("two on the way") << RankSet{8, 10} << 0U << true << 10;
        QTest::newRow("behind another root") << RankSet{0, 2, 3} << 12U << true << 3;
        QTest::newRow("the highest bit first") << RankSet{1, 3, 7} << 0U << true << 7;
        QTest::newRow("one of the way has left it") << RankSet{8, 12, 15} << 0U << true << nobody;
        QTest::newRow("two ways") << RankSet{4, 8, 10} << 0U << true << nobody;
        QTest::newRow("the root is no member of the way") << RankSet{0, 8} << 0U << true << nobody;
        QTest::newRow("nobody is late") << RankSet{} << 0U << true << nobody;
        QTest::newRow("below 4") << RankSet{4, 5, 6, 7} << 0U << false << 4;
        QTest::newRow("some below 8") << RankSet{8, 12, 14} << 0U << false << 8;
        QTest::newRow("one below 8 has got the data") << RankSet{8, 14, 15} << 0U << false << nobody;
        QTest::newRow("all") << RankSet{1, 2, 3} << 0U << false << nobody;
        QTest::newRow("in both trees, of different members") << RankSet{1, 2, 3} << 0U << true << nobody;
    }

    void heldInTree() {
        QFETCH(RankSet, late);
        QFETCH(Rank, root);
        QFETCH(bool, toRoot);
        QFETCH(int, held);
        std::vector<Rank> world(16);
        std::iota(world.begin(), world.end(), 0U);
        const auto found = laggard::heldInTree(world, root, late, toRoot ? TreeFlow::ToRoot : TreeFlow::FromRoot);
        QCOMPARE(name(found), held == nobody ? QString("nobody") : QString("rank %1").arg(held));
    }

    /// Whoever stands still, in communicators of any size and order and for any root, is found or nobody is: never another one.
    void isRightWhenPlayed() {
        int found = 0;
        for (std::size_t size = 2; size <= 33; ++size)
            for (std::size_t root = 0; root < size; root += 3)
                for (std::size_t stuck = 1; stuck < size; ++stuck) {
                    std::vector<Rank> order(size);
                    for (std::size_t place = 0; place < size; ++place)
                        order[place] = static_cast<Rank>((place * 5 + 3) % 37); // 37 is prime: all differ
                    const Rank culprit = order[(stuck + root) % size];
                    const auto up =
                        laggard::heldInTree(order, order[root], lateOfReduction(order, root, stuck), TreeFlow::ToRoot);
                    const auto down =
                        laggard::heldInTree(order, order[root], lateOfBroadcast(order, root, stuck), TreeFlow::FromRoot);
                    for (const auto &held : {up, down}) {
                        QVERIFY2(!held || *held == culprit, qPrintable(name(held) + " instead of " + name(culprit)));
                        found += held ? 1 : 0;
                    }
                }
        QVERIFY2(found > 5000, qPrintable(QString("found in %1 plays only").arg(found)));
    }

    void nameOfUnknownMember() {
        QVERIFY2(!laggard::heldInTree({0, 1, 2, 3}, 0, {2, 9}, TreeFlow::ToRoot), "rank 9 is no member");
        QVERIFY2(!laggard::heldInTree({0, 1, 2, 3}, 9, {2, 3}, TreeFlow::ToRoot), "the root is no member");
    }
};

QTEST_APPLESS_MAIN(TestCollectiveTree)
#include "tst_collectivetree.moc"
