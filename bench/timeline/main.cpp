// SPDX-License-Identifier: GPL-3.0-or-later
// How long a frame of the timeline takes, and the level of detail behind it. See bench/README.md.
#include "analysis/detail/ActiveWindow.h"
#include "analysis/detail/CallStatistics.h"
#include "ingest/Format.h"
#include "views/timeline/FrameBudget.h"
#include "views/timeline/OverviewPainter.h"
#include "views/timeline/TimelineExport.h"
#include "views/timeline/TimelinePainter.h"

#include <CLI/CLI.hpp>

#include <QGuiApplication>
#include <QImage>
#include <QPainter>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <functional>
#include <numeric>

using namespace laggard;

namespace {

double secondsOf(const std::function<void()> &job) {
    const auto before = std::chrono::steady_clock::now();
    job();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - before).count();
}

/// CPU time of all threads.
double cpuSeconds() {
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

struct Bench {
    TracePtr trace;
    TracePyramidPtr pyramid;
    RowModel rows;
    RegionColours colours;
    TimelineView view;
    QImage image;
    TimelinePainter painter;

    Bench(TracePtr opened, TracePyramidPtr built, int width, int height, Rank ranks, bool dark)
        : trace(std::move(opened)),
          pyramid(std::move(built)),
          rows(trace, pyramid),
          colours(*trace),
          image(width, height, QImage::Format_RGB32) {
        if (ranks < trace->processes.size()) {
            RankSet some(ranks);
            std::iota(some.begin(), some.end(), 0);
            rows.setFilter(some);
        }
        view.trace = trace;
        view.pyramid = pyramid;
        view.rows = &rows;
        view.colours = &colours;
        view.theme = dark ? Theme::darkOne() : Theme::light();
        view.font = QGuiApplication::font();
        view.area = QRectF(0, 0, width, height);
        view.window = trace->range;
        rows.setLaneHeight(rows.laneHeightFor(view.scrollRect().height()));
    }

    void paint() {
        QPainter p(&image);
        painter.paint(p, view);
    }

    /// Milliseconds: the quickest of some frames by the clock, and the middle of their CPU time; the window moves a little before
    /// each.
    std::pair<double, double> frames(TimeRange window, int count) {
        std::vector<double> times;
        std::vector<double> cpu;
        for (int i = 0; i < count; ++i) {
            view.window = window;
            view.window = view.axis().panned(3 * i, trace->range);
            const double before = cpuSeconds();
            times.push_back(1000 * secondsOf([this] { paint(); }));
            cpu.push_back(1000 * (cpuSeconds() - before));
        }
        std::sort(times.begin(), times.end());
        std::sort(cpu.begin(), cpu.end());
        return {times.front(), cpu[cpu.size() / 2]};
    }
};

/// Frames as the window paints them while something moves: the first after a jump from elsewhere, the others, and the one in full
/// when nothing moves any more. Milliseconds, by the clock and of CPU.
struct AsWindow {
    double firstClock = 0;
    double firstCpu = 0;
    double longestClock = 0; ///< of the ones after the first
    double middleCpu = 0;
    double wholeCpu = 0;
};

AsWindow framesAsInWindow(Bench &bench, TimeRange window, int count) {
    FrameBudget budget;
    AsWindow result;
    std::vector<double> cpu;
    const auto paint = [&](bool isWhole) {
        const FrameKind kind = frameKindOf(bench.view);
        bench.view.coarse = isWhole ? 1 : budget.columns(kind);
        const double before = cpuSeconds();
        const double clock = 1000 * secondsOf([&] { bench.paint(); });
        budget.painted(kind, bench.view.coarse, clock);
        return std::pair(clock, 1000 * (cpuSeconds() - before));
    };
    for (int i = 0; i < count; ++i) {
        bench.view.window = window;
        bench.view.window = bench.view.axis().panned(3 * i, bench.trace->range);
        const auto [clock, used] = paint(false);
        if (i == 0) {
            result.firstClock = clock;
            result.firstCpu = used;
            result.wholeCpu = paint(true).second; // 60 ms after it: the rest of the frames know what it took
            continue;
        }
        result.longestClock = std::max(result.longestClock, clock);
        cpu.push_back(used);
    }
    std::sort(cpu.begin(), cpu.end());
    result.middleCpu = cpu.empty() ? 0 : cpu[cpu.size() / 2];
    bench.view.coarse = 1;
    return result;
}

/// The strip over the whole trace: what loading works out for it, and its frames.
void measureStrip(const Trace &trace, int width) {
    std::shared_ptr<const TimeShares> shares;
    const double before = cpuSeconds();
    const double clock = secondsOf([&] { shares = std::make_shared<const TimeShares>(timeShares(trace, {})); });
    std::printf("shares of MPI for the strip: %.3f s (CPU %.3f s)\n", clock, cpuSeconds() - before);
    std::vector<TimeRange> phases; // thousands of short ones
    constexpr Tick mostPhases = 20'000;
    const Tick length = std::max<Tick>(1, trace.range.length() / mostPhases);
    for (Tick begin = trace.range.begin; begin + length <= trace.range.end; begin += length)
        phases.push_back({begin, begin + length});
    OverviewPicture picture;
    picture.shares = shares;
    picture.phases = phases;
    picture.mark = picture.cursor = trace.range.end;
    picture.window = trace.range;
    picture.font = QGuiApplication::font();
    picture.area = QRectF(0, 0, width, 50);
    picture.left = 110;
    picture.right = width;
    QImage image(width, 50, QImage::Format_RGB32);
    const auto frame = [&](auto paint) {
        std::vector<double> cpu;
        for (int i = 0; i < 15; ++i) {
            const double start = cpuSeconds();
            QPainter painter(&image);
            paint(painter, picture);
            cpu.push_back(1000 * (cpuSeconds() - start));
        }
        std::sort(cpu.begin(), cpu.end());
        return cpu[cpu.size() / 2];
    };
    const double ground = frame(paintOverviewGround);
    const double marks = frame(paintOverviewMarks);
    std::printf("strip with %zu phases: ground, once %.2f ms CPU; marks, each frame %.2f ms CPU\n", phases.size(), ground, marks);
}

TimeRange windowAround(const Trace &trace, double seconds) {
    const Tick length = std::min(
        trace.range.length(), std::max<Tick>(16, static_cast<Tick>(seconds * static_cast<double>(trace.clock.ticksPerSecond))));
    const Tick begin = trace.range.begin + (trace.range.length() - length) / 2;
    return {begin, begin + length};
}

std::vector<std::pair<std::string, double>> zoomsOf(const Trace &trace) {
    const double whole = trace.durationSeconds();
    return {{"whole trace", whole}, {"1/10", whole / 10}, {"1/100", whole / 100}, {"1 ms", 1e-3}, {"50 us", 50e-6}};
}

void measureAsWindow(Bench &bench) {
    std::printf("%-12s %-9s %16s %16s %11s\n", "window", "lanes", "first: clock,CPU", "then: worst,CPU", "in full CPU");
    for (const auto &[name, length] : zoomsOf(*bench.trace))
        for (const bool nested : {true, false}) {
            bench.rows.setNested(nested);
            bench.view.window = windowAround(*bench.trace, length);
            bench.paint(); // memory of the image and the texts
            const AsWindow took = framesAsInWindow(bench, windowAround(*bench.trace, length), 15);
            std::printf("%-12s %-9s %7.1f %5.1f ms %7.1f %5.1f ms %8.1f ms\n", name.c_str(), nested ? "nested" : "one lane",
                        took.firstClock, took.firstCpu, took.longestClock, took.middleCpu, took.wholeCpu);
        }
}

void measure(Bench &bench, double seconds, double pyramidSeconds, double pyramidCpu) {
    const Trace &trace = *bench.trace;
    std::size_t calls = 0;
    for (const Location &location : trace.locations)
        calls += location.events.track.size();
    const auto events = static_cast<double>(std::max<std::uint64_t>(1, trace.eventCount));
    std::printf("%s: %llu events, %zu calls, %zu ranks, %.3f s long\n", trace.path.c_str(),
                static_cast<unsigned long long>(trace.eventCount), calls, trace.processes.size(), trace.durationSeconds());
    std::printf("opened in %.2f s; level of detail built in %.3f s (CPU %.3f s), %.2f bytes an event, %.2f a call\n", seconds,
                pyramidSeconds, pyramidCpu, static_cast<double>(bench.pyramid->bytes()) / events,
                static_cast<double>(bench.pyramid->bytes()) / static_cast<double>(std::max<std::size_t>(1, calls)));

    RankSet all(trace.processes.size());
    std::iota(all.begin(), all.end(), 0);
    const double statistics = secondsOf([&] { (void)callStatistics(trace, trace.range, all, {}); });
    std::printf("statistics of all functions, whole trace: %.3f s\n", statistics);

    std::printf("%-12s %22s %22s %22s\n", "window", "nested: clock, CPU", "one lane: clock, CPU", "filtered, nested");
    for (const auto &[name, length] : zoomsOf(trace)) {
        const TimeRange window = windowAround(trace, length);
        bench.rows.setNested(true);
        bench.view.filter = {};
        bench.frames(window, 2);
        const auto nested = bench.frames(window, 15);
        bench.view.filter.hiddenRegions = {trace.region(static_cast<CallPathId>(trace.callPaths.size() - 1)).isMpi()
                                               ? RegionId{0}
                                               : trace.callPaths[static_cast<CallPathId>(trace.callPaths.size() - 1)].region};
        bench.view.filter.minimumDuration = 1000;
        const auto filtered = bench.frames(window, 15);
        bench.view.filter = {};
        bench.rows.setNested(false);
        const auto flat = bench.frames(window, 15);
        std::printf("%-12s %12.1f %6.1f ms %12.1f %6.1f ms %12.1f %6.1f ms\n", name.c_str(), nested.first, nested.second,
                    flat.first, flat.second, filtered.first, filtered.second);
    }
}

} // namespace

int main(int argc, char **argv) {
    CLI::App app("Times frames of the timeline of a trace, or draws one.");
    std::string path;
    std::string picture;
    std::string window = "fit";
    int width = 1600;
    int height = 1000;
    double scale = 1;
    Rank ranks = 64;
    int repeat = 1;
    int coarse = 1;
    bool asWindow = false;
    bool dark = false;
    bool flat = false;
    std::vector<double> times;
    app.add_option("TRACE", path)->required();
    app.add_option("--ranks", ranks, "Show the first so many ranks")->capture_default_str();
    app.add_option("--width", width)->capture_default_str();
    app.add_option("--height", height)->capture_default_str();
    app.add_option("--picture", picture, "Draw into this file and measure nothing: a PNG of the screen, else an export");
    app.add_option("--window", times, "Begin and end in seconds; without: the last active window")->expected(2);
    app.add_option("--scale", scale, "Device pixels per pixel of the picture");
    app.add_option("--repeat", repeat, "Draw the picture so many times; for profilers");
    app.add_option("--coarse", coarse, "Pixels of a column, as in frames while something moves")->capture_default_str();
    app.add_flag("--as-window", asWindow, "Measure frames as the window paints them while something moves");
    app.add_flag("--dark", dark);
    app.add_flag("--flat", flat, "One lane a rank");
    CLI11_PARSE(app, argc, argv);
    qputenv("QT_QPA_PLATFORM", "offscreen");
    const QGuiApplication gui(argc, argv);
    try {
        TracePtr trace;
        const double opened = secondsOf([&] { trace = openTrace(path, {}, {}); });
        TracePyramidPtr pyramid;
        const double before = cpuSeconds();
        const double built = secondsOf([&] { pyramid = buildPyramid(*trace, {}); });
        const double builtCpu = cpuSeconds() - before;
        Bench bench(trace, pyramid, width, height, ranks, dark);
        bench.view.coarse = coarse;
        if (asWindow) {
            measureAsWindow(bench);
            return 0;
        }
        if (picture.empty()) {
            measure(bench, opened, built, builtCpu);
            measureStrip(*trace, width);
            return 0;
        }
        if (flat)
            bench.rows.setNested(false);
        bench.view.window =
            times.size() == 2 ? TimeRange{trace->tickAt(times[0]), trace->tickAt(times[1])} : lastActiveWindow(*trace);
        bench.image = QImage(static_cast<int>(width * scale), static_cast<int>(height * scale), QImage::Format_RGB32);
        bench.image.setDevicePixelRatio(scale);
        bench.rows.fit(bench.view.plotRect().height()); // as the window does
        if (!picture.ends_with(".png")) {
            exportTimeline(bench.view, picture);
            return 0;
        }
        for (int i = 0; i < repeat; ++i)
            bench.paint();
        return bench.image.save(QString::fromStdString(picture)) ? 0 : 1;
    } catch (const std::exception &error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}
