// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/verdict/Describe.h"
#include "tests/support/TraceBuilder.h"

#include <QTest>

using namespace laggard;
using test::TraceBuilder;

class TestDescribe : public QObject {
    Q_OBJECT
  private slots:
    void calls() {
        const TracePtr trace = TraceBuilder(1).enter(0, 0, "main").enter(0, 1, "solve").enter(0, 2, "MPI_Recv").finish(10);
        const Track &track = trace->mainEvents(0)->track;
        QCOMPARE(describeCall(*trace, none), std::string("code outside all recorded calls"));
        QCOMPARE(describeCall(*trace, track.callPath[1]), std::string("solve (solve.c:1)"));
        QCOMPARE(describeCall(*trace, track.callPath[2]), std::string("MPI_Recv, called from solve (solve.c:1)"));
        QCOMPARE(nearestWithSource(*trace, track.callPath[2]), track.callPath[1]);
        QCOMPARE(nearestWithSource(*trace, none), none);
    }
    /// A small function, or a wrapper of an MPI call, says less than who calls it.
    void callers() {
        const auto trace = std::const_pointer_cast<Trace>(TraceBuilder(1)
                                                              .enter(0, 0, "main")
                                                              .enter(0, 1, "merge")
                                                              .enter(0, 2, "better")
                                                              .leave(0, 3, "better")
                                                              .enter(0, 4, "MPI_Recv")
                                                              .finish(10));
        const Track &track = trace->mainEvents(0)->track;
        const auto regionOf = [&](std::size_t row) { return trace->callPaths[track.callPath[row]].region; };
        // Nobody knows from which lines they were called.
        QCOMPARE(describeWithCaller(*trace, track.callPath[2]), std::string("better (better.c:1)"));
        trace->callSites = {{"main.c", 7}, {"merge.c", 26}};
        const CallPathId main = track.callPath[0];
        const CallPathId merge = trace->callPaths.intern(main, regionOf(1), 0);
        const CallPathId better = trace->callPaths.intern(merge, regionOf(2), 1);
        const CallPathId receive = trace->callPaths.intern(merge, regionOf(3), 1);
        QCOMPARE(describeWithCaller(*trace, better), std::string("better (better.c:1), called from merge (merge.c:26)"));
        QCOMPARE(describeWithCaller(*trace, receive),
                 std::string("MPI_Recv, called from merge (merge.c:26), from main (main.c:7)"));
        QCOMPARE(describeWithCaller(*trace, main), std::string("main (main.c:1)"));
        QCOMPARE(describeWithCaller(*trace, none), std::string("code outside all recorded calls"));
        // The main function of a Fortran program is the compiler's.
        trace->callSites[0].file = "main.f90";
        QCOMPARE(describeWithCaller(*trace, receive), std::string("MPI_Recv, called from merge (merge.c:26)"));
    }
    /// Nobody knows what "libgomp.so.1+0x1e2d0" is.
    void functionsOfOpenMp() {
        const auto trace =
            std::const_pointer_cast<Trace>(TraceBuilder(1).enter(0, 0, "main").enter(0, 1, "libgomp.so.1+0x1e2d0").finish(10));
        for (Region &region : trace->regions)
            if (region.name.starts_with("libgomp"))
                region.file.clear();
        QCOMPARE(describeCall(*trace, trace->mainEvents(0)->track.callPath[1]),
                 std::string("OpenMP's library (libgomp.so.1), called from main (main.c:1)"));
    }
    void confidences() {
        QCOMPARE(describeConfidence(0.97), std::string("0.97 (high)"));
        QCOMPARE(describeConfidence(0.7), std::string("0.70 (fair)"));
        QCOMPARE(describeConfidence(0.4), std::string("0.40 (low)"));
        QCOMPARE(describeConfidence(0.9752), std::string("0.97 (high)")); // as the pictures' 97 %
        QCOMPARE(describeConfidence(0.999), std::string("0.99 (high)"));  // not certain
        QCOMPARE(confidencePercent(0.29), 29);
        QCOMPARE(confidencePercent(1), 100);
        QCOMPARE(describeConfidence(0.0), std::string("0.00 (very low)"));
    }
};

QTEST_APPLESS_MAIN(TestDescribe)
#include "tst_describe.moc"
