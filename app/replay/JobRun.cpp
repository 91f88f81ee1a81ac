// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/replay/JobRun.h"

#include "app/replay/ProcessTree.h"

#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <sys/wait.h>
#include <system_error>
#include <thread>
#include <unistd.h>

namespace laggard::replay {
namespace {

using Clock = std::chrono::steady_clock;

int openFor(const std::filesystem::path &path) {
    const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (file < 0)
        throw std::system_error(errno, std::generic_category(), path.string());
    return file;
}

[[noreturn]] void become(const std::vector<char *> &arguments, int output, int errors, const char *folder) {
    ::setpgid(0, 0);
    if (*folder != '\0' && ::chdir(folder) != 0)
        ::_exit(127);
    sigset_t none;
    sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
    const int nothing = ::open("/dev/null", O_RDONLY);
    ::dup2(nothing, 0);
    ::dup2(output, 1);
    ::dup2(errors, 2);
    ::execvp(arguments[0], arguments.data());
    ::_exit(127);
}

/// False: it has not ended by then.
bool waitUntil(pid_t child, Clock::time_point until, const std::stop_token &stop, int &status) {
    constexpr std::chrono::milliseconds step{10};
    for (;;) {
        if (::waitpid(child, &status, WNOHANG) == child)
            return true;
        if (Clock::now() >= until || stop.stop_requested())
            return false;
        std::this_thread::sleep_for(step);
    }
}

} // namespace

JobEnd runJob(const std::vector<std::string> &command, const std::filesystem::path &output, const std::filesystem::path &errors,
              std::chrono::milliseconds limit, const std::stop_token &stop, const std::string &folder) {
    constexpr std::chrono::seconds politeness{5};
    // StopOnSignal ends this program after 5 s: until then, what does not end when it is asked must have been killed.
    constexpr std::chrono::seconds politenessOfCancelling{2};
    std::vector<char *> arguments;
    for (const std::string &argument : command)
        arguments.push_back(const_cast<char *>(argument.c_str()));
    arguments.push_back(nullptr);
    const int toOutput = openFor(output);
    const int toErrors = openFor(errors);
    const Clock::time_point start = Clock::now();
    const pid_t child = ::fork();
    if (child == 0)
        become(arguments, toOutput, toErrors, folder.c_str());
    ::close(toOutput);
    ::close(toErrors);
    if (child < 0)
        throw std::system_error(errno, std::generic_category(), command.front());
    ::setpgid(child, child); // whoever comes first, the parent or the child
    JobEnd end;
    int status = 0;
    if (!waitUntil(child, start + limit, stop, status)) {
        end.isCancelled = stop.stop_requested();
        end.isOverdue = !end.isCancelled;
        ProcessTree tree(child);
        tree.look();
        ::kill(-child, SIGTERM);
        const bool hasEnded =
            waitUntil(child, Clock::now() + (end.isCancelled ? politenessOfCancelling : politeness), {}, status);
        // Launchers that have ended, or are killed, leave ranks behind, in process groups of their own.
        tree.kill();
        if (!hasEnded)
            ::waitpid(child, &status, 0);
    }
    end.seconds = std::chrono::duration<double>(Clock::now() - start).count();
    if (WIFEXITED(status))
        end.status = WEXITSTATUS(status);
    else
        end.signal = WTERMSIG(status);
    return end;
}

} // namespace laggard::replay
