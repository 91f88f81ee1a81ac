// SPDX-License-Identifier: GPL-3.0-or-later
#include "collect/store/Signals.h"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <sys/syscall.h>
#include <unistd.h>

namespace laggard::collect {

using namespace recording;

namespace {

constexpr int crashSignals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
constexpr int otherSignals[] = {SIGTRAP, SIGSYS,  SIGTERM,   SIGINT,  SIGHUP,  SIGQUIT, SIGXCPU,
                                SIGXFSZ, SIGALRM, SIGVTALRM, SIGPROF, SIGUSR1, SIGUSR2, SIGPIPE};

/// Handlers that were there before, of crash signals.
struct sigaction s_before[NSIG];
std::atomic<int> s_crashes{0};

/// What the monitor thread asks of the main thread, and how far it is.
enum CaptureStep : int { idle, asked, working, done };
std::atomic<int> s_capture{idle};

std::int32_t ownTid() { return static_cast<std::int32_t>(syscall(SYS_gettid)); }

void record(Process &process, int signal, const siginfo_t *info, const ucontext_t &context) {
    Thread *thread = Process::threadIfAny();
    std::uintptr_t stackEnd = thread == nullptr ? 0 : thread->stackEnd();
    process.crashChunk().capture(thread == nullptr ? nothing : thread->number(), signal, info, context, stackEnd);
    process.ended(EndKind::Signalled, signal);
}

void letDefaultHappen(int signal, const siginfo_t *info) {
    struct sigaction action {};
    action.sa_handler = SIG_DFL;
    sigaction(signal, &action, nullptr);
    // What the processor raised is raised again when the handler returns, at the right place; the rest is sent again, and comes
    // then.
    const bool comesAgain = info->si_code > 0 && (signal == SIGSEGV || signal == SIGBUS || signal == SIGFPE || signal == SIGILL);
    if (!comesAgain)
        syscall(SYS_tgkill, getpid(), ownTid(), signal);
}

void onFatal(int signal, siginfo_t *info, void *context) {
    const int error = errno;
    Process *process = runningProcess();
    const bool isOwn = process != nullptr && process->isOwn();
    if (isOwn && signal == SIGBUS && process->file().replacePage(info->si_addr)) {
        // The storage of the recording has failed under it. The job is not to die of that.
        process->file().countDropped();
        errno = error;
        return;
    }
    const struct sigaction &before = s_before[signal];
    const bool hasHandler = (before.sa_flags & SA_SIGINFO) != 0 ? before.sa_sigaction != nullptr
                                                                : before.sa_handler != SIG_DFL && before.sa_handler != SIG_IGN;
    // Two threads may crash at once: the first one counts. A program that recovers from such signals is not slowed down for ever.
    if (isOwn && s_crashes.fetch_add(1) < (hasHandler ? 3 : 1))
        record(*process, signal, info, *static_cast<ucontext_t *>(context));
    errno = error;
    if (!hasHandler) {
        letDefaultHappen(signal, info);
        return;
    }
    if ((before.sa_flags & SA_SIGINFO) != 0)
        before.sa_sigaction(signal, info, context);
    else
        before.sa_handler(signal);
    // It came back: either the program has recovered, or the handler has set the signal to its default, and it comes again.
    struct sigaction current {};
    if (isOwn && sigaction(signal, nullptr, &current) == 0 && current.sa_sigaction == onFatal)
        process->ended(EndKind::StillOpen, 0);
}

void onCapture(int, siginfo_t *, void *context) {
    const int error = errno;
    int expected = asked;
    Process *process = runningProcess();
    if (process != nullptr && process->isOwn() && ownTid() == getpid() && s_capture.compare_exchange_strong(expected, working)) {
        Thread *thread = Process::threadIfAny();
        process->hangChunk().capture(thread == nullptr ? nothing : thread->number(), 0, nullptr,
                                     *static_cast<ucontext_t *>(context), thread == nullptr ? 0 : thread->stackEnd());
        s_capture.store(done);
    }
    errno = error;
}

void take(int signal, bool alsoHandled) {
    struct sigaction current {};
    if (sigaction(signal, nullptr, &current) != 0)
        return;
    const bool isOurs = (current.sa_flags & SA_SIGINFO) != 0 && current.sa_sigaction == onFatal;
    const bool isDefault = (current.sa_flags & SA_SIGINFO) == 0 && current.sa_handler == SIG_DFL;
    const bool isIgnored = (current.sa_flags & SA_SIGINFO) == 0 && current.sa_handler == SIG_IGN;
    if (isOurs || isIgnored || (!isDefault && !alsoHandled))
        return;
    s_before[signal] = current;
    struct sigaction action {};
    action.sa_sigaction = onFatal;
    action.sa_mask = current.sa_mask;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | (isDefault ? SA_RESTART : current.sa_flags & (SA_RESTART | SA_NODEFER));
    sigaction(signal, &action, nullptr);
}

struct Blocked {
    long number = -1;
    unsigned long arguments[6] = {};
    std::uintptr_t stack = 0;
    std::uintptr_t program = 0;
};

/// What the system says of a thread that is blocked in it; false if it runs.
bool readBlocked(std::int32_t tid, Blocked &blocked) {
    char path[64];
    std::snprintf(path, sizeof path, "/proc/self/task/%d/syscall", tid);
    std::FILE *file = std::fopen(path, "re");
    if (file == nullptr)
        return false;
    unsigned long *a = blocked.arguments;
    const int count = std::fscanf(file, "%ld %lx %lx %lx %lx %lx %lx %lx %lx", &blocked.number, &a[0], &a[1], &a[2], &a[3], &a[4],
                                  &a[5], &blocked.stack, &blocked.program);
    std::fclose(file);
    return count == 9;
}

/// True for system calls that end early when a handler has run, whatever SA_RESTART says: signal(7).
bool isCutShort(const Blocked &blocked) {
    switch (blocked.number) {
#ifdef SYS_poll
    case SYS_poll:
    case SYS_select:
    case SYS_epoll_wait:
    case SYS_pause:
#endif
    case SYS_ppoll:
    case SYS_pselect6:
    case SYS_epoll_pwait:
    case SYS_nanosleep:
    case SYS_clock_nanosleep:
    case SYS_rt_sigtimedwait:
    case SYS_rt_sigsuspend:
    case SYS_semop:
    case SYS_semtimedop:
    case SYS_msgrcv:
    case SYS_msgsnd:
    case SYS_io_getevents:
    case SYS_restart_syscall:
        return true;
    case SYS_futex:
        return blocked.arguments[3] != 0; // with a time limit
    default:
        return false;
    }
}

void pauseFor(long milliseconds) {
    timespec time{milliseconds / 1000, milliseconds % 1000 * 1'000'000};
    nanosleep(&time, nullptr);
}

bool askMainThread(int captureSignal) {
    struct sigaction current {};
    // The program may have taken the signal for itself meanwhile.
    if (captureSignal == 0 || sigaction(captureSignal, nullptr, &current) != 0 || current.sa_sigaction != onCapture)
        return false;
    s_capture.store(asked);
    if (syscall(SYS_tgkill, getpid(), getpid(), captureSignal) == 0)
        for (int i = 0; i < 200 && s_capture.load() != done; ++i)
            pauseFor(5);
    int expected = asked;
    if (s_capture.compare_exchange_strong(expected, idle))
        return false; // it blocks the signal
    while (s_capture.load() == working)
        pauseFor(1);
    s_capture.store(idle);
    return true;
}

} // namespace

void takeFatalSignals() {
    for (const int signal : crashSignals)
        take(signal, true);
    for (const int signal : otherSignals)
        take(signal, false);
}

int takeCaptureSignal() {
    for (int signal = SIGRTMAX - 3; signal > SIGRTMIN + 3; --signal) {
        struct sigaction current {};
        if (sigaction(signal, nullptr, &current) != 0 || (current.sa_flags & SA_SIGINFO) != 0 || current.sa_handler != SIG_DFL)
            continue;
        struct sigaction action {};
        action.sa_sigaction = onCapture;
        action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
        if (sigaction(signal, &action, nullptr) == 0)
            return signal;
    }
    return 0;
}

bool captureMainThread(Process &process, int captureSignal) {
    Thread *main = process.threads();
    while (main != nullptr && main->state().isMain == 0)
        main = main->next;
    Blocked blocked;
    const bool isBlocked = readBlocked(getpid(), blocked);
    if (!(isBlocked && isCutShort(blocked)) && askMainThread(captureSignal))
        return true;
    if (!readBlocked(getpid(), blocked))
        return false;
    process.hangChunk().capture(main == nullptr ? nothing : main->number(), blocked.stack, blocked.program,
                                main == nullptr ? 0 : main->stackEnd());
    return true;
}

} // namespace laggard::collect
