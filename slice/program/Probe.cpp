// SPDX-License-Identifier: GPL-3.0-or-later
#include "slice/program/Probe.h"

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

Probe::Probe(const std::vector<std::string> &list, Attempt what) : files(list), attempt(std::move(what)) { start(0); }

Probe::~Probe() { stop(); }

void Probe::start(std::size_t from) {
    int ends[2];
    if (from >= files.size() || pipe(ends) != 0)
        return;
    child = fork();
    if (child != 0) {
        close(ends[1]);
        if (child < 0)
            close(ends[0]);
        else
            results = ends[0];
        return;
    }
    close(ends[0]);
    becomeQuiet();
    for (auto index = from; index < files.size(); ++index) {
        allowTime();
        attempt(files[index]);
        if (write(ends[1], "+", 1) != 1)
            break;
    }
    _exit(0);
}

void Probe::stop() {
    if (results >= 0)
        close(results);
    results = -1;
    if (child <= 0)
        return;
    kill(child, SIGKILL);
    while (waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
    }
    child = -1;
}

bool Probe::survives(std::size_t index) {
    if (results < 0)
        return true;
    char byte = 0;
    ssize_t got = 0;
    do
        got = read(results, &byte, 1);
    while (got < 0 && errno == EINTR);
    if (got == 1)
        return true;
    stop();
    start(index + 1);
    return false;
}

} // namespace laggard::slice
