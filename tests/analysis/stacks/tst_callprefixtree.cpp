// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/stacks/CallPrefixTree.h"

#include <QTest>

#include <random>

using namespace laggard;

namespace {

Activity inCall(CallPathId path) {
    Activity activity;
    activity.kind = Activity::Kind::Computing;
    activity.callPath = path;
    return activity;
}

/// The slow, obvious answer: every rank's path is walked for every node.
RankSet ranksInside(const CallPathTable &table, const std::vector<Activity> &activities, CallPathId path) {
    RankSet ranks;
    for (Rank rank = 0; rank < activities.size(); ++rank)
        if (activities[rank].callPath != none && table.isAncestor(path, activities[rank].callPath))
            ranks.push_back(rank);
    return ranks;
}

QString ranges(const RankSet &ranks) { return QString::fromStdString(formatRanges(ranks)); }

} // namespace

class TestCallPrefixTree : public QObject {
    Q_OBJECT
  private slots:
    void mergesCommonCallers() {
        CallPathTable table;
        const CallPathId main = table.intern(none, 0);
        const CallPathId step = table.intern(main, 1);
        const CallPathId flux = table.intern(step, 2);
        const CallPathId allreduce = table.intern(step, 3);
        Activity finished;
        finished.kind = Activity::Kind::Finished;
        const std::vector<Activity> activities = {inCall(allreduce), inCall(flux), inCall(allreduce), inCall(step), finished};

        const CallPrefixTree tree = buildCallPrefixTree(table, activities);
        QCOMPARE(tree.nodes.size(), std::size_t{5});
        QCOMPARE(ranges(tree.nodes[0].ranks), QString("0-3"));
        const CallPrefixNode &ofMain = tree.nodes[tree.nodes[0].children.at(0)];
        QCOMPARE(ofMain.callPath, main);
        const CallPrefixNode &ofStep = tree.nodes[ofMain.children.at(0)];
        QCOMPARE(ranges(ofStep.ranks), QString("0-3"));
        QCOMPARE(ranges(ofStep.innermost), QString("3"));
        QCOMPARE(ofStep.children.size(), std::size_t{2});
        QCOMPARE(tree.nodes[ofStep.children[0]].callPath, allreduce);
        QCOMPARE(ranges(tree.nodes[ofStep.children[0]].ranks), QString("0,2"));
        QCOMPARE(ranges(tree.nodes[ofStep.children[1]].ranks), QString("1"));
        QCOMPARE(tree.withoutCall.size(), std::size_t{1});
        QCOMPARE(tree.withoutCall[0].kind, Activity::Kind::Finished);
        QCOMPARE(ranges(tree.withoutCall[0].ranks), QString("4"));
    }

    void takesOnlyTheRanksAskedFor() {
        CallPathTable table;
        const CallPathId main = table.intern(none, 0);
        const CallPrefixTree tree = buildCallPrefixTree(table, {inCall(main), inCall(main), inCall(main)}, {1, 7});
        QCOMPARE(ranges(tree.nodes[0].ranks), QString("1"));
    }

    void nothing() {
        const CallPrefixTree tree = buildCallPrefixTree({}, {});
        QCOMPARE(tree.nodes.size(), std::size_t{1});
        QVERIFY(tree.nodes[0].ranks.empty());
    }

    void agreesWithTheSlowAnswer() {
        std::mt19937 random(5);
        for (int round = 0; round < 100; ++round) {
            CallPathTable table;
            std::vector<CallPathId> paths = {none};
            for (int i = 0; i < 20; ++i)
                paths.push_back(table.intern(paths[random() % paths.size()], random() % 6));
            std::vector<Activity> activities;
            for (int rank = 0; rank < 30; ++rank)
                activities.push_back(inCall(paths[random() % paths.size()]));
            const CallPrefixTree tree = buildCallPrefixTree(table, activities);
            for (const CallPrefixNode &node : tree.nodes) {
                QCOMPARE(ranges(node.ranks), ranges(ranksInside(table, activities, node.callPath)));
                QVERIFY2(node.parent == none || !node.ranks.empty(), "a call that no rank is in is in the tree");
            }
        }
    }
};

QTEST_APPLESS_MAIN(TestCallPrefixTree)
#include "tst_callprefixtree.moc"
