// SPDX-License-Identifier: GPL-3.0-or-later
// Functions of the C library that the recorder has to know of: those that end or stop the process or replace its program, and
// dlclose.
// Each does what the library's does.
#include "collect/store/CallHooks.h"
#include "collect/store/JobEnvironment.h"
#include "collect/store/Process.h"

#include <cerrno>
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dirent.h>
#include <dlfcn.h>
#include <unistd.h>

using namespace laggard::collect;
using laggard::recording::EndKind;

#define LAGGARD_INTERPOSED extern "C" __attribute__((visibility("default")))

namespace {

template <typename Function> Function original(const char *name) { return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name)); }

/// The recording of this process. After vfork(), memory is the parent's, but the process is not.
Process *ownProcess() {
    Process *process = runningProcess();
    return process != nullptr && process->isOwn() ? process : nullptr;
}

bool holdsRecordings(const char *folder) {
    DIR *entries = opendir(folder);
    if (entries == nullptr)
        return false;
    bool holds = false;
    while (const dirent *entry = readdir(entries)) {
        const char *suffix = std::strstr(entry->d_name, laggard::recording::fileSuffix);
        holds = holds || (suffix != nullptr && std::strcmp(suffix, laggard::recording::fileSuffix) == 0);
    }
    closedir(entries);
    return holds;
}

/// The program that laggard-record started ends, and neither it nor a child of it has called MPI.
void sayIfNothingWasRecorded() {
    const char *pid = std::getenv("LAGGARD_RECORD_PID");
    if (pid == nullptr || std::atoi(pid) != getpid() || runningProcess() != nullptr || recordingFailed())
        return;
    const Settings settings = settingsFromEnvironment();
    if (settings.folder[0] == '\0' || holdsRecordings(settings.folder))
        return;
    say("the program has not called MPI: nothing is recorded.");
    if (settings.rank <= 0)
        ::rmdir(settings.folder);
}

[[gnu::constructor]] void watchEnd() {
    const char *pid = std::getenv("LAGGARD_RECORD_PID");
    if (pid != nullptr && std::atoi(pid) == getpid())
        on_exit([](int, void *) { sayIfNothingWasRecorded(); }, nullptr);
}

/// Says that another program takes over, and takes it back if it does not come to that.
class Replacing {
  public:
    Replacing() : m_process(ownProcess()) {
        if (m_process != nullptr)
            m_process->ended(EndKind::Replaced, 0);
    }
    ~Replacing() {
        const int error = errno;
        if (m_process != nullptr)
            m_process->ended(EndKind::StillOpen, 0);
        errno = error;
    }
    Replacing(const Replacing &) = delete;
    Replacing &operator=(const Replacing &) = delete;

  private:
    Process *m_process;
};

void endsAtOnce(Process &process, int status) {
    process.exits(true);
    process.ended(EndKind::Exited, status & 0xFF);
}

/// Arguments of the execl functions as an array, on the caller's stack: after vfork() nothing may be allocated.
#define LAGGARD_COLLECT_ARGUMENTS(first, argv, rest)                                                                             \
    std::size_t count = 1;                                                                                                       \
    va_list counted;                                                                                                             \
    va_start(counted, first);                                                                                                    \
    while (va_arg(counted, char *) != nullptr)                                                                                   \
        ++count;                                                                                                                 \
    va_end(counted);                                                                                                             \
    auto *argv = static_cast<char **>(__builtin_alloca((count + 1) * sizeof(char *)));                                           \
    va_list rest;                                                                                                                \
    va_start(rest, first);                                                                                                       \
    argv[0] = const_cast<char *>(first);                                                                                         \
    for (std::size_t i = 1; i <= count; ++i)                                                                                     \
    argv[i] = va_arg(rest, char *)

/// A signal that nobody can handle, to the own process. For signals that a program may handle, the handler tells.
class SelfSignal {
  public:
    SelfSignal(bool isToItself, int signal) : m_signal(signal) {
        Process *process = isToItself && (signal == SIGSTOP || signal == SIGKILL) ? ownProcess() : nullptr;
        if (process != nullptr && process->signalsItself(signal))
            m_process = process;
    }
    ~SelfSignal() {
        const int error = errno;
        if (m_process != nullptr)
            m_process->goesOnAfter(m_signal);
        errno = error;
    }
    SelfSignal(const SelfSignal &) = delete;
    SelfSignal &operator=(const SelfSignal &) = delete;

  private:
    Process *m_process = nullptr;
    int m_signal;
};

using Raise = int (*)(int);
using Kill = int (*)(pid_t, int);
using ThreadKill = int (*)(pthread_t, int);

/// Handlers of signals may call these, and must not look for them then.
struct SignalFunctions {
    Raise raise = original<Raise>("raise");
    Kill kill = original<Kill>("kill");
    Kill killGroup = original<Kill>("killpg");
    ThreadKill killThread = original<ThreadKill>("pthread_kill");
};
const SignalFunctions &signalFunctions() {
    static const SignalFunctions functions;
    return functions;
}
[[gnu::constructor]] void findSignalFunctions() { signalFunctions(); }

bool isOwnGroup(pid_t group) { return group == 0 || group == getpgrp(); }

} // namespace

// When main returns, the C library calls its own exit() in a way that does not lead here.
LAGGARD_INTERPOSED void exit(int status) noexcept {
    const HookedCall call("exit", status);
    if (Process *process = ownProcess())
        process->exits(false);
    original<void (*)(int)>("exit")(status);
    __builtin_unreachable();
}

LAGGARD_INTERPOSED void _exit(int status) {
    const HookedCall call("_exit", status);
    if (Process *process = ownProcess())
        endsAtOnce(*process, status);
    else
        sayIfNothingWasRecorded(); // shells end so
    original<void (*)(int)>("_exit")(status);
    __builtin_unreachable();
}

LAGGARD_INTERPOSED void _Exit(int status) noexcept { _exit(status); }

LAGGARD_INTERPOSED void quick_exit(int status) noexcept {
    const HookedCall call("quick_exit", status);
    if (Process *process = ownProcess())
        endsAtOnce(*process, status);
    original<void (*)(int)>("quick_exit")(status);
    __builtin_unreachable();
}

LAGGARD_INTERPOSED int raise(int signal) noexcept {
    const SelfSignal self(true, signal);
    return signalFunctions().raise(signal);
}
LAGGARD_INTERPOSED int kill(pid_t pid, int signal) noexcept {
    HookedCall call("kill", pid, signal);
    const SelfSignal self(pid == getpid() || (pid <= 0 && pid != -1 && isOwnGroup(-pid)), signal); // -1: all others
    return call.returns(signalFunctions().kill(pid, signal));
}
LAGGARD_INTERPOSED int killpg(pid_t group, int signal) noexcept {
    HookedCall call("killpg", group, signal);
    const SelfSignal self(isOwnGroup(group), signal);
    return call.returns(signalFunctions().killGroup(group, signal));
}
LAGGARD_INTERPOSED int pthread_kill(pthread_t thread, int signal) noexcept {
    const SelfSignal self(true, signal);
    return signalFunctions().killThread(thread, signal);
}

LAGGARD_INTERPOSED int execve(const char *path, char *const argv[], char *const environment[]) noexcept {
    HookedCall call("execve", 0);
    const Replacing replacing;
    return call.returns(original<int (*)(const char *, char *const *, char *const *)>("execve")(path, argv, environment));
}
LAGGARD_INTERPOSED int execv(const char *path, char *const argv[]) noexcept {
    HookedCall call("execv", 0);
    const Replacing replacing;
    return call.returns(original<int (*)(const char *, char *const *)>("execv")(path, argv));
}
LAGGARD_INTERPOSED int execvp(const char *file, char *const argv[]) noexcept {
    HookedCall call("execvp", 0);
    const Replacing replacing;
    return call.returns(original<int (*)(const char *, char *const *)>("execvp")(file, argv));
}
LAGGARD_INTERPOSED int execvpe(const char *file, char *const argv[], char *const environment[]) noexcept {
    HookedCall call("execvpe", 0);
    const Replacing replacing;
    return call.returns(original<int (*)(const char *, char *const *, char *const *)>("execvpe")(file, argv, environment));
}
LAGGARD_INTERPOSED int fexecve(int descriptor, char *const argv[], char *const environment[]) noexcept {
    HookedCall call("fexecve", descriptor);
    const Replacing replacing;
    return call.returns(original<int (*)(int, char *const *, char *const *)>("fexecve")(descriptor, argv, environment));
}
LAGGARD_INTERPOSED int execl(const char *path, const char *first, ...) noexcept {
    LAGGARD_COLLECT_ARGUMENTS(first, argv, rest);
    va_end(rest);
    return execv(path, argv);
}
LAGGARD_INTERPOSED int execlp(const char *file, const char *first, ...) noexcept {
    LAGGARD_COLLECT_ARGUMENTS(first, argv, rest);
    va_end(rest);
    return execvp(file, argv);
}
LAGGARD_INTERPOSED int execle(const char *path, const char *first, ...) noexcept {
    LAGGARD_COLLECT_ARGUMENTS(first, argv, rest);
    char *const *environment = va_arg(rest, char *const *);
    va_end(rest);
    return execve(path, argv, environment);
}

LAGGARD_INTERPOSED int dlclose(void *handle) noexcept {
    const int result = original<int (*)(void *)>("dlclose")(handle);
    // Other code may come to lie where this was.
    if (Process *process = ownProcess())
        process->definitions().codeUnloaded();
    return result;
}
