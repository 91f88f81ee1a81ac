// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/TraceBuilder.h"
#include "trace/Phrases.h"

#include <QTest>

using namespace laggard;
using test::TraceBuilder;

class TestPhrases : public QObject {
    Q_OBJECT
  private slots:
    void rankSets_data() {
        QTest::addColumn<QList<int>>("ranks");
        QTest::addColumn<QString>("text");
        QTest::newRow("none") << QList<int>{} << "no rank";
        QTest::newRow("one") << QList<int>{3} << "rank 3";
        QTest::newRow("two") << QList<int>{9, 10} << "ranks 9 and 10";
        QTest::newRow("ranges") << QList<int>{0, 1, 2, 4, 5} << "ranks 0-2, 4-5";
    }
    void rankSets() {
        QFETCH(QList<int>, ranks);
        QFETCH(QString, text);
        QCOMPARE(QString::fromStdString(describeRankSet(RankSet(ranks.begin(), ranks.end()))), text);
    }
    void sourcePlaces() {
        QCOMPARE(sourcePlace("/home/me/solve.c", 12), std::string("solve.c:12"));
        QCOMPARE(sourcePlace("solve.c", 0), std::string("solve.c"));
        QCOMPARE(sourcePlace("", 12), std::string());
    }
    /// Where a function begins must not be read as the line that it had come to.
    void placesOfDefinitionsSaySo() {
        QCOMPARE(definitionPlace("/home/me/solve.c", 12), std::string("defined at solve.c:12"));
        QCOMPARE(definitionPlace("solve.c", 0), std::string("solve.c"));
        QCOMPARE(sourcePlace(Frame{"solve", "solve.c", 12, true}), std::string("defined at solve.c:12"));
        QCOMPARE(sourcePlace(Frame{"solve", "solve.c", 14}), std::string("solve.c:14"));
    }
    /// The line of the call, not that of the function that is called.
    void placesOfCalls() {
        const auto trace = std::const_pointer_cast<Trace>(TraceBuilder(1).enter(0, 0, "main").enter(0, 1, "MPI_Recv").finish(10));
        const CallPathId call = trace->mainEvents(0)->track.callPath[1];
        QCOMPARE(callPlaceInBrackets(*trace, call), std::string());
        QCOMPARE(nameWithPlace(*trace, call), std::string("MPI_Recv"));
        QCOMPARE(callPlace(*trace, none), std::string());
        CallSite line;
        line.file = "/home/me/main.c";
        line.line = 7;
        trace->callSites.push_back(line);
        const CallPath &bare = trace->callPaths[call];
        const CallPathId placed =
            trace->callPaths.intern(bare.parent, bare.region, static_cast<CallSiteId>(trace->callSites.size() - 1));
        QCOMPARE(callPlace(*trace, placed), std::string("main.c:7"));
        QCOMPARE(nameWithPlace(*trace, placed), std::string("MPI_Recv (main.c:7)"));
    }
};

QTEST_APPLESS_MAIN(TestPhrases)
#include "tst_phrases.moc"
