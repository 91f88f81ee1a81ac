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
