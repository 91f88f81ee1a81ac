// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/TraceBuilder.h"
#include "views/compare/Counterparts.h"

#include <QTest>

using namespace laggard;
using laggard::test::TraceBuilder;

class tst_Counterparts : public QObject {
    Q_OBJECT
  private slots:
    void byNameWhateverTheirNumbers() {
        TraceBuilder one(3);
        one.enter(0, 1, "main").enter(0, 2, "solve").call(0, 3, 4, "MPI_Send").leave(0, 5, "solve").leave(0, 6, "main");
        TraceBuilder two(2);
        two.call(1, 1, 2, "other").enter(0, 1, "main").call(0, 2, 3, "MPI_Send").call(0, 4, 5, "solve").leave(0, 6, "main");
        const TracePtr from = one.finish(10);
        const TracePtr to = two.finish(10);
        const Counterparts map(*from, *to);
        for (RegionId region = 0; region < from->regions.size(); ++region)
            QCOMPARE(to->regions[map.region(region)].name, from->regions[region].name);
        const auto pathTo = [&](const Trace &trace, const std::string &function) {
            CallPathId path = 0;
            while (trace.region(path).name != function)
                ++path;
            return path;
        };
        QCOMPARE(map.callPath(pathTo(*from, "solve")), pathTo(*to, "solve"));
        // In the other run solve sends nothing: solve it is.
        QCOMPARE(map.callPath(pathTo(*from, "MPI_Send")), pathTo(*to, "solve"));
        QCOMPARE(map.callPath(none), none);

        Selection selection;
        selection.ranks = {0, 1, 2};
        selection.node = 4;
        const Selection there = map.selection(selection);
        QCOMPARE(there.ranks, (RankSet{0, 1}));
        QVERIFY(!there.node);
        QCOMPARE(Counterparts(*to, *from).region(pathTo(*to, "other")), none);
    }
};

QTEST_APPLESS_MAIN(tst_Counterparts)
#include "tst_counterparts.moc"
