// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/delays/Delays.h"
#include "analysis/delays/LongWaits.h"
#include "tests/support/TraceBuilder.h"

#include <QTest>

using namespace laggard;
using laggard::test::TraceBuilder;
using Op = CollectiveOperation;

class TestLongWaits : public QObject {
    Q_OBJECT
  private slots:
    /// If several wait in one barrier, only the longest wait is told; a later one is another stretch of time.
    void eachStretchOfTimeOnce() {
        const std::vector<WaitSegments> segments{{{10, 100, 2}, {200, 230, 1}}, {{40, 100, 2}}, {{210, 230, 1}, {300, 305, 0}}};
        const std::vector<LongWait> expected{{{10, 100}, 0, 2}, {{200, 230}, 0, 1}, {{300, 305}, 2, 0}};
        QVERIFY(longestWaits(segments, 12) == expected);
        QCOMPARE(longestWaits(segments, 2).size(), std::size_t{2});
        QVERIFY(longestWaits({}, 12).empty());
    }

    /// Rank 2 is late to a barrier, and rank 3 waits for a message of rank 1, which is in that barrier.
    void directlyAndThroughOthers() {
        TraceBuilder builder(3);
        builder.call(0, 0, 10, "work").collectiveCall(0, 10, 105, Op::Barrier);
        builder.call(1, 0, 40, "work").collectiveCall(1, 40, 105, Op::Barrier);
        builder.call(2, 0, 30, "setup").call(2, 30, 100, "work").collectiveCall(2, 100, 105, Op::Barrier);
        const TracePtr trace = builder.finish(110);
        std::vector<WaitSegments> segments = findWaitSegments(*trace, trace->range, Work{});
        segments.push_back({{50, 104, 1}}); // a rank that waits for rank 1 meanwhile
        const CallPathId work = trace->mainEvents(2)->track.callPath[1];
        const DelayedRanks delayed = ranksDelayedBy(*trace, segments, 2, work, trace->range);
        QVERIFY((delayed.ranks == RankSet{0, 1, 3}));
        QVERIFY(qAbs(delayed.seconds - (90 + 60 + 54) / 3 * 1e-9) < 1e-12);
        QVERIFY(delayed.worst.has_value());
        QCOMPARE(delayed.worst->begin, Tick{10});
        QCOMPARE(delayed.worst->end, Tick{100});
        QVERIFY(ranksDelayedBy(*trace, segments, 0, work, trace->range).ranks.empty());
    }

    /// The report on delays has both.
    void inTheReport() {
        TraceBuilder builder(2);
        builder.collectiveCall(0, 10, 105, Op::Barrier);
        builder.call(1, 0, 100, "work").collectiveCall(1, 100, 105, Op::Barrier);
        const TracePtr trace = builder.finish(110);
        const DelayReport report = findDelays(*trace, trace->range, Work{});
        QVERIFY(report.leading.has_value());
        QVERIFY(report.delayed.ranks == RankSet{0});
        QCOMPARE(report.longest.size(), std::size_t{1});
        QCOMPARE(report.longest.front().cause, Rank{1});
    }
};

QTEST_APPLESS_MAIN(TestLongWaits)
#include "tst_longwaits.moc"
