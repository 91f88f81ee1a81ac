// SPDX-License-Identifier: GPL-3.0-or-later
#include "collect/store/Signals.h"

#include "collect/store/HandledCrash.h"
#include "collect/store/Undisturbed.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <dlfcn.h>
#include <initializer_list>
#include <iterator>
#include <string_view>
#include <sys/syscall.h>
#include <unistd.h>

namespace laggard::collect {

using namespace recording;

namespace {

constexpr int crashSignals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
constexpr int otherSignals[] = {SIGTRAP, SIGSYS,  SIGTERM,   SIGINT,  SIGHUP,  SIGQUIT, SIGXCPU,
                                SIGXFSZ, SIGALRM, SIGVTALRM, SIGPROF, SIGUSR1, SIGUSR2, SIGPIPE};

/// Handlers of the program whose place ours have taken.
struct sigaction s_before[NSIG];

using SigAction = int (*)(int, const struct sigaction *, struct sigaction *);

/// The system's; sigaction() itself is ours, see below.
SigAction systemAction() {
    static std::atomic<SigAction> known{nullptr};
    SigAction action = known.load(std::memory_order_acquire);
    if (action == nullptr) {
        action = reinterpret_cast<SigAction>(dlsym(RTLD_NEXT, "sigaction"));
        known.store(action, std::memory_order_release);
    }
    return action;
}

bool isOfCrashes(int signal) { return std::ranges::find(crashSignals, signal) != std::end(crashSignals); }

/// MPI libraries, and what they bring along, set handlers that count or write to a pipe, and always return. Those that
/// libgfortran sets when it starts print a stack and raise the signal again, with its default action.
bool isOfHarmlessLibrary(void (*handler)(int)) {
    Dl_info module{};
    if (dladdr(reinterpret_cast<const void *>(handler), &module) == 0 || module.dli_fname == nullptr)
        return false;
    const char *slash = std::strrchr(module.dli_fname, '/');
    const std::string_view name = slash == nullptr ? module.dli_fname : slash + 1;
    return std::ranges::any_of(
        std::initializer_list<std::string_view>{"libmpi", "libpmi", "libopen-", "libuc", "libevent", "libgfortran"},
        [&](std::string_view known) { return name.starts_with(known); });
}

/// Handlers of the program may come while a thread is in the recorder. Those of crashes are let through anyway.
void noteHandler(int signal, void (*handler)(int)) {
    if (handler != SIG_DFL && handler != SIG_IGN && handler != SIG_ERR && !isOfCrashes(signal) &&
        !Undisturbed::areHandlersSet() && !isOfHarmlessLibrary(handler))
        Undisturbed::handlersAreSet();
}

std::int32_t ownTid() { return static_cast<std::int32_t>(syscall(SYS_gettid)); }

void letDefaultHappen(int signal, const siginfo_t *info) {
    struct sigaction action {};
    action.sa_handler = SIG_DFL;
    systemAction()(signal, &action, nullptr);
    // What the processor raised is raised again when the handler returns, at the right place; the rest is sent again, and comes
    // then.
    const bool comesAgain = info->si_code > 0 && (signal == SIGSEGV || signal == SIGBUS || signal == SIGFPE || signal == SIGILL);
    if (!comesAgain)
        syscall(SYS_tgkill, getpid(), ownTid(), signal);
}

bool isHandler(const struct sigaction &action) {
    return (action.sa_flags & SA_SIGINFO) != 0 ? action.sa_sigaction != nullptr
                                               : action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN;
}

void callHandler(const struct sigaction &handler, int signal, siginfo_t *info, void *context) {
    if ((handler.sa_flags & SA_RESETHAND) != 0)
        s_before[signal] = {}; // as the system does: the handler is for once
    if ((handler.sa_flags & SA_SIGINFO) != 0)
        handler.sa_sigaction(signal, info, context);
    else
        handler.sa_handler(signal);
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
    const struct sigaction before = s_before[signal]; // the handler may put another one in its place
    const auto &interrupted = *static_cast<const ucontext_t *>(context);
    if (!isHandler(before)) {
        if (isOwn)
            HandledCrash::strikesUnhandled(signal, *info, interrupted);
        errno = error;
        letDefaultHappen(signal, info);
        return;
    }
    if (!isOwn || !isOfCrashes(signal)) {
        callHandler(before, signal, info, context);
        return;
    }
    const HandledCrash crash(signal, *info, interrupted);
    errno = error;
    callHandler(before, signal, info, context);
    const int errorAfter = errno;
    // Who has set the signal to its default gets it again, and abort() ends the process whatever its handler does.
    struct sigaction current {};
    const bool isKept =
        systemAction()(signal, nullptr, &current) == 0 && current.sa_sigaction == onFatal && isHandler(s_before[signal]);
    const bool isSentByItself = info->si_code <= 0 && info->si_pid == getpid();
    crash.returned(isKept && !(signal == SIGABRT && isSentByItself));
    errno = errorAfter;
}

void take(int signal, bool alsoHandled) {
    struct sigaction current {};
    if (systemAction()(signal, nullptr, &current) != 0)
        return;
    const bool isOurs = (current.sa_flags & SA_SIGINFO) != 0 && current.sa_sigaction == onFatal;
    const bool isDefault = (current.sa_flags & SA_SIGINFO) == 0 && current.sa_handler == SIG_DFL;
    const bool isIgnored = (current.sa_flags & SA_SIGINFO) == 0 && current.sa_handler == SIG_IGN;
    // A handler that is for once is the default afterwards, without a word.
    if (isOurs || isIgnored || (!isDefault && !alsoHandled && (current.sa_flags & SA_RESETHAND) == 0))
        return;
    s_before[signal] = current;
    struct sigaction action {};
    action.sa_sigaction = onFatal;
    action.sa_mask = current.sa_mask;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | (isDefault ? SA_RESTART : current.sa_flags & (SA_RESTART | SA_NODEFER));
    systemAction()(signal, &action, nullptr);
}

} // namespace

void takeFatalSignals() {
    for (const int signal : crashSignals)
        take(signal, true);
    for (const int signal : otherSignals)
        take(signal, false);
}

namespace {

/// What a program is told of the handler that was there before: not ours, which it would call out of a handler of its own, but
/// what ours has taken the place of.
void hideOwn(int signal, struct sigaction &before) {
    if ((before.sa_flags & SA_SIGINFO) != 0 && before.sa_sigaction == onFatal)
        before = s_before[signal];
}

/// A program that sets a handler for crashes, or puts a default back, is to be recorded as before.
void takeAgain(int signal) {
    const Process *process = runningProcess();
    if (process == nullptr || !process->isOwn() || !process->isInOwnMemory())
        return;
    if (isOfCrashes(signal))
        take(signal, true);
    else if (std::ranges::find(otherSignals, signal) != std::end(otherSignals))
        take(signal, false);
}

/// The same for the ways to set a handler that return the one before.
void (*afterSetting(int signal, void (*before)(int)))(int) {
    struct sigaction hidden {};
    hidden.sa_flags = SA_SIGINFO;
    hidden.sa_handler = before; // the two kinds of handlers share their place
    hideOwn(signal, hidden);
    if (before != SIG_ERR)
        takeAgain(signal);
    return hidden.sa_handler;
}

} // namespace

int setOwnHandler(int signal, const struct sigaction &action) { return systemAction()(signal, &action, nullptr); }

} // namespace laggard::collect

extern "C" __attribute__((visibility("default"))) int sigaction(int signal, const struct sigaction *action,
                                                                struct sigaction *before) noexcept {
    using namespace laggard::collect;
    if (action != nullptr)
        noteHandler(signal, action->sa_handler);
    const int result = systemAction()(signal, action, before);
    if (result == 0 && before != nullptr)
        hideOwn(signal, *before);
    if (result == 0 && action != nullptr)
        takeAgain(signal);
    return result;
}

// The C library's other ways to set a handler do not lead through sigaction().
#define LAGGARD_SETS_HANDLER(name)                                                                                               \
    extern "C" __attribute__((visibility("default"))) Handler name(int signal, Handler handler) noexcept {                       \
        laggard::collect::noteHandler(signal, handler);                                                                          \
        static const auto original = reinterpret_cast<Handler (*)(int, Handler)>(dlsym(RTLD_NEXT, #name));                       \
        return laggard::collect::afterSetting(signal, original(signal, handler));                                                \
    }
using Handler = void (*)(int);
LAGGARD_SETS_HANDLER(signal)
LAGGARD_SETS_HANDLER(ssignal)
LAGGARD_SETS_HANDLER(bsd_signal)
LAGGARD_SETS_HANDLER(sysv_signal)
LAGGARD_SETS_HANDLER(__sysv_signal)
LAGGARD_SETS_HANDLER(sigset)
