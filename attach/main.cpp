// SPDX-License-Identifier: GPL-3.0-or-later
#include "attach/DumpFile.h"
#include "attach/JobSamples.h"
#include "attach/Options.h"
#include "attach/RankSearch.h"
#include "trace/Printable.h"
#include "trace/Quantity.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <unistd.h>

using namespace laggard;
using namespace laggard::attach;

namespace {

volatile std::sig_atomic_t interrupted = 0; // a signal handler can reach nothing else

void stopOnSignals() {
    struct sigaction action {};
    action.sa_handler = [](int) { interrupted = 1; };
    for (const int signal : {SIGINT, SIGTERM, SIGHUP})
        ::sigaction(signal, &action, nullptr);
}

void complain(const std::string &what) { std::cerr << "laggard-attach: " << printable(what) << '\n'; }

std::string hostName() {
    std::array<char, 256> name{};
    return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "localhost";
}

FoundJob findJob(const AttachCommand &command) {
    if (!command.cores.empty())
        return ranksOfCores(command.cores);
    std::vector<ProcessEntry> processes = listProcesses();
    std::erase_if(processes, [](const ProcessEntry &each) { return each.pid == ::getpid(); });
    if (!command.pids.empty())
        return ranksOf(processes, command.pids);
    return command.launcher != 0 ? ranksBelow(processes, command.launcher) : onlyJob(processes);
}

std::string outputFile(const AttachCommand &command, const std::string &host) {
    std::error_code error;
    if (!std::filesystem::is_directory(command.output, error))
        return command.output;
    return (std::filesystem::path(command.output) / (host + ".json")).string();
}

/// False, and explained, if it cannot be written.
bool write(const std::string &path, const std::string &text) {
    std::ofstream file(path, std::ios::binary | std::ios::trunc);
    file << text;
    file.close();
    if (!file)
        complain("\"" + path + "\" cannot be written: " + std::strerror(errno) + '.');
    return static_cast<bool>(file);
}

int run(const AttachCommand &command) {
    FoundJob job = findJob(command);
    const auto interval = std::chrono::nanoseconds(static_cast<std::int64_t>(command.interval * 1e9));
    const auto isCancelled = [] { return interrupted != 0; };
    const bool areCores = !command.cores.empty();
    const JobSamples samples = areCores ? readCores(std::move(job), {0, command.sysroot, command.executable, 0}, isCancelled)
                                        : sampleJob(std::move(job), command.samples, interval, isCancelled);
    for (const std::string &note : samples.notes)
        complain(note);
    if (samples.threads.empty()) {
        complain("No stack could be read.");
        return attachFailed;
    }
    const std::string host = hostName();
    const std::string path = outputFile(command, host);
    if (!write(path, dumpText(samples, host)))
        return attachFailed;
    char stopped[32];
    std::snprintf(stopped, sizeof stopped, "%.1f", static_cast<double>(samples.longestStop.count()) / 1e6);
    std::cerr << plural(samples.job.ranks.size(), "rank") << ", ";
    if (areCores)
        std::cerr << plural(samples.job.ranks.size(), "core file") << ".\n";
    else
        std::cerr << plural(samples.times.size(), "sample") << "; no process stood longer than " << stopped << " ms.\n";
    std::cerr << "The stacks are in " << printable(path) << ": laggard-analyze " << printable(path) << '\n';
    return attachDone;
}

} // namespace

int main(int argc, char **argv) {
    const ParsedAttachCommand parsed = parseAttachCommand(argc, argv);
    if (!parsed.command)
        return parsed.status;
    stopOnSignals();
    try {
        return run(*parsed.command);
    } catch (const NothingFound &nothing) {
        std::cerr << "laggard-attach: " << nothing.what() << '\n';
    } catch (const std::exception &error) {
        complain(error.what());
    }
    return attachFailed;
}
