// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/detail/CallSearch.h"
#include "tests/analysis/detail/RandomTrace.h"

#include <QTest>

using namespace laggard;
using namespace laggard::test;

class TestCallSearch : public QObject {
    Q_OBJECT
  private slots:
    void findsEveryCallBothWays() {
        const TracePtr trace = randomTrace(5, 1, 3000, 40);
        const Track &track = trace->locations[0].events.track;
        const TrackPyramid pyramid(track, trace->callPaths, trace->range.end);
        for (RegionId region = 0; region < trace->regions.size(); ++region) {
            std::vector<std::uint32_t> expected;
            for (std::uint32_t row = 0; row < track.size(); ++row)
                if (trace->callPaths[track.callPath[row]].region == region)
                    expected.push_back(row);
            std::vector<std::uint32_t> forward;
            for (std::uint32_t row = findCall(*trace, pyramid, 0, region, none, SearchDirection::Forward); row != none;
                 row = findCall(*trace, pyramid, 0, region, row, SearchDirection::Forward))
                forward.push_back(row);
            std::vector<std::uint32_t> backward;
            for (std::uint32_t row = findCall(*trace, pyramid, 0, region, none, SearchDirection::Backward); row != none;
                 row = findCall(*trace, pyramid, 0, region, row, SearchDirection::Backward))
                backward.insert(backward.begin(), row);
            QCOMPARE(forward, expected);
            QCOMPARE(backward, expected);
        }
    }

    void coverageIsExact() {
        const TracePtr trace = randomTrace(6, 2, 3000);
        for (LocationIndex location = 0; location < 2; ++location) {
            const Track &track = trace->locations[location].events.track;
            const TrackPyramid pyramid(track, trace->callPaths, trace->range.end);
            std::mt19937 random(1);
            for (int i = 0; i < 200; ++i) {
                Tick from = random() % trace->range.end;
                Tick to = random() % trace->range.end;
                if (from > to)
                    std::swap(from, to);
                const std::uint32_t depth = random() % pyramid.depthCount();
                Tick expected = 0;
                std::size_t starting = 0;
                for (const std::uint32_t row : pyramid.rowsAtDepth(depth)) {
                    const Tick a = std::max(from, track.start[row]);
                    const Tick b = std::min(to, endOf(*trace, track, row));
                    expected += b > a ? b - a : 0;
                    starting += track.start[row] >= from && track.start[row] <= to;
                }
                QCOMPARE(coveredTicks(track, pyramid, depth, {from, to}), expected);
                QCOMPARE(callsStarting(track, pyramid, depth, {from, to}), starting);
            }
        }
    }

    void exclusiveTime() {
        const TracePtr trace =
            TraceBuilder(1).enter(0, 0, "main").call(0, 10, 30, "f").call(0, 40, 45, "g").enter(0, 60, "h").finish(100);
        const TrackPyramid pyramid(trace->locations[0].events.track, trace->callPaths, trace->range.end);
        QCOMPARE(exclusiveTicks(*trace, pyramid, 0, 0), Tick{100 - 20 - 5 - 40});
        QCOMPARE(exclusiveTicks(*trace, pyramid, 0, 3), Tick{40});
    }

    void whereASearchBegins() {
        const TracePtr trace = TraceBuilder(1).call(0, 10, 20, "a").call(0, 30, 40, "a").finish(100);
        const Track &track = trace->locations[0].events.track;
        QCOMPARE(searchStart(track, 5, SearchDirection::Forward), none);
        QCOMPARE(searchStart(track, 10, SearchDirection::Forward), 0U);
        QCOMPARE(searchStart(track, 30, SearchDirection::Backward), 1U);
        QCOMPARE(searchStart(track, 31, SearchDirection::Backward), none);
    }
};

QTEST_APPLESS_MAIN(TestCallSearch)
#include "tst_callsearch.moc"
