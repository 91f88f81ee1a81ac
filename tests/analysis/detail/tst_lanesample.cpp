// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/detail/LaneSample.h"
#include "tests/analysis/detail/RandomTrace.h"

#include <QTest>

#include <cmath>
#include <map>

using namespace laggard;
using namespace laggard::test;

namespace {

using Times = std::map<RegionId, double>;

/// Time by function of every pixel, call by call: slow and obvious. In the innermost lane callees are taken out.
std::vector<Times> exactPixels(const Trace &trace, const Track &track, std::uint32_t lane, TimeRange window, std::uint32_t pixels,
                               const CallFilter &filter) {
    std::vector<Times> result(pixels);
    const double scale = pixels / static_cast<double>(window.length());
    const auto add = [&](std::uint32_t row, double sign) {
        const double from =
            (static_cast<double>(std::max(track.start[row], window.begin)) - static_cast<double>(window.begin)) * scale;
        const double to =
            (static_cast<double>(std::min(endOf(trace, track, row), window.end)) - static_cast<double>(window.begin)) * scale;
        return [&result, from, to, sign](RegionId region) {
            for (std::size_t p = 0; p < result.size(); ++p) {
                const double part = std::min(to, p + 1.0) - std::max(from, static_cast<double>(p));
                if (part > 0)
                    result[p][region] += sign * part;
            }
        };
    };
    for (std::uint32_t row = 0; row < track.size(); ++row) {
        const CallPath &path = trace.callPaths[track.callPath[row]];
        const bool shown = filter.shows(path.region) && endOf(trace, track, row) - track.start[row] >= filter.minimumDuration;
        if (shown && (lane == innermostLane || path.depth == lane))
            add(row, 1)(path.region);
        if (lane == innermostLane && track.parent[row] != none) {
            const RegionId caller = trace.region(track.callPath[track.parent[row]]).name.empty()
                                        ? none
                                        : trace.callPaths[track.callPath[track.parent[row]]].region;
            const std::uint32_t parent = track.parent[row];
            if (filter.shows(caller) && endOf(trace, track, parent) - track.start[parent] >= filter.minimumDuration)
                add(row, -1)(caller);
        }
    }
    return result;
}

/// What a sample says of every pixel.
std::vector<Times> sampledPixels(const Trace &trace, const Track &track, const LaneSample &sample, TimeRange window,
                                 std::uint32_t pixels) {
    std::vector<Times> result(pixels);
    std::vector<bool> cell(pixels);
    for (const PixelCell &one : sample.cells) {
        cell[one.pixel] = true;
        for (const PixelCell::Share &share : one.functions)
            if (share.region != none)
                result[one.pixel][share.region] += share.part;
        result[one.pixel][none] += one.others;
    }
    const double scale = pixels / static_cast<double>(window.length());
    for (const VisibleCall &call : sample.calls) {
        const double from = (static_cast<double>(std::max(call.start, window.begin)) - static_cast<double>(window.begin)) * scale;
        const double to = (static_cast<double>(std::min(call.end, window.end)) - static_cast<double>(window.begin)) * scale;
        for (std::uint32_t p = 0; p < pixels; ++p) {
            const double part = std::min(to, p + 1.0) - std::max(from, static_cast<double>(p));
            if (part > 0 && !cell[p])
                result[p][trace.callPaths[track.callPath[call.row]].region] += part;
        }
    }
    return result;
}

double total(const std::vector<Times> &pixels) {
    double sum = 0;
    for (const Times &times : pixels)
        for (const auto &[region, part] : times)
            sum += part;
    return sum;
}

double total(const Times &times) {
    double sum = 0;
    for (const auto &[region, part] : times)
        sum += part;
    return sum;
}

} // namespace

class TestLaneSample : public QObject {
    Q_OBJECT
  private slots:
    void agreesWithCallByCall_data() {
        QTest::addColumn<unsigned>("seed");
        QTest::addColumn<int>("calls");
        QTest::addColumn<unsigned>("pixels");
        QTest::addColumn<double>("from");
        QTest::addColumn<double>("to");
        QTest::newRow("whole, few calls") << 1U << 12 << 50U << 0.0 << 1.0;
        QTest::newRow("whole, a leaf and one") << 2U << 17 << 7U << 0.0 << 1.0;
        QTest::newRow("whole, many calls a pixel") << 3U << 5000 << 40U << 0.0 << 1.0;
        QTest::newRow("whole, one pixel") << 4U << 3000 << 1U << 0.0 << 1.0;
        QTest::newRow("a part") << 5U << 5000 << 100U << 0.31 << 0.47;
        QTest::newRow("a small part") << 6U << 5000 << 200U << 0.5 << 0.505;
        QTest::newRow("the end") << 7U << 5000 << 100U << 0.9 << 1.0;
    }
    void agreesWithCallByCall() {
        QFETCH(unsigned, seed);
        QFETCH(int, calls);
        QFETCH(unsigned, pixels);
        QFETCH(double, from);
        QFETCH(double, to);
        const TracePtr trace = randomTrace(seed, 4, calls);
        const auto length = static_cast<double>(trace->range.length());
        const TimeRange window{static_cast<Tick>(from * length), static_cast<Tick>(to * length)};
        for (LocationIndex location = 0; location < trace->locations.size(); ++location) {
            const Track &track = trace->locations[location].events.track;
            const TrackPyramid pyramid(track, trace->callPaths, trace->range.end);
            for (std::uint32_t lane = 0; lane <= pyramid.depthCount(); ++lane) {
                const std::uint32_t asked = lane == pyramid.depthCount() ? innermostLane : lane;
                const LaneSample sample = sampleLane(*trace, location, pyramid, asked, window, pixels, {});
                const std::vector<Times> exact = exactPixels(*trace, track, asked, window, pixels, {});
                std::vector<Times> sampled = sampledPixels(*trace, track, sample, window, pixels);
                // In sum over the window all time is there, but for nodes over its edges.
                QVERIFY2(std::abs(total(sampled) - total(exact)) < 0.51,
                         qPrintable(QStringLiteral("lane %1: %2 pixels covered instead of %3")
                                        .arg(lane)
                                        .arg(total(sampled))
                                        .arg(total(exact))));
                for (std::uint32_t p = 0; p < pixels; ++p) {
                    // Two borders, a quarter of a pixel each at most.
                    QVERIFY2(std::abs(total(sampled[p]) - total(exact[p])) < 0.51,
                             "a pixel's coverage is off by more than nodes over its borders allow");
                    if (total(exact[p]) > 1e-9)
                        QVERIFY2(!sampled[p].empty(), "a pixel with calls must not be blank");
                    for (const auto &[region, part] : exact[p])
                        if (part > 0.76) // nothing else can hide it
                            QVERIFY2(sampled[p][region] > 0.24, "the dominant function of a pixel is missing");
                }
            }
        }
    }

    void wholeWindowIsExactInTicks() {
        const TracePtr trace = randomTrace(11, 3, 20000);
        for (LocationIndex location = 0; location < trace->locations.size(); ++location) {
            const Track &track = trace->locations[location].events.track;
            const TrackPyramid pyramid(track, trace->callPaths, trace->range.end);
            for (std::uint32_t depth = 0; depth < pyramid.depthCount(); ++depth) {
                Tick exact = 0;
                for (const std::uint32_t row : pyramid.rowsAtDepth(depth))
                    exact += endOf(*trace, track, row) - track.start[row];
                for (const Column<DetailNode> &level : pyramid.atDepth(depth).levels) {
                    Tick sum = 0;
                    for (const DetailNode &node : level)
                        sum += node.covered;
                    QCOMPARE(sum, exact);
                }
                const LaneSample sample = sampleLane(*trace, location, pyramid, depth, trace->range, 1, {});
                double covered = 0;
                for (const PixelCell &cell : sample.cells)
                    covered += static_cast<double>(cell.covered());
                if (!sample.cells.empty())
                    QVERIFY(std::abs(covered * static_cast<double>(trace->range.length()) - static_cast<double>(exact)) <=
                            1e-5 * static_cast<double>(trace->range.length()));
            }
        }
    }

    void filters_data() {
        QTest::addColumn<int>("hidden");
        QTest::addColumn<int>("only");
        QTest::addColumn<unsigned>("minimum");
        QTest::newRow("one function hidden") << 1 << -1 << 0U;
        QTest::newRow("one function only") << -1 << 2 << 0U;
        QTest::newRow("long calls") << -1 << -1 << 30U;
        QTest::newRow("very long calls") << -1 << -1 << 20000U;
        QTest::newRow("all at once") << 1 << -1 << 30U;
    }
    void filters() {
        QFETCH(int, hidden);
        QFETCH(int, only);
        QFETCH(unsigned, minimum);
        const TracePtr trace = randomTrace(21, 2, 4000, 9);
        CallFilter filter;
        filter.minimumDuration = minimum;
        if (hidden >= 0 || only >= 0) {
            filter.shown.assign(trace->regions.size(), only < 0);
            filter.shown[static_cast<std::size_t>(hidden >= 0 ? hidden : only)] = only >= 0;
        }
        constexpr std::uint32_t pixels = 150;
        const Track &track = trace->locations[0].events.track;
        const TrackPyramid pyramid(track, trace->callPaths, trace->range.end);
        for (std::uint32_t depth = 0; depth < pyramid.depthCount(); ++depth) {
            const LaneSample sample = sampleLane(*trace, 0, pyramid, depth, trace->range, pixels, filter);
            const std::vector<Times> exact = exactPixels(*trace, track, depth, trace->range, pixels, filter);
            for (const VisibleCall &call : sample.calls)
                QVERIFY2(filter.shows(trace->callPaths[track.callPath[call.row]].region), "a hidden function is drawn");
            std::vector<double> unknown(pixels);
            for (const PixelCell &cell : sample.cells) {
                unknown[cell.pixel] = static_cast<double>(cell.unknown);
                for (const PixelCell::Share &share : cell.functions)
                    QVERIFY2(share.region == none || filter.shows(share.region), "a hidden function is drawn in a pixel");
            }
            std::vector<Times> sampled = sampledPixels(*trace, track, sample, trace->range, pixels);
            for (std::uint32_t p = 0; p < pixels; ++p) {
                QVERIFY2(total(sampled[p]) <= total(exact[p]) + 0.51, "more is drawn than the filter shows");
                QVERIFY2(total(sampled[p]) + unknown[p] >= total(exact[p]) - 0.51,
                         "what the filter shows is neither drawn nor reported as unknown");
            }
        }
    }

    void openCallIsShownUpToTheEnd() {
        TraceBuilder builder(1);
        for (Tick t = 0; t < 4000; t += 2)
            builder.call(0, t, t + 1, "work");
        const TracePtr trace = builder.enter(0, 4001, "MPI_Recv").finish(4002);
        const TrackPyramid pyramid(trace->locations[0].events.track, trace->callPaths, trace->range.end);
        for (const std::uint32_t lane : {0U, innermostLane}) {
            const LaneSample sample = sampleLane(*trace, 0, pyramid, lane, trace->range, 10, {});
            QCOMPARE(sample.calls.size(), std::size_t{1}); // though it is far shorter than a pixel
            QVERIFY(sample.calls[0].open);
            QCOMPARE(sample.calls[0].end, Tick{4002});
            QCOMPARE(sample.cells.size(), std::size_t{10});
        }
    }

    void callsThatTookNoTimeAreNotLost() {
        TraceBuilder builder(1);
        for (int i = 0; i < 100; ++i)
            builder.call(0, 500, 500, "MPI_Comm_rank");
        const TracePtr trace = builder.finish(1000);
        const TrackPyramid pyramid(trace->locations[0].events.track, trace->callPaths, trace->range.end);
        const LaneSample sample = sampleLane(*trace, 0, pyramid, 0, trace->range, 10, {});
        QCOMPARE(sample.cells.size(), std::size_t{1});
        QCOMPARE(sample.cells[0].pixel, 5U);
        QVERIFY(sample.cells[0].functions[0].region != none);
    }

    void extremes() {
        const TracePtr empty = TraceBuilder(1).finish(10);
        const TrackPyramid nothing(empty->locations[0].events.track, empty->callPaths, 10);
        QVERIFY(sampleLane(*empty, 0, nothing, 0, empty->range, 10, {}).calls.empty());
        QVERIFY(sampleLane(*empty, 0, nothing, innermostLane, empty->range, 10, {}).cells.empty());

        constexpr Tick far = Tick{1} << 63U;
        const TracePtr late =
            TraceBuilder(1).call(0, far, far + 5, "a").call(0, far + 5, far + 9, "b").enter(0, far + 9, "c").finish(far + 100);
        const TrackPyramid pyramid(late->locations[0].events.track, late->callPaths, late->range.end);
        const LaneSample near = sampleLane(*late, 0, pyramid, 0, {far, far + 20}, 20, {});
        QCOMPARE(near.calls.size(), std::size_t{3});
        QCOMPARE(near.calls[1].start, far + 5);
        QVERIFY(near.calls[2].open);
        QVERIFY(sampleLane(*late, 0, pyramid, 0, {0, openEnd - 1}, 100, {}).cells.size() + 1 >= 1);
        QVERIFY(sampleLane(*late, 0, pyramid, 7, late->range, 100, {}).calls.empty());
        QVERIFY(sampleLane(*late, 0, pyramid, 0, {5, 5}, 100, {}).calls.empty());

        const TracePtr giant = TraceBuilder(1).call(0, 0, far, "main").finish(far);
        const TrackPyramid one(giant->locations[0].events.track, giant->callPaths, giant->range.end);
        QCOMPARE(sampleLane(*giant, 0, one, 0, {far / 2, far / 2 + 16}, 1000, {}).calls.size(), std::size_t{1});
    }

    void averageOfRanks() {
        const TracePtr trace = TraceBuilder(2).call(0, 0, 100, "a").call(1, 50, 100, "b").finish(100);
        const TracePyramidPtr pyramid = buildPyramid(*trace, {});
        const std::vector<LocationIndex> both = {0, 1};
        const std::vector<PixelCell> cells = averageCells(*trace, *pyramid, both, trace->range, 10, {});
        QCOMPARE(cells.size(), std::size_t{10});
        QCOMPARE(cells[0].covered(), 0.5F);
        QCOMPARE(cells[9].covered(), 1.0F);
        QCOMPARE(cells[9].functions[1].part, 0.5F);
    }

    void memoryIsBounded() {
        const TracePtr trace = randomTrace(31, 2, 50000);
        const TracePyramidPtr pyramid = buildPyramid(*trace, {});
        std::size_t calls = 0;
        for (const Location &location : trace->locations)
            calls += location.events.track.size();
        QVERIFY2(pyramid->bytes() < 10 * calls, "the level of detail takes more than about 9 bytes a call");
    }

    void buildingCanBeCancelled() {
        const TracePtr trace = randomTrace(41, 8, 100);
        std::stop_source stop;
        stop.request_stop();
        Work work;
        work.stop = stop.get_token();
        QVERIFY_THROWS_EXCEPTION(Cancelled, (void)buildPyramid(*trace, work));
    }
};

QTEST_APPLESS_MAIN(TestLaneSample)
#include "tst_lanesample.moc"
