// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/open/ChildRun.h"
#include "bench/open/EmptyRead.h"
#include "ingest/Format.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <optional>

using namespace laggard;
using namespace laggard::bench;

namespace {

// The goals of the project.
constexpr double wallGoal = 1.5;   // times N, with two threads
constexpr double cpuGoal = 2.75;   // times N
constexpr double printGoal = 0.15; // share of otf2-print's wall time
// A single thread that waits for nothing takes as much wall as CPU time, unless others have the processor.
constexpr double busyMachine = 1.15;

double memoryGoal(std::uint64_t events) { return 16.0 * static_cast<double>(events) + 60e6; }

struct Measurements {
    RunCost empty; ///< medians, each of its own
    RunCost open;
    std::optional<RunCost> print;
};

/// Reads all files of the archive once, so that no run waits for the disk; their size in bytes.
std::uint64_t warmUp(const std::filesystem::path &anchor) {
    std::uint64_t bytes = 0;
    std::vector<char> buffer(1 << 20);
    const auto readFile = [&](const std::filesystem::path &file) {
        std::ifstream input(file, std::ios::binary);
        while (input.read(buffer.data(), static_cast<std::streamsize>(buffer.size())) || input.gcount() > 0)
            bytes += static_cast<std::uint64_t>(input.gcount());
    };
    readFile(anchor);
    readFile(std::filesystem::path(anchor).replace_extension(".def"));
    for (const auto &entry : std::filesystem::directory_iterator(std::filesystem::path(anchor).replace_extension()))
        readFile(entry.path());
    return bytes;
}

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

RunCost medians(const std::vector<RunCost> &runs) {
    std::vector<double> wall;
    std::vector<double> cpu;
    std::vector<double> peak;
    for (const RunCost &run : runs) {
        wall.push_back(run.wallSeconds);
        cpu.push_back(run.cpuSeconds);
        peak.push_back(static_cast<double>(run.peakBytes));
    }
    return {median(wall), median(cpu), static_cast<std::uint64_t>(median(peak)), runs.back().counts};
}

WorkCounts runEmpty(const std::string &anchor, std::size_t locationsPerHandle) {
    const EmptyReadResult result = emptyRead(anchor, locationsPerHandle);
    return {.locations = result.locations, .events = result.events, .traceBytes = 0};
}

/// `trace` is left to the caller: giving its memory back is no part of opening.
WorkCounts runOpen(const std::string &anchor, unsigned threads, TracePtr &trace) {
    Work work;
    work.threads = threads;
    trace = openTrace(anchor, OpenOptions{}, work);
    return {.locations = trace->locations.size(), .events = trace->eventCount, .traceBytes = trace->bytes()};
}

struct Options {
    std::string anchor;
    std::string json; ///< empty: not wanted
    unsigned threads = 2;
    int repeat = 3;
    bool peers = false;
    std::size_t locationsPerHandle = 2'000;
};

/// The two are measured in turn, so that a slow moment of the machine meets both.
Measurements measure(const Options &options) {
    std::vector<RunCost> empty;
    std::vector<RunCost> open;
    for (int i = 0; i < options.repeat; ++i) {
        empty.push_back(runInChild([&] { return runEmpty(options.anchor, options.locationsPerHandle); }));
        TracePtr trace; // set in the child only
        open.push_back(runInChild([&] { return runOpen(options.anchor, options.threads, trace); }));
    }
    Measurements result{medians(empty), medians(open), {}};
    if (result.empty.counts.events != result.open.counts.events)
        throw std::runtime_error("the trace has " + std::to_string(result.open.counts.events) + " events, the archive " +
                                 std::to_string(result.empty.counts.events));
    if (options.peers)
        result.print = runProgram("otf2-print", options.anchor.c_str());
    return result;
}

void printRow(const char *what, const std::string &value, const std::string &goal = {}, bool met = true) {
    std::printf("  %-28s %-24s %s%s\n", what, value.c_str(), goal.c_str(), goal.empty() ? "" : met ? "  met" : "  MISSED");
}

template <typename... Values> std::string format(const char *pattern, Values... values) {
    char text[128];
    std::snprintf(text, sizeof text, pattern, values...);
    return text;
}

void print(const Measurements &m, std::uint64_t archiveBytes, unsigned threads) {
    const auto events = static_cast<double>(m.empty.counts.events);
    const double n = m.empty.cpuSeconds;
    std::printf("%llu locations, %.2f million events, %.0f MB\n", static_cast<unsigned long long>(m.empty.counts.locations),
                events / 1e6, static_cast<double>(archiveBytes) / 1e6);
    std::printf("empty read, 1 thread\n");
    printRow("N (CPU)", format("%.3f s", n));
    printRow("wall", format("%.3f s", m.empty.wallSeconds));
    printRow("events per second", format("%.1f million", events / n / 1e6));
    std::printf("open, %u threads\n", threads);
    if (m.empty.wallSeconds > busyMachine * n)
        std::printf("  Other programs were running: wall times say nothing.\n");
    const double wall = m.open.wallSeconds / n;
    const double cpu = m.open.cpuSeconds / n;
    const auto peak = static_cast<double>(m.open.peakBytes);
    printRow("wall", format("%.3f s = %.2f N", m.open.wallSeconds, wall), format("<= %.2f N", wallGoal), wall <= wallGoal);
    printRow("CPU", format("%.3f s = %.2f N", m.open.cpuSeconds, cpu), format("<= %.2f N", cpuGoal), cpu <= cpuGoal);
    printRow("peak memory", format("%.0f MB, %.1f B/event", peak / 1e6, peak / events),
             format("<= %.0f MB", memoryGoal(m.empty.counts.events) / 1e6), peak <= memoryGoal(m.empty.counts.events));
    printRow("of it columns", format("%.0f MB, %.1f B/event", static_cast<double>(m.open.counts.traceBytes) / 1e6,
                                     static_cast<double>(m.open.counts.traceBytes) / events));
    printRow("events per second", format("%.1f million", events / m.open.wallSeconds / 1e6));
    if (m.print) {
        const double ratio = m.open.wallSeconds / m.print->wallSeconds;
        std::printf("otf2-print > /dev/null\n");
        printRow("wall", format("%.2f s", m.print->wallSeconds));
        printRow("open / otf2-print", format("%.3f", ratio), format("<= %.2f", printGoal), ratio <= printGoal);
    }
}

nlohmann::json toJson(const RunCost &run) {
    return {{"wall_s", run.wallSeconds}, {"cpu_s", run.cpuSeconds}, {"peak_bytes", run.peakBytes}};
}

void writeJson(const std::string &path, const Measurements &m, std::uint64_t archiveBytes, unsigned threads) {
    nlohmann::json json = {{"locations", m.empty.counts.locations},  {"events", m.empty.counts.events},
                           {"archive_bytes", archiveBytes},          {"threads", threads},
                           {"empty_read", toJson(m.empty)},          {"open", toJson(m.open)},
                           {"trace_bytes", m.open.counts.traceBytes}};
    if (m.print)
        json["otf2_print"] = toJson(*m.print);
    std::ofstream(path) << json.dump(2) << '\n';
}

} // namespace

int main(int argc, char **argv) {
    CLI::App app("Measures how long opening an OTF2 archive takes, against the fastest possible read (N).");
    Options options;
    app.add_option("ARCHIVE", options.anchor, "Anchor file (*.otf2)")->required()->check(CLI::ExistingFile);
    app.add_option("--threads", options.threads, "Threads of our open")->capture_default_str();
    app.add_option("--repeat", options.repeat, "Runs of each; medians are shown")
        ->capture_default_str()
        ->check(CLI::PositiveNumber);
    app.add_option("--json", options.json, "Write the figures to this file");
    app.add_flag("--peers", options.peers, "Measure otf2-print as well (slow)");
    app.add_option("--locations-per-handle", options.locationsPerHandle,
                   "Locations that the empty read gives to a handle of libotf2")
        ->capture_default_str()
        ->check(CLI::PositiveNumber);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError &error) {
        return app.exit(error) == 0 ? 0 : 2;
    }
    try {
        const std::uint64_t archiveBytes = warmUp(options.anchor);
        const Measurements measurements = measure(options);
        print(measurements, archiveBytes, options.threads);
        if (!options.json.empty())
            writeJson(options.json, measurements, archiveBytes, options.threads);
    } catch (const std::exception &error) {
        std::fprintf(stderr, "laggard-bench-open: %s\n", error.what());
        return 1;
    }
    return 0;
}
