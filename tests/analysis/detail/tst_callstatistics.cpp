// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/detail/CallStatistics.h"
#include "tests/analysis/detail/RandomTrace.h"

#include <QTest>

using namespace laggard;
using namespace laggard::test;

namespace {

std::vector<RegionStatistics> callByCall(const Trace &trace, TimeRange window, const RankSet &ranks) {
    std::vector<RegionStatistics> result(trace.regions.size());
    for (const Rank rank : ranks) {
        const Track &track = trace.mainEvents(rank)->track;
        for (std::uint32_t row = 0; row < track.size(); ++row) {
            const Tick end = endOf(trace, track, row);
            if (track.start[row] > window.end || (end <= window.begin && track.start[row] < window.begin))
                continue;
            const auto inside = [&window](Tick from, Tick to) {
                from = std::max(from, window.begin);
                to = std::min(to, window.end);
                return to > from ? to - from : 0;
            };
            const RegionId region = trace.callPaths[track.callPath[row]].region;
            bool within = false;
            for (std::uint32_t caller = track.parent[row]; caller != none; caller = track.parent[caller])
                within |= trace.callPaths[track.callPath[caller]].region == region;
            Tick callees = 0;
            for (std::uint32_t other = 0; other < track.size(); ++other)
                if (track.parent[other] == row)
                    callees += inside(track.start[other], endOf(trace, track, other));
            result[region].count += 1;
            result[region].open += track.isOpen(row);
            result[region].inclusive += within ? 0 : inside(track.start[row], end);
            result[region].exclusive += inside(track.start[row], end) - callees;
        }
    }
    return result;
}

} // namespace

class TestCallStatistics : public QObject {
    Q_OBJECT
  private slots:
    void byHand() {
        // main 0-100 calls f 10-40, which calls itself 20-30; MPI_Recv from 90 never returns; the trace ends at 120.
        const TracePtr trace = TraceBuilder(1)
                                   .enter(0, 0, "main")
                                   .enter(0, 10, "f")
                                   .call(0, 20, 30, "f")
                                   .leave(0, 40, "f")
                                   .enter(0, 90, "MPI_Recv")
                                   .finish(120);
        const std::vector<RegionStatistics> all = callStatistics(*trace, trace->range, {0}, {});
        const auto of = [&](const char *name) {
            for (RegionId region = 0; region < trace->regions.size(); ++region)
                if (trace->regions[region].name == name)
                    return all[region];
            return RegionStatistics();
        };
        QCOMPARE(of("main"), (RegionStatistics{1, 120, 60, 1}));
        QCOMPARE(of("f"), (RegionStatistics{2, 30, 30, 0}));
        QCOMPARE(of("MPI_Recv"), (RegionStatistics{1, 30, 30, 1}));
    }

    void agreesWithCallByCall() {
        for (const unsigned seed : {1U, 2U, 3U}) {
            const TracePtr trace = randomTrace(seed, 3, 300);
            const Tick length = trace->range.length();
            for (const TimeRange window :
                 {trace->range, TimeRange{length / 3, length / 2}, TimeRange{length / 2, length / 2 + 1}, TimeRange{0, 1}}) {
                const std::vector<RegionStatistics> fast = callStatistics(*trace, window, {0, 2}, {});
                const std::vector<RegionStatistics> slow = callByCall(*trace, window, {0, 2});
                for (RegionId region = 0; region < slow.size(); ++region)
                    QVERIFY2(fast[region] == slow[region], trace->regions[region].name.c_str());
            }
        }
    }

    /// Nobody knows what a rank did after the last of its events that could be read.
    void lostTimeCountsNowhere() {
        TraceBuilder builder(2);
        builder.enter(0, 0, "main").call(0, 10, 30, "work").enter(1, 0, "main");
        const auto whole = std::const_pointer_cast<Trace>(builder.finish(100));
        Trace &trace = *whole;
        Location &damaged = trace.locations[trace.processes[0].mainLocation];
        damaged.damaged = true;
        damaged.lastEvent = 30;
        const RegionStatistics of = callStatistics(trace, trace.range, {0, 1}, {}).at(trace.callPaths[0].region);
        QCOMPARE(of, (RegionStatistics{2, 30 + 100, 10 + 100, 1}));
    }

    void ranksThatDoNotExist() {
        const TracePtr trace = TraceBuilder(1).call(0, 0, 5, "a").finish(5);
        QCOMPARE(callStatistics(*trace, trace->range, {7}, {}).at(0), RegionStatistics());
        QCOMPARE(callStatistics(*trace, trace->range, {}, {}).at(0), RegionStatistics());
    }

    void sumsBeyondTheRangeOfTicksStayThere() {
        constexpr Tick long_ = Tick{3} << 62U;
        const TracePtr trace = TraceBuilder(2).call(0, 0, long_, "a").call(1, 0, long_, "a").finish(long_);
        QCOMPARE(callStatistics(*trace, trace->range, {0, 1}, {}).at(0).inclusive, openEnd);
    }
};

QTEST_APPLESS_MAIN(TestCallStatistics)
#include "tst_callstatistics.moc"
