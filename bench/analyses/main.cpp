// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/report/Report.h"
#include "bench/open/ChildRun.h"
#include "bench/open/EmptyRead.h"
#include "ingest/Format.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdio>
#include <sstream>

using namespace laggard;
using namespace laggard::bench;

namespace {

// The goals of the project, of opening and all analyses together.
constexpr double wallGoal = 4;          // times N, on two cores
constexpr double manyRanksWallGoal = 8; // … from so many ranks on
constexpr std::uint64_t manyRanks = 4096;
constexpr double memoryGoal = 24; // bytes an event, at the peak
// As of laggard-bench-open: handles of libotf2 slow down with more.
constexpr std::size_t locationsPerHandle = 2'000;
// A single thread that waits for nothing takes as much wall as CPU time, unless others have the processor.
constexpr double busyMachine = 1.15;

struct Options {
    std::string anchor;
    std::string label;
    unsigned threads = 2;
    int repeat = 3;
    bool header = false;
};

enum class Kind { Empty, Open, Progress, All };
constexpr int kinds = 4;

WorkCounts run(Kind kind, const Options &options, ReportPtr &report, TracePtr &trace) {
    if (kind == Kind::Empty) {
        const EmptyReadResult result = emptyRead(options.anchor, locationsPerHandle);
        return {.locations = result.locations, .events = result.events, .traceBytes = 0};
    }
    Work work;
    work.threads = options.threads;
    trace = openTrace(options.anchor, OpenOptions{}, work);
    if (kind != Kind::Open) {
        AnalysisOptions analyses;
        if (kind == Kind::Progress)
            analyses.choice = AnalysisChoice::progressOnly();
        report = analyse(trace, analyses, work);
        std::ostringstream out;
        writeText(out, *report);
    }
    return {.locations = trace->locations.size(), .events = trace->eventCount, .traceBytes = trace->bytes()};
}

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

/// Measurements of several runs of one kind.
struct Measured {
    std::vector<double> wall;
    std::vector<double> cpu;
    std::uint64_t peakBytes = 0;
    WorkCounts counts;
};

void print(const Options &options, const std::vector<Measured> &of) {
    const auto at = [&](Kind kind) -> const Measured & { return of[static_cast<std::size_t>(kind)]; };
    const double n = median(at(Kind::Empty).cpu);
    const auto events = static_cast<double>(at(Kind::Empty).counts.events);
    const Measured &all = at(Kind::All);
    const double wall = median(all.wall) / n;
    const double bytes = static_cast<double>(all.peakBytes) / events;
    const double goal = at(Kind::Empty).counts.locations >= manyRanks ? manyRanksWallGoal : wallGoal;
    std::printf("| %s | %.1f M | %.2f s | %.2f N | %.2f N | %.2f N%s | %.2f N | %.1f%s |%s\n", options.label.c_str(),
                events / 1e6, n, median(at(Kind::Open).wall) / n, median(at(Kind::Progress).wall) / n, wall,
                wall <= goal ? "" : " (missed)", median(all.cpu) / n, bytes, bytes <= memoryGoal ? "" : " (missed)",
                median(at(Kind::Empty).wall) > busyMachine * n ? " other programs were running: CPU time counts" : "");
}

void measure(const Options &options) {
    std::vector<Measured> of(kinds);
    for (int i = 0; i < options.repeat; ++i)
        for (int kind = 0; kind < kinds; ++kind) {
            ReportPtr report; // set in the child only: giving their memory back is no part of it
            TracePtr trace;
            const RunCost cost = runInChild([&] { return run(static_cast<Kind>(kind), options, report, trace); });
            Measured &here = of[static_cast<std::size_t>(kind)];
            here.wall.push_back(cost.wallSeconds);
            here.cpu.push_back(cost.cpuSeconds);
            here.peakBytes = std::max(here.peakBytes, cost.peakBytes);
            here.counts = cost.counts;
        }
    print(options, of);
}

} // namespace

int main(int argc, char **argv) {
    CLI::App app(
        "Measures how long opening an archive, the first verdict and all analyses take, against the fastest possible read (N).");
    Options options;
    app.add_option("ARCHIVE", options.anchor, "Anchor file (*.otf2)")->check(CLI::ExistingFile);
    app.add_option("--label", options.label, "What the row is called");
    app.add_option("--threads", options.threads, "Threads")->capture_default_str();
    app.add_option("--repeat", options.repeat, "Runs of each; medians are shown")
        ->capture_default_str()
        ->check(CLI::PositiveNumber);
    app.add_flag("--header", options.header, "Print the head of the table first");
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError &error) {
        return app.exit(error) == 0 ? 0 : 2;
    }
    if (options.header)
        std::printf(
            "| trace | events | N (CPU) | open, wall | open and progress, wall | everything, wall | everything, CPU | bytes an "
            "event, peak |\n|---|---|---|---|---|---|---|---|\n");
    try {
        if (!options.anchor.empty())
            measure(options);
    } catch (const std::exception &error) {
        std::fprintf(stderr, "laggard-bench-analyses: %s\n", error.what());
        return 1;
    }
    return 0;
}
