// SPDX-License-Identifier: GPL-3.0-or-later
#include "slice/units/BoundedProcess.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace laggard {
namespace {

using Clock = std::chrono::steady_clock;

/// How long somebody who asks to stop waits for it at most.
constexpr std::chrono::milliseconds attention{50};

std::vector<char *> pointersTo(const std::vector<std::string> &texts) {
    std::vector<char *> pointers;
    for (const std::string &text : texts)
        pointers.push_back(const_cast<char *>(text.c_str())); // execve() does not write to them
    pointers.push_back(nullptr);
    return pointers;
}

void limitTo(int resource, std::uint64_t most) {
    const rlimit limit{most, most};
    ::setrlimit(static_cast<__rlimit_resource>(resource), &limit);
}

/// What the child does before it becomes the program. Other threads were not copied and may have held locks: only what is safe
/// in a signal handler is called from here on.
[[noreturn]] void becomeProgram(char *const *arguments, char *const *environment, const std::vector<int> &files,
                                const ProcessLimits &limits, int complaint, pid_t parent) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent)
        ::_exit(127); // it has ended in between
    sigset_t none;
    sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
    for (const int number : {SIGINT, SIGTERM, SIGPIPE, SIGXFSZ})
        ::signal(number, SIG_DFL);
    ::setpgid(0, 0); // Ctrl+C is for this program, which ends the child
    limitTo(RLIMIT_CORE, 0);
    if (limits.memory != 0)
        limitTo(RLIMIT_AS, limits.memory);
    limitTo(RLIMIT_FSIZE, limits.output);
    const int nothing = ::open("/dev/null", O_RDONLY);
    if (nothing > 0) {
        ::dup2(nothing, 0);
        ::close(nothing);
    }
    int number = 1;
    for (const int file : files)
        ::dup2(file, number++);
    ::close_range(static_cast<unsigned>(number), ~0U, CLOSE_RANGE_CLOEXEC);
    ::execve(arguments[0], arguments, environment);
    const int error = errno;
    static_cast<void>(!::write(complaint, &error, sizeof error));
    ::_exit(127);
}

/// Waits until the child has ended or `patience` is over.
void awaitEnd(int handle, std::chrono::milliseconds patience) {
    if (handle >= 0) {
        pollfd ended{handle, POLLIN, 0};
        ::poll(&ended, 1, static_cast<int>(patience.count()));
    } else // Linux before 5.3
        std::this_thread::sleep_for(std::min(patience, std::chrono::milliseconds(5)));
}

ChildEnd endOf(pid_t child, const ProcessLimits &limits, const std::stop_token &stop) {
    const int handle = static_cast<int>(::syscall(SYS_pidfd_open, child, 0)); // glibc 2.36 declares pidfd_open() for C only
    ChildEnd end{ChildEnd::Kind::Exited, 0};
    int status = 0;
    bool isKilled = false;
    while (true) {
        const pid_t ended = ::waitpid(child, &status, WNOHANG);
        if (ended == child || (ended < 0 && errno != EINTR))
            break;
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(limits.until - Clock::now());
        if (!isKilled && (stop.stop_requested() || left.count() <= 0)) {
            end.kind = stop.stop_requested() ? ChildEnd::Kind::Stopped : ChildEnd::Kind::OutOfTime;
            isKilled = true;
            ::kill(-child, SIGKILL);
            ::kill(child, SIGKILL);
        }
        awaitEnd(handle, isKilled ? attention : std::clamp(left, std::chrono::milliseconds(1), attention));
    }
    if (handle >= 0)
        ::close(handle);
    if (isKilled)
        return end;
    if (WIFSIGNALED(status))
        return {ChildEnd::Kind::Signalled, WTERMSIG(status)};
    return {ChildEnd::Kind::Exited, WEXITSTATUS(status)};
}

} // namespace

ChildEnd runBounded(const std::vector<std::string> &arguments, const std::vector<std::string> &environment,
                    const std::vector<int> &files, const ProcessLimits &limits, const std::stop_token &stop) {
    if (limits.until <= Clock::now())
        return {ChildEnd::Kind::OutOfTime, 0};
    const std::vector<char *> argumentPointers = pointersTo(arguments);
    const std::vector<char *> environmentPointers = pointersTo(environment);
    int complaint[2]; // closed by execve(), else told why not
    if (::pipe2(complaint, O_CLOEXEC) != 0)
        return {ChildEnd::Kind::NotStarted, errno};
    const pid_t parent = ::getpid();
    // Not posix_spawn(): it cannot have the child end with its parent.
    const pid_t child = ::fork();
    if (child == 0)
        becomeProgram(argumentPointers.data(), environmentPointers.data(), files, limits, complaint[1], parent);
    const int forkError = errno;
    ::close(complaint[1]);
    int error = 0;
    ssize_t told = 0;
    if (child > 0)
        do
            told = ::read(complaint[0], &error, sizeof error);
        while (told < 0 && errno == EINTR);
    ::close(complaint[0]);
    if (child < 0)
        return {ChildEnd::Kind::NotStarted, forkError};
    const ChildEnd end = endOf(child, limits, stop);
    return told == sizeof error ? ChildEnd{ChildEnd::Kind::NotStarted, error} : end;
}

std::string findProgram(const std::string &name, const std::string &searchPath) {
    for (std::size_t from = 0; from <= searchPath.size();) {
        const std::size_t end = std::min(searchPath.find(':', from), searchPath.size());
        const std::string path = searchPath.substr(from, end - from) + '/' + name;
        struct stat status {};
        if (path[0] == '/' && end != from && ::stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode) &&
            ::access(path.c_str(), X_OK) == 0)
            return path;
        from = end + 1;
    }
    return {};
}

} // namespace laggard
