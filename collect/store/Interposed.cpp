// SPDX-License-Identifier: GPL-3.0-or-later
// Functions of the C library that the recorder has to know of: those that end the process or replace its program, and dlclose.
// Each does what the library's does.
#include "collect/store/JobEnvironment.h"
#include "collect/store/Process.h"

#include <cerrno>
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

} // namespace

// When main returns, the C library calls its own exit() in a way that does not lead here.
LAGGARD_INTERPOSED void exit(int status) noexcept {
    if (Process *process = ownProcess())
        process->exits(false);
    original<void (*)(int)>("exit")(status);
    __builtin_unreachable();
}

LAGGARD_INTERPOSED void _exit(int status) {
    if (Process *process = ownProcess())
        endsAtOnce(*process, status);
    else
        sayIfNothingWasRecorded(); // shells end so
    original<void (*)(int)>("_exit")(status);
    __builtin_unreachable();
}

LAGGARD_INTERPOSED void _Exit(int status) noexcept { _exit(status); }

LAGGARD_INTERPOSED void quick_exit(int status) noexcept {
    if (Process *process = ownProcess())
        endsAtOnce(*process, status);
    original<void (*)(int)>("quick_exit")(status);
    __builtin_unreachable();
}

LAGGARD_INTERPOSED int execve(const char *path, char *const argv[], char *const environment[]) noexcept {
    const Replacing replacing;
    return original<int (*)(const char *, char *const *, char *const *)>("execve")(path, argv, environment);
}
LAGGARD_INTERPOSED int execv(const char *path, char *const argv[]) noexcept {
    const Replacing replacing;
    return original<int (*)(const char *, char *const *)>("execv")(path, argv);
}
LAGGARD_INTERPOSED int execvp(const char *file, char *const argv[]) noexcept {
    const Replacing replacing;
    return original<int (*)(const char *, char *const *)>("execvp")(file, argv);
}
LAGGARD_INTERPOSED int execvpe(const char *file, char *const argv[], char *const environment[]) noexcept {
    const Replacing replacing;
    return original<int (*)(const char *, char *const *, char *const *)>("execvpe")(file, argv, environment);
}
LAGGARD_INTERPOSED int fexecve(int descriptor, char *const argv[], char *const environment[]) noexcept {
    const Replacing replacing;
    return original<int (*)(int, char *const *, char *const *)>("fexecve")(descriptor, argv, environment);
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
