// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/progress/ProgressNodes.h"

#include <QTest>

using namespace laggard;

namespace {

Wait wait(RankSet waiters, RankSet on) {
    return {Wait::Kind::PointToPoint, std::move(waiters), std::move(on), false, 1, "a message"};
}

QStringList described(const TaskGroups &groups) {
    QStringList list;
    for (const RankSet &ranks : groups.groups)
        list << QString::fromStdString(formatRanges(ranks));
    return list;
}

} // namespace

class TestProgressNodes : public QObject {
    Q_OBJECT
  private slots:
    void groupsByStateAndOpenCallPath();
    void leavesGroupsAloneThatWaitForOthers();
    void splitsAGroupThatWaitsForItself();
    void takesAChainApart();
    void boundsTheNumberOfGroups();
    void keepsARingTogetherAndSaysSo();
    void ignoresRanksThatTheGraphDoesNotHave();
};

void TestProgressNodes::groupsByStateAndOpenCallPath() {
    const TaskPlace compute{1, 7, false, false};
    const TaskPlace residual{1, 8, false, false};
    const TaskPlace named{1, 7, false, true};
    const TaskPlace finished{1, none, true, false};
    const TaskGroups groups = groupTasks({compute, residual, compute, {}, named, finished}, {}, {});
    QCOMPARE(described(groups), QStringList({"0,2", "1", "4", "5"}));
    QCOMPARE(groups.groupOfRank[3], none);
}

void TestProgressNodes::leavesGroupsAloneThatWaitForOthers() {
    std::vector<TaskPlace> places(4, {1, 1, false, false});
    places[3].state = 2;
    const TaskGroups groups = groupTasks(places, {wait({0}, {3}), wait({1}, {3})}, {});
    QCOMPARE(described(groups), QStringList({"0-2", "3"}));
}

void TestProgressNodes::splitsAGroupThatWaitsForItself() {
    // A wavefront on 4 × 4 ranks, as it stands after rank 9 left out its sends to 10 and 13.
    std::vector<TaskPlace> places(16, {1, 1, false, false});
    for (Rank rank = 0; rank < 16; ++rank)
        places[rank].state = rank == 9 ? 2 : rank == 10 || rank == 11 || rank >= 13 ? 1 : 3;
    const TaskGroups groups =
        groupTasks(places, {wait({10}, {9}), wait({13}, {9}), wait({11}, {10}), wait({14}, {13}), wait({15}, {11, 14})}, {});
    QCOMPARE(described(groups), QStringList({"0-8,12", "9", "10,13", "11,14", "15"}));
    QVERIFY(groups.waitingAmongThemselves.empty());
}

void TestProgressNodes::takesAChainApart() {
    std::vector<Wait> waits;
    for (Rank rank = 1; rank < 16; ++rank)
        waits.push_back(wait({rank}, {rank - 1}));
    const TaskGroups groups = groupTasks(std::vector<TaskPlace>(16, {1, 1, false, false}), waits, {});
    QCOMPARE(groups.groups.size(), std::size_t{16});
    QVERIFY(groups.waitingAmongThemselves.empty());
}

void TestProgressNodes::boundsTheNumberOfGroups() {
    constexpr Rank ranks = 2000;
    std::vector<Wait> waits;
    for (Rank rank = 1; rank < ranks; ++rank)
        waits.push_back(wait({rank}, {rank - 1}));
    const TaskGroups groups = groupTasks(std::vector<TaskPlace>(ranks, {1, 1, false, false}), waits, {});
    QVERIFY2(groups.groups.size() < 50, "a long chain must not become as many nodes as it has ranks");
    QVERIFY2(groups.groups.front() == RankSet{0}, "the rank that waits for nobody must stand alone");
    QVERIFY2(groups.waitingAmongThemselves.size() > 1900, "what could not be shown must be said");
}

void TestProgressNodes::keepsARingTogetherAndSaysSo() {
    const TaskGroups groups =
        groupTasks(std::vector<TaskPlace>(3, {1, 1, false, false}), {wait({0}, {1}), wait({1}, {2}), wait({2}, {0})}, {});
    QCOMPARE(described(groups), QStringList({"0-2"}));
    QCOMPARE(groups.waitingAmongThemselves, RankSet({0, 1, 2}));
}

void TestProgressNodes::ignoresRanksThatTheGraphDoesNotHave() {
    const TaskGroups groups = groupTasks({{1, 1, false, false}, {}}, {wait({0}, {1}), wait({0}, {99})}, {});
    QCOMPARE(described(groups), QStringList({"0"}));
    QVERIFY(groupTasks({}, {wait({0}, {1})}, {}).groups.empty());
}

QTEST_APPLESS_MAIN(TestProgressNodes)
#include "tst_progressnodes.moc"
