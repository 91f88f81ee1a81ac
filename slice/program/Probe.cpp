// SPDX-License-Identifier: GPL-3.0-or-later
#include "slice/program/Probe.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

namespace laggard::slice {

namespace {

/// Seconds of CPU time for one file: a compile unit of 40,000 lines takes less than one, and damage can make the reader go round
/// for ever.
constexpr rlim_t mostSeconds = 5;

void allowTime() {
    rusage used{};
    getrusage(RUSAGE_SELF, &used);
    const auto until = static_cast<rlim_t>(used.ru_utime.tv_sec + used.ru_stime.tv_sec + 1) + mostSeconds;
    const rlimit seconds{until, RLIM_INFINITY};
    setrlimit(RLIMIT_CPU, &seconds);
}

/// The child of a crash leaves no core, no text, and no signal handlers of ours at work.
void becomeQuiet() {
    const rlimit none{0, 0};
    setrlimit(RLIMIT_CORE, &none);
    for (const auto number : {SIGSEGV, SIGABRT, SIGBUS, SIGILL, SIGFPE, SIGXCPU})
        std::signal(number, SIG_DFL);
    if (const int nowhere = open("/dev/null", O_WRONLY); nowhere >= 0)
        dup2(nowhere, STDERR_FILENO);
}

} // namespace

Probe::Probe(const std::vector<std::string> &list, std::size_t some, unsigned atATime, Attempt what)
    : files(list), count(std::min(some, list.size())), attempt(std::move(what)), lanes(std::max(atATime, 1U)) {
    for (std::size_t lane = 0; lane < lanes.size(); ++lane)
        start(lane);
}

Probe::~Probe() {
    for (auto &lane : lanes)
        stop(lane);
}

void Probe::work(std::size_t from, int results) const {
    becomeQuiet();
    for (auto index = from; index < count; index += lanes.size()) {
        allowTime();
        if (write(results, attempt(files[index]) ? "+" : "-", 1) != 1)
            break;
    }
    _exit(0);
}

void Probe::start(std::size_t from) {
    auto &lane = lanes[from % lanes.size()];
    int ends[2];
    if (from >= count || pipe2(ends, O_CLOEXEC) != 0)
        return;
    lane.child = fork();
    if (lane.child == 0) {
        close(ends[0]);
        work(from, ends[1]);
    }
    close(ends[1]);
    if (lane.child < 0)
        close(ends[0]);
    else
        lane.results = ends[0];
}

void Probe::stop(Lane &lane) {
    if (lane.results >= 0)
        close(lane.results);
    lane.results = -1;
    if (lane.child <= 0)
        return;
    kill(lane.child, SIGKILL);
    while (waitpid(lane.child, nullptr, 0) < 0 && errno == EINTR) {
    }
    lane.child = -1;
}

Probe::Result Probe::resultOf(std::size_t index) {
    auto &lane = lanes[index % lanes.size()];
    if (lane.results < 0)
        return Result::NotWell;
    char byte = 0;
    ssize_t got = 0;
    do
        got = read(lane.results, &byte, 1);
    while (got < 0 && errno == EINTR);
    if (got == 1)
        return byte == '+' ? Result::Well : Result::NotWell;
    stop(lane);
    start(index + lanes.size());
    return Result::Crashed;
}

} // namespace laggard::slice
