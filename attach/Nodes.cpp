// SPDX-License-Identifier: GPL-3.0-or-later
#include "attach/Nodes.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <ostream>
#include <poll.h>
#include <spawn.h>
#include <sstream>
#include <sys/wait.h>
#include <unistd.h>

namespace laggard::attach {
namespace {

constexpr std::size_t branches = 16; ///< ssh connections of one node; 4,096 nodes are three levels then
constexpr std::string_view frameWord = "laggard-attach ";

std::string quoted(const std::string &word) {
    std::string result = "'";
    for (const char c : word)
        result += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return result + '\'';
}

struct Child {
    pid_t pid = -1;
    int output = -1;
};

Child start(const std::vector<std::string> &command) {
    Child child;
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0)
        return child;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0); // ssh would read what is meant for others
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    std::vector<char *> words;
    for (const std::string &word : command)
        words.push_back(const_cast<char *>(word.c_str()));
    words.push_back(nullptr);
    if (::posix_spawnp(&child.pid, words.front(), &actions, nullptr, words.data(), environ) != 0)
        child.pid = -1;
    posix_spawn_file_actions_destroy(&actions);
    ::close(ends[1]);
    if (child.pid < 0)
        ::close(ends[0]);
    else
        child.output = ends[0];
    return child;
}

/// Reads what is there; false at the end.
bool readSome(int file, std::string &into) {
    char bytes[65536];
    const ssize_t got = ::read(file, bytes, sizeof bytes);
    if (got > 0)
        into.append(bytes, static_cast<std::size_t>(got));
    return got > 0 || (got < 0 && errno == EINTR);
}

int statusOf(pid_t pid) {
    int status = 0;
    while (::waitpid(pid, &status, 0) < 0)
        if (errno != EINTR)
            return -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

} // namespace

std::vector<std::string> hostsIn(const std::string &text) {
    std::vector<std::string> hosts;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line.substr(0, line.find('#')));
        std::string host;
        words >> host;
        if (std::ranges::count(host, ':') == 1) // more of them: an IPv6 address
            host.resize(host.find(':'));
        if (!host.empty() && host.front() != '-' && std::ranges::find(hosts, host) == hosts.end())
            hosts.push_back(host);
    }
    return hosts;
}

std::vector<std::string> startedOn(const std::string &host, const NodeStarter &starter, const std::vector<std::string> &command) {
    std::vector<std::string> words;
    switch (starter.kind) {
    case NodeStarter::Kind::Srun:
        words = {"srun", "--jobid=" + starter.slurmJob, "--overlap", "--nodes=1", "--ntasks=1", "--nodelist=" + host};
        break;
    case NodeStarter::Kind::Mpiexec:
        words = {"mpiexec", "-n", "1", "-host", host};
        break;
    case NodeStarter::Kind::Ssh:
        words = {"ssh", "-o", "BatchMode=yes", host};
        for (const std::string &word : command)
            words.push_back(quoted(word));
        return words;
    }
    words.insert(words.end(), command.begin(), command.end());
    return words;
}

std::vector<std::vector<std::string>> branchesOf(const std::vector<std::string> &hosts) {
    std::vector<std::vector<std::string>> parts(std::min(branches, hosts.size()));
    for (std::size_t i = 0; i < hosts.size(); ++i)
        parts[i % parts.size()].push_back(hosts[i]);
    return parts;
}

void writeNodeDump(std::ostream &out, const NodeDump &dump) {
    out << frameWord << dump.host << ' ' << dump.text.size() << '\n' << dump.text;
}

std::vector<NodeDump> readNodeDumps(const std::string &stream) {
    std::vector<NodeDump> dumps;
    for (std::size_t at = 0; at < stream.size();) {
        const std::size_t end = stream.find('\n', at);
        if (end == std::string::npos)
            break;
        const std::string line = stream.substr(at, end - at);
        at = end + 1;
        const std::size_t space = line.rfind(' ');
        std::size_t bytes = 0;
        if (!line.starts_with(frameWord) || space < frameWord.size()) // what a login shell has said
            continue;
        const auto read = std::from_chars(line.data() + space + 1, line.data() + line.size(), bytes);
        if (read.ec != std::errc() || read.ptr != line.data() + line.size() || bytes > stream.size() - at)
            continue;
        dumps.push_back({line.substr(frameWord.size(), space - frameWord.size()), stream.substr(at, bytes)});
        at += bytes;
    }
    return dumps;
}

std::vector<RunProgram> runPrograms(const std::vector<std::vector<std::string>> &commands,
                                    const std::function<bool()> &isCancelled) {
    std::vector<RunProgram> runs;
    std::vector<Child> children;
    for (const std::vector<std::string> &command : commands) {
        runs.push_back({command, {}, -1});
        children.push_back(start(command));
    }
    bool isAsked = false;
    for (;;) {
        std::vector<pollfd> waiting;
        std::vector<std::size_t> numbers;
        for (std::size_t i = 0; i < children.size(); ++i)
            if (children[i].output >= 0) {
                waiting.push_back({children[i].output, POLLIN, 0});
                numbers.push_back(i);
            }
        if (waiting.empty())
            break;
        constexpr int patience = 200; // milliseconds, until it is asked again whether to go on
        const int ready = ::poll(waiting.data(), waiting.size(), patience);
        if (isCancelled() && !isAsked) {
            isAsked = true;
            for (const std::size_t i : numbers)
                ::kill(children[i].pid, SIGTERM);
        }
        for (std::size_t k = 0; ready > 0 && k < waiting.size(); ++k) {
            Child &child = children[numbers[k]];
            if (waiting[k].revents != 0 && !readSome(child.output, runs[numbers[k]].output)) {
                ::close(child.output);
                child.output = -1;
            }
        }
    }
    for (std::size_t i = 0; i < children.size(); ++i)
        runs[i].status = children[i].pid < 0 ? 127 : statusOf(children[i].pid);
    return runs;
}

std::vector<std::string> nodesOfSlurmJob(const std::string &job, std::string &complaint) {
    const auto never = [] { return false; };
    const RunProgram list = runPrograms({{"squeue", "-h", "-j", job, "-o", "%N"}}, never).front();
    const std::string nodes = list.output.substr(0, list.output.find('\n'));
    if (list.status != 0 || nodes.empty()) {
        complaint = list.status == 127 ? "There is no squeue here: is this a machine of Slurm's?"
                                       : "Slurm has no job " + job + " that runs.";
        return {};
    }
    const RunProgram names = runPrograms({{"scontrol", "show", "hostnames", nodes}}, never).front();
    const std::vector<std::string> hosts = hostsIn(names.output);
    if (names.status != 0 || hosts.empty())
        complaint = "scontrol does not tell the nodes of job " + job + '.';
    return hosts;
}

} // namespace laggard::attach
