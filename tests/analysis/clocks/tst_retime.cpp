// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/clocks/Retime.h"
#include "tests/support/TraceBuilder.h"

#include <QTest>

using namespace laggard;
using laggard::test::TraceBuilder;

class TestRetime : public QObject {
    Q_OBJECT

  private slots:
    void movesEveryTime();
    void countsReversedMessagesAnew();
};

void TestRetime::movesEveryTime() {
    TraceBuilder builder(2);
    builder.enter(0, 10, "main").sendCall(0, 20, 30, 1).phase(0, 40).leave(0, 90, "main");
    builder.enter(1, 10, "main").receiveCall(1, 20, 50, 0);
    builder.collectiveCall(0, 92, 99, CollectiveOperation::Barrier).collectiveCall(1, 60, 97, CollectiveOperation::Barrier);
    const TracePtr trace = builder.finish(100);
    std::vector<TimeMap> maps(2);
    maps[0].add(0, 1000);
    const auto moved = retimed(*trace, maps, Work{});
    const LocationEvents &events = moved->locations[0].events;
    QCOMPARE(events.track.start[0], Tick{1010});
    QCOMPARE(events.track.end[1], Tick{1030});
    QCOMPARE(events.sends.time[0], Tick{1020});
    QCOMPARE(events.phases.front().time, Tick{1040});
    QCOMPARE(events.collectives.end[0], Tick{1099});
    QCOMPARE(moved->locations[0].lastEvent, Tick{1099});
    QCOMPARE(moved->collectives[0].firstEnter, Tick{60});
    QCOMPARE(moved->collectives[0].lastEnter, Tick{1092});
    QCOMPARE(moved->collectives[0].lastEnd, Tick{1099});
    QCOMPARE(moved->range.begin, Tick{0});
    QCOMPARE(moved->range.end, Tick{1100});
    QCOMPARE(moved->locations[1].events.track.end[0], openEnd);
    QCOMPARE(moved->locations[1].events.receives.time[0], Tick{50});
    QCOMPARE(moved->callPaths.size(), trace->callPaths.size());
    QCOMPARE(trace->locations[0].events.track.start[0], Tick{10}); // the given one is as it was
}

void TestRetime::countsReversedMessagesAnew() {
    TraceBuilder builder(2);
    builder.sendCall(0, 20, 30, 1).receiveCall(1, 10, 50, 0);
    const TracePtr trace = builder.finish(100);
    std::vector<TimeMap> maps(2);
    maps[0].add(0, 100);
    const auto moved = retimed(*trace, maps, Work{});
    QCOMPARE(trace->reversedMessages, std::uint64_t{0});
    QCOMPARE(moved->reversedMessages, std::uint64_t{1});
    QCOMPARE(moved->clock.resolution, Tick{70});
}

QTEST_GUILESS_MAIN(TestRetime)
#include "tst_retime.moc"
