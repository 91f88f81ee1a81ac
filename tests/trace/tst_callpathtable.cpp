// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace/CallPathTable.h"

#include <QTest>
#include <random>

using namespace laggard;

class TestCallPathTable : public QObject {
    Q_OBJECT

  private slots:
    void internsOnce() {
        CallPathTable paths;
        const CallPathId main = paths.intern(none, 4);
        const CallPathId solve = paths.intern(main, 2);
        QCOMPARE(paths.intern(main, 2), solve);
        QVERIFY(paths.intern(none, 2) != solve);
        QCOMPARE(paths.size(), std::size_t{3});
        QCOMPARE(paths[solve].depth, 1U);
        QCOMPARE(paths.find(main, 2), solve);
        QCOMPARE(paths.find(solve, 2), none);
        QCOMPARE(paths.regions(solve), (std::vector<RegionId>{4, 2}));
        QVERIFY(paths.regions(none).empty());
    }

    void ancestors() {
        CallPathTable paths;
        const CallPathId a = paths.intern(none, 0);
        const CallPathId b = paths.intern(a, 1);
        const CallPathId c = paths.intern(a, 2);
        QVERIFY(paths.isAncestor(a, b) && paths.isAncestor(b, b) && paths.isAncestor(none, a));
        QVERIFY(!paths.isAncestor(b, c) && !paths.isAncestor(b, a));
    }

    void truncateForgets() {
        CallPathTable paths;
        const CallPathId a = paths.intern(none, 0);
        paths.intern(a, 1);
        paths.truncate(1);
        QCOMPARE(paths.size(), std::size_t{1});
        QCOMPARE(paths.find(a, 1), none);
        QCOMPARE(paths.intern(a, 7), 1U);
    }

    /// The same tree, met in any order, gets the same numbers, and every path keeps its regions.
    void canonicalNumbersDependOnTheTreeAlone() {
        std::vector<std::vector<RegionId>> stacks;
        std::mt19937 random(3);
        for (int i = 0; i < 60; ++i) {
            std::vector<RegionId> stack(1 + random() % 5);
            for (RegionId &region : stack)
                region = random() % 4;
            stacks.push_back(stack);
        }
        std::vector<std::vector<RegionId>> reference;
        for (int round = 0; round < 20; ++round) {
            std::shuffle(stacks.begin(), stacks.end(), random);
            CallPathTable paths;
            for (const auto &stack : stacks) {
                CallPathId path = none;
                for (const RegionId region : stack)
                    path = paths.intern(path, region);
            }
            std::vector<CallPathId> renumbering;
            const CallPathTable canonical = paths.canonical(renumbering);
            QCOMPARE(canonical.size(), paths.size());
            std::vector<std::vector<RegionId>> all;
            for (CallPathId id = 0; id < canonical.size(); ++id) {
                QVERIFY(canonical[id].parent == none || canonical[id].parent < id);
                all.push_back(canonical.regions(id));
            }
            for (CallPathId id = 0; id < paths.size(); ++id)
                QCOMPARE(canonical.regions(renumbering[id]), paths.regions(id));
            if (round == 0)
                reference = all;
            QCOMPARE(all, reference);
        }
    }
};

QTEST_APPLESS_MAIN(TestCallPathTable)
#include "tst_callpathtable.moc"
