// SPDX-License-Identifier: GPL-3.0-or-later
// How long it takes to say who waits for whom at another moment of a trace. See bench/README.md.
#include "analysis/progress/MomentIndex.h"
#include "analysis/words/VerdictWords.h"
#include "ingest/Format.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <random>

using namespace laggard;

namespace {

struct Times {
    double clock = 0;
    double cpu = 0;
};

Times now() {
    timespec cpu{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &cpu);
    return {std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(),
            static_cast<double>(cpu.tv_sec) + 1e-9 * static_cast<double>(cpu.tv_nsec)};
}

template <typename Job> Times timeOf(Job job) {
    const Times before = now();
    job();
    const Times after = now();
    return {after.clock - before.clock, after.cpu - before.cpu};
}

void print(const char *what, Times times) {
    std::printf("%-34s %9.1f ms by the clock, %9.1f ms CPU\n", what, 1e3 * times.clock, 1e3 * times.cpu);
}

} // namespace

int main(int argc, char **argv) {
    std::string path;
    int moments = 20;
    bool withoutIndex = false;
    CLI::App options("Who waits for whom, at random moments of a trace");
    options.add_option("TRACE", path)->required();
    options.add_option("--moments", moments, "how many, default 20");
    options.add_flag("--without-index", withoutIndex, "the slow way, for comparison");
    CLI11_PARSE(options, argc, argv);

    const Work work;
    TracePtr trace;
    print("open", timeOf([&] { trace = openTrace(path, {}, work); }));
    MomentIndexPtr index;
    print("index, with the end", timeOf([&] { index = std::make_shared<MomentIndex>(trace, work); }));

    std::mt19937_64 random(1);
    std::uniform_int_distribution<Tick> anywhere(trace->range.begin, trace->range.end);
    std::vector<Times> all;
    std::vector<Times> parts[3];
    for (int i = 0; i < moments; ++i) {
        const Tick at = anywhere(random);
        WaitForGraph waits;
        ProgressGraph progress;
        const Times a = timeOf(
            [&] { waits = withoutIndex ? buildWaitForGraph(*trace, at, work) : buildWaitForGraph(index->waits, at, work); });
        const Times b = timeOf(
            [&] { progress = withoutIndex ? buildProgressGraph(*trace, waits, work) : buildProgressGraph(*index, waits, work); });
        const Times c = timeOf([&] { static_cast<void>(judgeInWords(*trace, waits, progress)); });
        parts[0].push_back(a);
        parts[1].push_back(b);
        parts[2].push_back(c);
        all.push_back({a.clock + b.clock + c.clock, a.cpu + b.cpu + c.cpu});
    }
    const auto byClock = [](const Times &x, const Times &y) { return x.clock < y.clock; };
    const auto median = [&](std::vector<Times> times) {
        std::sort(times.begin(), times.end(), byClock);
        return times[times.size() / 2];
    };
    print("a moment, median", median(all));
    print("a moment, slowest", *std::max_element(all.begin(), all.end(), byClock));
    print("  wait-for graph, median", median(parts[0]));
    print("  progress graph, median", median(parts[1]));
    print("  verdict, median", median(parts[2]));
    return 0;
}
