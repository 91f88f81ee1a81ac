// SPDX-License-Identifier: GPL-3.0-or-later
#include "collect/store/Signals.h"

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

/// Handlers that were there before, of crash signals.
struct sigaction s_before[NSIG];
std::atomic<int> s_crashes{0};

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

/// MPI libraries, and what they bring along, set handlers that count or write to a pipe, and always return.
bool isOfMpi(void (*handler)(int)) {
    Dl_info module{};
    if (dladdr(reinterpret_cast<const void *>(handler), &module) == 0 || module.dli_fname == nullptr)
        return false;
    const char *slash = std::strrchr(module.dli_fname, '/');
    const std::string_view name = slash == nullptr ? module.dli_fname : slash + 1;
    return std::ranges::any_of(std::initializer_list<std::string_view>{"libmpi", "libpmi", "libopen-", "libuc", "libevent"},
                               [&](std::string_view known) { return name.starts_with(known); });
}

/// Handlers of the program may come while a thread is in the recorder. Those of crashes are let through anyway.
void noteHandler(int signal, void (*handler)(int)) {
    const bool isCrash = std::ranges::find(crashSignals, signal) != std::end(crashSignals);
    if (handler != SIG_DFL && handler != SIG_IGN && handler != SIG_ERR && !isCrash && !Undisturbed::areHandlersSet() &&
        !isOfMpi(handler))
        Undisturbed::handlersAreSet();
}

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
    systemAction()(signal, &action, nullptr);
    // What the processor raised is raised again when the handler returns, at the right place; the rest is sent again, and comes
    // then.
    const bool comesAgain = info->si_code > 0 && (signal == SIGSEGV || signal == SIGBUS || signal == SIGFPE || signal == SIGILL);
    if (!comesAgain)
        syscall(SYS_tgkill, getpid(), ownTid(), signal);
}

/// True if ours has taken the place of a handler.
bool hasHandlerBefore(int signal) {
    const struct sigaction &before = s_before[signal];
    return (before.sa_flags & SA_SIGINFO) != 0 ? before.sa_sigaction != nullptr
                                               : before.sa_handler != SIG_DFL && before.sa_handler != SIG_IGN;
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
    const bool hasHandler = hasHandlerBefore(signal);
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
    if (isOwn && systemAction()(signal, nullptr, &current) == 0 && current.sa_sigaction == onFatal && hasHandlerBefore(signal))
        process->ended(EndKind::StillOpen, 0);
}

void take(int signal, bool alsoHandled) {
    struct sigaction current {};
    if (systemAction()(signal, nullptr, &current) != 0)
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

/// A program that puts the default back, as one does that had a handler of its own for a while, is to be recorded as before.
void takeAgain(int signal, void (*handler)(int)) {
    const Process *process = runningProcess();
    const bool isFatal = std::ranges::find(crashSignals, signal) != std::end(crashSignals) ||
                         std::ranges::find(otherSignals, signal) != std::end(otherSignals);
    if (handler == SIG_DFL && isFatal && process != nullptr && process->isOwn() && process->isInOwnMemory())
        take(signal, false);
}

/// The same for the ways to set a handler that return the one before.
void (*afterSetting(int signal, void (*handler)(int), void (*before)(int)))(int) {
    struct sigaction hidden {};
    hidden.sa_flags = SA_SIGINFO;
    hidden.sa_handler = before; // the two kinds of handlers share their place
    hideOwn(signal, hidden);
    if (before != SIG_ERR)
        takeAgain(signal, handler);
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
    if (result == 0 && action != nullptr && (action->sa_flags & SA_SIGINFO) == 0)
        takeAgain(signal, action->sa_handler);
    return result;
}

// The C library's other ways to set a handler do not lead through sigaction().
#define LAGGARD_SETS_HANDLER(name)                                                                                               \
    extern "C" __attribute__((visibility("default"))) Handler name(int signal, Handler handler) noexcept {                       \
        laggard::collect::noteHandler(signal, handler);                                                                          \
        static const auto original = reinterpret_cast<Handler (*)(int, Handler)>(dlsym(RTLD_NEXT, #name));                       \
        return laggard::collect::afterSetting(signal, handler, original(signal, handler));                                       \
    }
using Handler = void (*)(int);
LAGGARD_SETS_HANDLER(signal)
LAGGARD_SETS_HANDLER(ssignal)
LAGGARD_SETS_HANDLER(bsd_signal)
LAGGARD_SETS_HANDLER(sysv_signal)
LAGGARD_SETS_HANDLER(__sysv_signal)
LAGGARD_SETS_HANDLER(sigset)
