// SPDX-License-Identifier: GPL-3.0-or-later
#include "collect/store/HangCapture.h"
#include "collect/store/CaptureRequest.h"
#include "collect/store/FileLocks.h"
#include "collect/store/ProcessFiles.h"
#include "collect/store/Signals.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <utility>

namespace laggard::collect {

using namespace recording;

namespace {

CaptureRequest s_request; // where the signal handler finds it

std::int32_t ownTid() { return static_cast<std::int32_t>(syscall(SYS_gettid)); }

void onCapture(int, siginfo_t *, void *context) {
    const int error = errno;
    Process *process = runningProcess();
    if (process != nullptr && process->isOwn())
        if (const CaptureRequest::Copy *copy = s_request.take(ownTid())) {
            copy->chunk->capture(copy->thread, 0, nullptr, *static_cast<ucontext_t *>(context), copy->stackEnd, copy->isFiltered,
                                 copy->reason);
            s_request.finish();
        }
    errno = error;
}

struct Blocked {
    long number = -1;
    unsigned long arguments[6] = {};
    std::uintptr_t stack = 0;
    std::uintptr_t program = 0;
};

/// What the system says of a thread that is blocked in it; false if it runs. Allocates nothing: the program may hang in malloc.
bool readBlocked(FileThread &files, std::int32_t tid, Blocked &blocked) {
    char text[256];
    std::snprintf(text, sizeof text, "/proc/self/task/%d/syscall", tid);
    if (!readText(files, text, text))
        return false;
    unsigned long *a = blocked.arguments;
    return std::sscanf(text, "%ld %lx %lx %lx %lx %lx %lx %lx %lx", &blocked.number, &a[0], &a[1], &a[2], &a[3], &a[4], &a[5],
                       &blocked.stack, &blocked.program) == 9;
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

/// In a lock, a condition, a barrier or a join without a time limit. Most threads in other calls (sleep, poll, read) serve
/// libraries.
bool waitsForThread(const Blocked &blocked) { return blocked.number == SYS_futex && blocked.arguments[3] == 0; }

bool waitsForFileLock(const Blocked &blocked) {
    const unsigned long command = blocked.arguments[1];
    return blocked.number == SYS_flock || (blocked.number == SYS_fcntl && (command == F_SETLKW || command == F_OFD_SETLKW));
}

void pauseFor(long milliseconds) {
    timespec time{milliseconds / 1000, milliseconds % 1000 * 1'000'000};
    nanosleep(&time, nullptr);
}

} // namespace

void HangCapture::prepare() {
    for (int signal = SIGRTMAX - 3; signal > SIGRTMIN + 3; --signal) {
        struct sigaction current {};
        if (sigaction(signal, nullptr, &current) != 0 || (current.sa_flags & SA_SIGINFO) != 0 || current.sa_handler != SIG_DFL)
            continue;
        struct sigaction action {};
        action.sa_sigaction = onCapture;
        action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
        if (setOwnHandler(signal, action) == 0) {
            m_signal = signal;
            return;
        }
    }
}

const Thread *HangCapture::logOf(std::int32_t tid) {
    const Thread *thread = m_process.threads();
    while (thread != nullptr && thread->state().tid != tid)
        thread = thread->next;
    return thread;
}

bool HangCapture::ask(std::int32_t tid, CrashChunk &chunk, std::uint32_t thread, std::uintptr_t stackEnd,
                      CaptureReason reason) const {
    struct sigaction current {};
    // The program may have taken the signal for itself meanwhile.
    if (m_signal == 0 || sigaction(m_signal, nullptr, &current) != 0 || current.sa_sigaction != onCapture)
        return false;
    s_request.ask(tid, {&chunk, thread, stackEnd, m_process.file().files().isFiltered(tid), reason});
    if (syscall(SYS_tgkill, getpid(), tid, m_signal) == 0)
        for (int i = 0; i < 200 && !s_request.isDone(); ++i)
            pauseFor(5);
    if (s_request.withdraw(tid))
        return false; // it blocks the signal
    while (!s_request.isDone())
        pauseFor(1);
    s_request.end();
    return true;
}

void HangCapture::capture(std::int32_t tid, CrashChunk &chunk, std::uint32_t thread, std::uintptr_t stackEnd,
                          CaptureReason reason) {
    Blocked blocked;
    const bool isBlocked = readBlocked(m_process.file().files(), tid, blocked);
    if (!(isBlocked && isCutShort(blocked)) && ask(tid, chunk, thread, stackEnd, reason))
        return;
    if (readBlocked(m_process.file().files(), tid, blocked))
        chunk.capture(thread, blocked.stack, blocked.program, stackEnd, m_process.file().files().isFiltered(), reason);
}

HangCapture::Other *HangCapture::next(std::int32_t tid, const Thread *log) {
    if (m_otherCount == mostOthers)
        return nullptr;
    Other &other = m_others[m_otherCount];
    if (!other.isPrepared)
        other.chunk.prepare(m_process.file(), 1);
    other.isPrepared = true;
    if (log == nullptr && (other.state = m_process.describeSilent(tid, other.state)) == nullptr)
        return nullptr;
    ++m_otherCount;
    return &other;
}

void HangCapture::captureOther(std::int32_t tid, Round round, CaptureReason reason) {
    const Thread *log = logOf(tid);
    Blocked blocked;
    if (log == nullptr && readBlocked(m_process.file().files(), tid, blocked)) {
        // Nobody has to be woken to be seen: what the system tells of a thread that the recorder does not know is enough.
        const bool isTaken = std::any_of(m_others, m_others + m_otherCount, [tid](const Other &other) {
            return other.state != nullptr && other.state->tid == tid; // it ran in the first round
        });
        if (round == Round::Waiting && waitsForThread(blocked) && !isTaken && m_waitingCount < mostWaiting)
            if (Other *other = next(tid, nullptr)) {
                ++m_waitingCount;
                other->chunk.capture(other->state->thread, blocked.stack, blocked.program, 0,
                                     m_process.file().files().isFiltered(), reason);
            }
        return;
    }
    if (round == Round::Recording)
        if (Other *other = next(tid, log))
            capture(tid, other->chunk, log != nullptr ? log->number() : other->state->thread,
                    log != nullptr ? log->stackEnd() : 0, reason);
}

void HangCapture::lookForLock() {
    FileThread &files = m_process.file().files();
    Blocked blocked;
    if (!readBlocked(files, getpid(), blocked) || !waitsForFileLock(blocked) || !readText(files, "/proc/locks", m_locks))
        return;
    // Once: a watcher of the job may ask for the stacks again and again.
    const std::int32_t holder = holderOfLock(m_locks, getpid());
    if (holder != 0 && std::exchange(m_lockHolder, holder) != holder)
        m_process.definitions().neighbour(holder, now(), NeighbourState::HasLock);
}

void HangCapture::captureAll(CaptureReason reason) {
    lookForLock(); // before the thread is woken to copy itself, as it waits anew then
    const std::int32_t main = getpid();
    const Thread *log = logOf(main);
    capture(main, m_process.hangChunk(), log == nullptr ? nothing : log->number(), log == nullptr ? 0 : log->stackEnd(), reason);
    m_otherCount = m_waitingCount = 0;
    for (const Round round : {Round::Recording, Round::Waiting})
        forEachThread(m_process.file().files(), [&](std::int32_t tid) {
            if (tid != main && !m_process.isRecorders(tid))
                captureOther(tid, round, reason);
        });
}

void HangCapture::goesOn() {
    m_lockHolder = 0;
    for (Other &other : m_others)
        if (other.state != nullptr && other.state->tid > 0) {
            const SlotWriting writing(*other.state);
            other.state->tid = -other.state->tid;
        }
}

} // namespace laggard::collect
