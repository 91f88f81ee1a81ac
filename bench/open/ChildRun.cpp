// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/open/ChildRun.h"

#include <chrono>
#include <cstdio>
#include <exception>
#include <fcntl.h>
#include <stdexcept>
#include <string>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace laggard::bench {
namespace {

using Clock = std::chrono::steady_clock;

double secondsSince(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

double seconds(const timeval &time) { return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec); }

RunCost cost(const rusage &usage, double wall) {
    return {.wallSeconds = wall,
            .cpuSeconds = seconds(usage.ru_utime) + seconds(usage.ru_stime),
            .peakBytes = static_cast<std::uint64_t>(usage.ru_maxrss) * 1024,
            .counts = {}};
}

pid_t forkOrThrow() {
    std::fflush(nullptr);
    const pid_t child = fork();
    if (child < 0)
        throw std::runtime_error("no further process can be started");
    return child;
}

/// Waits for the child; what it used.
rusage waitFor(pid_t child, const std::string &what) {
    int status = 0;
    rusage usage{};
    if (wait4(child, &status, 0, &usage) != child || !WIFEXITED(status) || WEXITSTATUS(status) != 0)
        throw std::runtime_error(what + " failed");
    return usage;
}

/// In the child: does the work and writes what it cost. Timed here, so that what a process takes to start and end is left out.
[[noreturn]] void serve(int output, const std::function<WorkCounts()> &work) {
    try {
        const Clock::time_point start = Clock::now();
        const WorkCounts counts = work();
        const double wall = secondsSince(start);
        rusage usage{};
        getrusage(RUSAGE_SELF, &usage);
        RunCost result = cost(usage, wall);
        result.counts = counts;
        _exit(write(output, &result, sizeof result) == sizeof result ? 0 : 1);
    } catch (const std::exception &error) {
        std::fprintf(stderr, "%s\n", error.what());
    }
    _exit(1);
}

} // namespace

RunCost runInChild(const std::function<WorkCounts()> &work) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        throw std::runtime_error("no pipe can be made");
    const pid_t child = forkOrThrow();
    if (child == 0)
        serve(ends[1], work);
    close(ends[1]);
    RunCost result;
    const bool complete = read(ends[0], &result, sizeof result) == sizeof result;
    close(ends[0]);
    waitFor(child, "the measured process");
    if (!complete)
        throw std::runtime_error("the measured process did not report");
    return result;
}

RunCost runProgram(const char *program, const char *argument) {
    const Clock::time_point start = Clock::now();
    const pid_t child = forkOrThrow();
    if (child == 0) {
        const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
        if (nowhere >= 0 && dup2(nowhere, STDOUT_FILENO) >= 0)
            execlp(program, program, argument, nullptr);
        _exit(1);
    }
    const rusage usage = waitFor(child, program);
    return cost(usage, secondsSince(start));
}

} // namespace laggard::bench
