// SPDX-License-Identifier: GPL-3.0-or-later
// How many calls in a second a model of execution units is learnt from, and units are judged. See bench/README.md.
#include "analysis/units/JudgeUnits.h"
#include "analysis/units/LearnModel.h"
#include "ingest/Format.h"

#include <CLI/CLI.hpp>

#include <chrono>
#include <cstdio>
#include <functional>
#include <sys/resource.h>

using namespace laggard;

namespace {

double secondsOf(const std::function<void()> &work) {
    const auto before = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - before).count();
}

double cpuSeconds() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<double>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           1e-6 * static_cast<double>(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

/// `calls`: looked at when the work is done.
void measure(const char *what, const std::uint64_t &calls, const std::function<void()> &work) {
    const double cpu = cpuSeconds();
    const double seconds = secondsOf(work);
    const double used = cpuSeconds() - cpu;
    const double millions = 1e-6 * static_cast<double>(calls);
    std::printf("%-8s %8.3f s, %7.1f M calls/s; CPU %8.3f s, %7.1f M calls/s\n", what, seconds, millions / seconds, used,
                millions / used);
}

} // namespace

int main(int argc, char **argv) {
    std::string path;
    unsigned threads = 0;
    int repeat = 3;
    CLI::App options("Learning from the execution units of a trace, and judging them");
    options.add_option("TRACE", path, "with calls of the C library")->required();
    options.add_option("--threads", threads, "default: as many as the machine has");
    options.add_option("--repeat", repeat, "default 3");
    CLI11_PARSE(options, argc, argv);
    const Work work{{}, {}, threads};
    for (int i = 0; i < repeat; ++i) {
        TracePtr trace;
        std::uint64_t calls = 0;
        measure("opening", calls, [&] {
            trace = openTrace(path, {}, work);
            for (const Location &location : trace->locations)
                calls += location.events.track.size();
        });
        Lesson lesson;
        measure("learning", calls, [&] { lesson = learn(*trace, work); });
        UnitReport report;
        measure("judging", calls, [&] { report = judgeUnits(*trace, lesson.model, work); });
        rusage usage{};
        getrusage(RUSAGE_SELF, &usage);
        std::printf("%llu calls, %llu units, %llu differ, peak %.0f MB\n", static_cast<unsigned long long>(calls),
                    static_cast<unsigned long long>(report.judged), static_cast<unsigned long long>(report.suspicious),
                    static_cast<double>(usage.ru_maxrss) / 1024);
    }
    return 0;
}
