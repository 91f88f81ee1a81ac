// SPDX-License-Identifier: GPL-3.0-or-later
#include "collect/launch/WatcherStart.h"

#include "collect/store/JobEnvironment.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

extern char **environ;

namespace laggard::collect {

namespace {

/// As fork(), but the parent gets no signal when the child ends: the program might find it waiting.
pid_t forkSilently() {
#if defined(__x86_64__)
    return static_cast<pid_t>(syscall(SYS_clone, 0UL, nullptr, nullptr, nullptr, 0UL));
#else
    return static_cast<pid_t>(syscall(SYS_clone, 0UL, nullptr, nullptr, 0UL, nullptr)); // AArch64 and most others
#endif
}

void closeAll() {
#ifdef SYS_close_range
    if (syscall(SYS_close_range, 0U, ~0U, 0U) == 0)
        return;
#endif
    rlimit limit{};
    const rlim_t most = getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < 65536 ? limit.rlim_cur : 65536;
    for (rlim_t descriptor = 0; descriptor < most; ++descriptor)
        ::close(static_cast<int>(descriptor));
}

/// In the child of the child: only what is allowed after fork() in a process that may have threads of a tool.
[[noreturn]] void become(char *const *arguments, char *const *environment) {
    closeAll();
    static_cast<void>(::open("/dev/null", O_RDWR)); // the three standard streams
    static_cast<void>(::dup(0));
    static_cast<void>(::dup(0));
    static_cast<void>(::chdir("/")); // a folder that is to be removed
    for (int signal = 1; signal < SIGRTMIN; ++signal)
        ::signal(signal, SIG_DFL);
    sigset_t none;
    sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
    ::execve(arguments[0], arguments, environment);
    ::_exit(127);
}

/// What tools preload into the job, or tell the loader, is not meant for the watcher. Its analyses are no ranks of the job,
/// though the launcher's variables seem to say so.
std::vector<char *> ownEnvironment() {
    static char alone[] = "LAGGARD_ACROSS=no";
    std::vector<char *> kept{alone};
    for (char **variable = environ; *variable != nullptr; ++variable)
        if (std::strncmp(*variable, "LD_PRELOAD=", 11) != 0 && std::strncmp(*variable, "LD_AUDIT=", 9) != 0 &&
            std::strncmp(*variable, "LAGGARD_ACROSS=", 15) != 0)
            kept.push_back(*variable);
    kept.push_back(nullptr);
    return kept;
}

} // namespace

void startWatcher(const Options &options, const WatcherPlace &place) {
    struct stat errors {};
    if (::fstat(STDERR_FILENO, &errors) != 0)
        errors = {};
    std::vector<std::string> words{place.watcher,
                                   place.folder,
                                   place.job,
                                   "--action=" + options.onHang,
                                   "--analyzer=" + place.analyzer,
                                   "--starter=" + std::to_string(getpid()),
                                   "--device=" + std::to_string(errors.st_dev),
                                   "--file=" + std::to_string(errors.st_ino)};
    if (options.givesHangTimeout())
        words.push_back("--hang-timeout=" + options.hangTimeout);
    if (environmentRank() <= 0)
        words.emplace_back("--first");
    std::vector<char *> arguments;
    for (std::string &word : words)
        arguments.push_back(word.data());
    arguments.push_back(nullptr);
    const std::vector<char *> environment = ownEnvironment();
    const pid_t child = forkSilently();
    if (child == 0) {
        ::setsid();
        if (const pid_t watcher = forkSilently(); watcher != 0)
            ::_exit(watcher < 0 ? 1 : 0);
        become(arguments.data(), environment.data());
    }
    int status = 0;
    while (child > 0 && ::waitpid(child, &status, __WALL) < 0 && errno == EINTR) {
    }
    if (child < 0 || !WIFEXITED(status) || WEXITSTATUS(status) != 0)
        say("no further process can be started: the job is recorded, and not watched for hangs.");
}

} // namespace laggard::collect
