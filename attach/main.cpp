// SPDX-License-Identifier: GPL-3.0-or-later
#include "attach/DumpFile.h"
#include "attach/JobSamples.h"
#include "attach/Nodes.h"
#include "attach/Options.h"
#include "attach/RankSearch.h"
#include "trace/Printable.h"
#include "trace/Quantity.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <optional>
#include <thread>
#include <unistd.h>

using namespace laggard;
using namespace laggard::attach;

namespace {

std::atomic<bool> interrupted = false; // a signal handler can reach nothing else
static_assert(std::atomic<bool>::is_always_lock_free);

void stopOnSignals() {
    struct sigaction action {};
    action.sa_handler = [](int) { interrupted = true; };
    action.sa_flags = static_cast<int>(SA_RESETHAND); // a second one kills as usual
    for (const int signal : {SIGINT, SIGTERM, SIGHUP})
        ::sigaction(signal, &action, nullptr);
}

/// In one write: a launcher's own lines and other processes' sentences come between writes.
void complain(const std::string &what) { std::cerr << "laggard-attach: " + printable(what) + '\n'; }

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
    return command.launcher != 0 ? ranksBelow(processes, command.launcher) : onlyJob(processes, command.slurmJob);
}

std::string outputFile(const AttachCommand &command, const std::string &host) {
    std::error_code error;
    if (!std::filesystem::is_directory(command.output, error))
        return command.output;
    return (std::filesystem::path(command.output) / (host + ".json")).string();
}

/// False, and explained, if it cannot be written. What was there stays until all is written, and nothing is left that is half.
bool write(const std::string &path, const std::string &text) {
    std::error_code error;
    const std::filesystem::path resolved = std::filesystem::weakly_canonical(std::filesystem::absolute(path, error), error);
    const std::string target = error ? path : resolved.string();
    // Devices and pipes are written as they are, and files where no other can be made.
    const bool isDirect = (std::filesystem::exists(target, error) && !std::filesystem::is_regular_file(target, error)) ||
                          ::access(std::filesystem::path(target).parent_path().c_str(), W_OK) != 0;
    const std::string written = isDirect ? target : target + "." + std::to_string(::getpid());
    std::ofstream file(written, std::ios::binary | std::ios::trunc);
    file << text;
    file.close();
    if (file && (isDirect || std::rename(written.c_str(), target.c_str()) == 0))
        return true;
    complain("\"" + path + "\" cannot be written: " + std::strerror(errno) + '.');
    if (!isDirect)
        std::filesystem::remove(written, error);
    return false;
}

bool isCancelled() { return interrupted; }

JobSamples samplesOf(const AttachCommand &command) {
    FoundJob job = findJob(command);
    if (!command.cores.empty())
        return readCores(std::move(job), {0, command.sysroot, command.executable, 0}, isCancelled);
    const auto interval = std::chrono::nanoseconds(static_cast<std::int64_t>(command.interval * 1e9));
    return sampleJob(std::move(job), command.samples, interval, isCancelled);
}

std::string stoodText(const JobSamples &samples) {
    if (samples.areCores)
        return plural(samples.job.ranks.size(), "rank") + ", " + plural(samples.job.ranks.size(), "core file") + '.';
    char stopped[64] = "0.0 ms";
    const auto milliseconds = [](std::chrono::nanoseconds time) { return static_cast<double>(time.count()) / 1e6; };
    if (!samples.stops.empty())
        std::snprintf(stopped, sizeof stopped, "%.1f ms, half of the times %.1f ms at most", milliseconds(samples.stops.back()),
                      milliseconds(samples.stops[samples.stops.size() / 2]));
    return plural(samples.job.ranks.size(), "rank") + ", " + plural(samples.times.size(), "sample") +
           "; no process stood longer than " + stopped + '.';
}

/// What this machine has.
struct OwnDump {
    std::optional<NodeDump> dump; ///< none, which was explained, if no stack could be read
    std::string stood;            ///< how long processes stood
    bool isCutShort = false;      ///< there are fewer samples than were asked for, which was said
};

OwnDump ownDump(const AttachCommand &command) {
    const JobSamples samples = samplesOf(command);
    for (const std::string &note : samples.notes)
        complain(note);
    if (samples.isCutShort)
        complain(samples.areCores ? "interrupted: not all core files were read."
                                  : "interrupted after " + std::to_string(samples.times.size()) + " of " +
                                        plural(command.samples, "sample") + '.');
    if (samples.threads.empty()) {
        if (!samples.isCutShort)
            complain("No stack could be read.");
        return {std::nullopt, {}, samples.isCutShort};
    }
    const std::string host = hostName();
    return {NodeDump{host, dumpText(samples, host)}, stoodText(samples), samples.isCutShort};
}

NodeStarter starterOf(const AttachCommand &command) {
    if (!command.slurmJob.empty())
        return {NodeStarter::Kind::Srun, command.slurmJob};
    return {command.via == "mpiexec" ? NodeStarter::Kind::Mpiexec : NodeStarter::Kind::Ssh, {}};
}

/// This program, as it is started on the first of some nodes, for all of them.
std::vector<std::string> commandFor(const AttachCommand &command, const std::vector<std::string> &hosts) {
    std::error_code error;
    const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", error);
    char interval[32];
    std::snprintf(interval, sizeof interval, "%g", command.interval);
    std::vector<std::string> words = {error ? "laggard-attach" : self.string(), "--stream",   "--samples",
                                      std::to_string(command.samples),          "--interval", interval};
    if (!command.slurmJob.empty())
        words.insert(words.end(), {"--branch-job", command.slurmJob});
    words.insert(words.end(), {"--branch-via", command.via});
    std::string others;
    for (std::size_t i = 1; i < hosts.size(); ++i)
        others += (others.empty() ? "" : ",") + hosts[i];
    if (!others.empty())
        words.insert(words.end(), {"--branches", others});
    return words;
}

/// What these nodes have, each started at once, with those that it looks after.
std::vector<NodeDump> dumpsOf(const AttachCommand &command, const std::vector<std::string> &hosts) {
    const std::vector<std::vector<std::string>> parts = branchesOf(hosts);
    std::vector<std::vector<std::string>> commands;
    for (const std::vector<std::string> &part : parts)
        commands.push_back(startedOn(part.front(), starterOf(command), commandFor(command, part)));
    std::vector<NodeDump> dumps;
    const std::vector<RunProgram> runs = runPrograms(commands, isCancelled);
    for (std::size_t i = 0; i < runs.size(); ++i) {
        std::vector<NodeDump> read = readNodeDumps(runs[i].output);
        if (runs[i].status == 127)
            complain('"' + runs[i].command.front() + "\" cannot be started, or does not find laggard-attach on " +
                     parts[i].front() + " (it must be at the same place there).");
        else if (read.empty())
            complain("Nothing came from " + parts[i].front() +
                     (parts[i].size() == 1 ? "" : " and from " + plural(parts[i].size() - 1, "node") + " that it looks after") +
                     " (" + runs[i].command.front() + " ended with " + std::to_string(runs[i].status) + ").");
        std::ranges::move(read, std::back_inserter(dumps));
    }
    return dumps;
}

std::vector<std::string> hostsOf(const AttachCommand &command) {
    if (command.hosts.empty()) {
        std::string complaint;
        std::vector<std::string> hosts = nodesOfSlurmJob(command.slurmJob, complaint);
        if (!complaint.empty())
            throw NothingFound(complaint);
        return hosts;
    }
    std::ifstream file(command.hosts, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    std::vector<std::string> hosts = hostsIn(text);
    if (hosts.empty())
        throw NothingFound("\"" + command.hosts + "\" names no host.");
    return hosts;
}

/// A node of the tree: its own dump and those of the nodes behind it, for the one that started it.
int runBranch(const AttachCommand &command) {
    // Its own stacks first: they are wanted of the same moment, and the others begin at once as well.
    std::vector<NodeDump> dumps;
    std::thread others([&] {
        if (!command.branches.empty())
            dumps = dumpsOf(command, command.branches);
    });
    OwnDump own;
    try {
        own = ownDump(command);
        if (own.dump)
            std::cerr << printable(own.dump->host) + ": " + own.stood + '\n';
    } catch (const std::exception &error) {
        complain(hostName() + ": " + error.what());
    }
    others.join();
    if (own.dump)
        writeNodeDump(std::cout, *own.dump);
    for (const NodeDump &each : dumps)
        writeNodeDump(std::cout, each);
    std::cout.flush();
    return interrupted ? attachInterrupted : own.dump || !dumps.empty() ? attachDone : attachFailed;
}

int runNodes(const AttachCommand &command) {
    const std::vector<std::string> hosts = hostsOf(command);
    std::error_code error;
    std::filesystem::create_directories(command.output, error);
    if (!std::filesystem::is_directory(command.output, error)) {
        complain('"' + command.output + "\" is no folder: there is a file for each node.");
        return attachFailed;
    }
    const std::vector<NodeDump> dumps = dumpsOf(command, hosts);
    std::map<std::string, unsigned> times; // hosts of one name
    for (const NodeDump &each : dumps) {
        std::string name = std::filesystem::path(each.host).filename().string();
        if (const unsigned before = times[name]++; before != 0)
            name += '-' + std::to_string(before + 1);
        if (!write((std::filesystem::path(command.output) / (name + ".json")).string(), each.text))
            return attachFailed;
    }
    if (interrupted)
        complain("interrupted: not all samples of all nodes were taken.");
    if (dumps.empty()) {
        if (!interrupted)
            complain("No stack could be read on any node.");
        return interrupted ? attachInterrupted : attachFailed;
    }
    std::cerr << plural(dumps.size(), "node") << " of " << hosts.size() << ".\nThe stacks are in " << printable(command.output)
              << ": laggard-analyze " << printable(command.output) << '\n';
    return interrupted ? attachInterrupted : attachDone;
}

int run(const AttachCommand &command) {
    if (command.writesStream)
        return runBranch(command);
    if (!command.hosts.empty() || !command.slurmJob.empty())
        return runNodes(command);
    const OwnDump own = ownDump(command);
    if (!own.dump)
        return own.isCutShort ? attachInterrupted : attachFailed;
    const std::string path = outputFile(command, own.dump->host);
    if (!write(path, own.dump->text))
        return attachFailed;
    std::cerr << own.stood << "\nThe stacks are in " << printable(path) << ": laggard-analyze " << printable(path) << '\n';
    return own.isCutShort ? attachInterrupted : attachDone;
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
