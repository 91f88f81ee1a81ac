// SPDX-License-Identifier: GPL-3.0-or-later
#include "collect/store/Process.h"

#include "collect/store/CommandText.h"
#include "collect/store/HandledCrash.h"
#include "collect/store/JobEnvironment.h"
#include "collect/store/Monitor.h"
#include "collect/store/Signals.h"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <new>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>

namespace laggard::collect {

using namespace recording;

namespace {

enum State : int { notBegun, running, off, failed };
/// All that lives as long as the process; see processLog().
std::atomic<int> s_state{notBegun};
Process *s_process = nullptr;
Mutex s_mutex;

enum LogState : std::uint8_t { unknown, hasLog, noLog };
constinit thread_local Thread *t_thread __attribute__((tls_model("initial-exec"))) = nullptr;
constinit thread_local LogState t_state __attribute__((tls_model("initial-exec"))) = unknown;
constinit thread_local bool t_isInVfork __attribute__((tls_model("initial-exec"))) = false;

/// In a child that is to have a recording of its own: its parent's, from which it takes over what it can, and the log that the
/// thread which forked it had there. The memory is the child's, but for the parent's file.
Process *s_parent = nullptr;
Thread *s_parentThread = nullptr;
unsigned s_generation = 0;

/// While it lives, the calling thread gets no log: what is called meanwhile may itself be recorded (an instrumented malloc).
struct WithoutLog {
    WithoutLog() : before(t_state) { t_state = noLog; }
    ~WithoutLog() { t_state = before; }
    WithoutLog(const WithoutLog &) = delete;
    WithoutLog &operator=(const WithoutLog &) = delete;
    LogState before;
};

template <typename T, typename... Arguments> T *inPages(Arguments &&...arguments) {
    void *memory = newPages(sizeof(T));
    return memory == nullptr ? nullptr : new (memory) T(std::forward<Arguments>(arguments)...);
}

void threadEnded(void *thread) {
    const Undisturbed undisturbed;
    HandledCrash::settle();
    t_thread = nullptr;
    t_state = noLog;
    if (Process *process = runningProcess(); process != nullptr && process->isOwn())
        process->threadEnds(static_cast<Thread *>(thread));
}

/// The process that is being held, between the handlers around fork().
Process *s_held = nullptr;

void beforeFork() {
    Process *process = runningProcess();
    if (process == nullptr || !process->settings().libc || !process->isOwn())
        return;
    process->holdForFork();
    s_held = process;
}

void afterFork() {
    if (Process *process = std::exchange(s_held, nullptr))
        process->releaseAfterFork();
}

void inChild() {
    Process *parent = s_held;
    afterFork();
    new (&s_mutex) Mutex; // another thread of the parent may have been about to begin
    if (parent != nullptr) {
        parent->forgetInChild();
        s_parent = parent;
        s_parentThread = t_thread;
        t_thread = nullptr;
        t_state = unknown;
        ++s_generation;
        s_state.store(notBegun);
        return;
    }
    if (s_state.load() == notBegun)
        return;
    t_thread = nullptr;
    t_state = noLog;
    s_state.store(off);
}

/// Early: handlers of the program that run in the child before this one might find locks that nobody opens.
[[gnu::constructor]] void watchForks() { pthread_atfork(beforeFork, afterFork, inChild); }

/// A word that is true here, and false in each child from its first moment on, however it was made. nullptr if the system has
/// nothing of the kind.
const volatile bool *markParent() {
    auto *mark = static_cast<bool *>(newPages(static_cast<std::size_t>(sysconf(_SC_PAGESIZE))));
    if (mark == nullptr || madvise(mark, static_cast<std::size_t>(sysconf(_SC_PAGESIZE)), MADV_WIPEONFORK) != 0)
        return nullptr;
    *mark = true;
    return mark;
}

void begin() {
    const WithoutLog without;
    const Undisturbed undisturbed;
    Settings settings = s_parent == nullptr ? settingsFromEnvironment() : s_parent->settings();
    if (s_parent != nullptr)
        settings.parent = s_parent->pid();
    if (settings.folder[0] == '\0') {
        s_state.store(off);
        return;
    }
    auto *process = inPages<Process>(settings);
    const char *problem = process == nullptr ? "there is no memory" : process->start(s_parent);
    if (problem != nullptr) {
        char sentence[4352];
        std::snprintf(sentence, sizeof sentence, "nothing is recorded in %s: %s (%s); the job runs on.", settings.folder, problem,
                      std::strerror(errno));
        say(sentence);
        s_state.store(failed);
        return;
    }
    s_process = process;
    s_state.store(running, std::memory_order_release);
    // From here on the handlers find the process.
    takeFatalSignals();
    process->startReaders();
    startMonitor(*process);
    on_exit(
        [](int status, void *) {
            if (Process *own = runningProcess(); own != nullptr && own->isOwn())
                own->ended(EndKind::Exited, status & 0xFF);
        },
        nullptr);
}

} // namespace

ProcessLog *processLog() {
    if (t_isInVfork) {
        if (s_process != nullptr && !s_process->isOwn())
            return nullptr;
        t_isInVfork = false;
    }
    const int state = s_state.load(std::memory_order_acquire);
    if (state == running)
        return s_process->isInOwnMemory() ? s_process : nullptr;
    if (state != notBegun || t_state == noLog)
        return nullptr;
    const std::lock_guard lock(s_mutex);
    if (s_state.load(std::memory_order_acquire) == notBegun)
        begin();
    return s_state.load(std::memory_order_acquire) == running ? s_process : nullptr;
}

unsigned recordingGeneration() { return s_generation; }

void vforkBegins() { t_isInVfork = true; }

Process *runningProcess() { return s_state.load(std::memory_order_acquire) == running ? s_process : nullptr; }

bool recordingFailed() { return s_state.load() == failed; }

const char *Process::start(const Process *parent) {
    if (const char *problem = m_store.file.create(m_store.settings))
        return problem;
    if (m_store.settings.pool && !m_store.pool.begin(m_store.settings.eventBytes))
        return "there is no memory";
    CommandText text;
    bool isKnown = false;
    m_store.file.files().run([&] { isKnown = text.read(); });
    if (isKnown)
        m_store.definitions.commandLine(text.get());
    m_crash.prepare(m_store.file);
    m_hang.prepare(m_store.file);
    if (parent != nullptr)
        m_store.definitions.hideAs(parent->m_store.definitions);
    if (parent != nullptr && parent->m_store.hasUnwinder)
        m_store.unwinder.takeFrom(parent->m_store.unwinder);
    m_store.hasUnwinder = m_store.settings.stacks && (parent != nullptr ? parent->m_store.hasUnwinder : m_store.unwinder.load());
    if (parent == nullptr && m_store.settings.stacks && !m_store.hasUnwinder)
        say("libunwind.so.8 is not there: MPI calls are recorded without call stacks.");
    pthread_key_create(&m_key, threadEnded);
    m_isParent = markParent();
    return nullptr;
}

Thread *Process::threadIfAny() { return t_thread; }

bool Process::isOwn() const { return getpid() == m_ownPid; }

void Process::withoutLog() { t_state = noLog; }

ThreadLog *Process::thread() {
    if (t_thread != nullptr)
        return t_thread;
    Thread *made = t_state == unknown ? newThread() : nullptr;
    if (Thread *before = made == nullptr ? nullptr : std::exchange(s_parentThread, nullptr))
        made->takeOpenFunctions(*before); // in a child, its first thread goes on where the parent's was
    return made;
}

Thread *Process::newThread() {
    const WithoutLog without;
    const std::lock_guard lock(m_mutex);
    Thread *thread = nullptr;
    if (m_endedCount == keptEnded) {
        thread = m_ended[0];
        std::copy(m_ended + 1, m_ended + m_endedCount, m_ended);
        --m_endedCount;
        thread->begin(m_threadCount++);
    } else {
        thread = inPages<Thread>(m_store);
        if (thread == nullptr)
            return nullptr;
        thread->begin(m_threadCount++);
        thread->next = m_threads.load(std::memory_order_relaxed);
        m_threads.store(thread, std::memory_order_release);
    }
    pthread_setspecific(m_key, thread);
    t_thread = thread;
    return thread;
}

void Process::holdForFork() {
    m_store.unwinder.mutex().lock();
    m_store.definitions.mutex().lock();
}

void Process::releaseAfterFork() {
    m_store.definitions.mutex().unlock();
    m_store.unwinder.mutex().unlock();
}

void Process::threadEnds(Thread *thread) {
    thread->end();
    const std::lock_guard lock(m_mutex);
    if (m_endedCount < keptEnded)
        m_ended[m_endedCount++] = thread;
}

ThreadState *Process::describeSilent(std::int32_t tid, ThreadState *slot) {
    const std::lock_guard lock(m_mutex);
    if (slot == nullptr)
        slot = m_store.threads.take();
    if (slot == nullptr)
        return nullptr;
    const SlotWriting writing(*slot);
    if (slot->tid != tid) {
        slot->thread = m_threadCount++;
        slot->tid = tid;
    }
    slot->callPath = slot->lastCallPath = nothing;
    slot->since = now();
    return slot;
}

void Process::requestDone(std::uint64_t request) {
    const std::uint32_t communicator = m_store.requests.done(request);
    if (communicator != nothing)
        if (ThreadLog *log = thread())
            static_cast<Thread *>(log)->collectiveCompleted(communicator);
}

void Process::worldKnown(std::int32_t rank, std::int32_t size, std::uint32_t threadLevel) {
    FileHeader &header = m_store.file.header();
    publishField(header, HeaderField::WorldSize, header.worldSize, size);
    publishField(header, HeaderField::ThreadLevel, header.threadLevel, threadLevel);
    publishField(header, HeaderField::Rank, header.rank, rank);
    // Libraries that MPI brings along set handlers while they start, and the stack of a crash may lead through them.
    takeFatalSignals();
    m_store.definitions.defineLoadedModules();
}

void Process::aborts(std::int32_t status) {
    ended(EndKind::Exited, status & 0xFF);
    m_aborts.store(true);
}

Ticks Process::errorFound(const char *text, const char *function) {
    // Where the call is recorded, its place is known.
    auto *log = static_cast<Thread *>(thread());
    const bool isRecorded = log == nullptr || log->state().callPath != nothing;
    const std::uint32_t path = isRecorded ? nothing : log->callPath(m_store.definitions.operation(function), nothing);
    const std::lock_guard lock(m_errorMutex);
    FileHeader &header = m_store.file.header();
    publishField(header, HeaderField::Error, header.errorTicks, std::uint64_t{0});
    header.errorThread = t_thread == nullptr ? nothing : t_thread->number();
    header.errorPath = path == nothing ? 0 : path + 1;
    header.errorBytes = static_cast<std::uint32_t>(std::min(std::strlen(text), sizeof header.errorText));
    std::memcpy(header.errorText, text, header.errorBytes);
    const Ticks found = now();
    publishField(header, HeaderField::Error, header.errorTicks, found, errorState(header, found));
    return found;
}

void Process::errorHandled(Ticks found) {
    const std::lock_guard lock(m_errorMutex);
    FileHeader &header = m_store.file.header();
    if (header.errorTicks == found)
        publishField(header, HeaderField::Error, header.errorTicks, std::uint64_t{0});
}

void Process::exits(bool atOnce) {
    HandledCrash::processEnds();
    FileHeader &header = m_store.file.header();
    if (header.endKind != static_cast<std::uint32_t>(EndKind::StillOpen) || m_aborts.load() || m_exits.exchange(true))
        return;
    publishField(header, HeaderField::ExitKind, header.exitKind,
                 static_cast<std::uint32_t>(atOnce ? ExitKind::AtOnce : ExitKind::Normal));
    const Thread *thread = threadIfAny();
    m_crash.captureHere(thread == nullptr ? nothing : thread->number(), CaptureReason::Exit,
                        thread == nullptr ? 0 : thread->stackEnd(), m_store.file.files().isFiltered());
}

bool Process::signalsItself(int signal) {
    const FileHeader &header = m_store.file.header();
    if (header.endKind != static_cast<std::uint32_t>(EndKind::StillOpen) || m_aborts.load() || m_exits.load() ||
        m_signalsItself.exchange(true))
        return false;
    const Thread *thread = threadIfAny();
    ucontext_t context;
    if (getcontext(&context) == 0)
        m_crash.capture(thread == nullptr ? nothing : thread->number(), signal == SIGKILL ? signal : 0, nullptr, context,
                        thread == nullptr ? 0 : thread->stackEnd(), m_store.file.files().isFiltered(), CaptureReason::Asked);
    if (signal == SIGKILL)
        ended(EndKind::Signalled, signal);
    return true;
}

void Process::goesOnAfter(int signal) {
    const FileHeader &header = m_store.file.header();
    const bool isOwnEnd = header.endKind == static_cast<std::uint32_t>(EndKind::Signalled) && header.endValue == signal;
    if (isOwnEnd)
        ended(EndKind::StillOpen, 0);
    if (header.endKind == static_cast<std::uint32_t>(EndKind::StillOpen) && !m_exits.load())
        m_crash.withdraw();
    m_signalsItself.store(false);
}

void Process::ended(EndKind kind, std::int32_t value) {
    FileHeader &header = m_store.file.header();
    if (kind == EndKind::Exited)
        HandledCrash::processEnds();
    // Who ends the process in the handler of a fatal signal ends it by that signal.
    if (kind == EndKind::Exited && header.endKind == static_cast<std::uint32_t>(EndKind::Signalled))
        return;
    // What follows MPI_Abort, whichever way the library or the launcher do it, is its doing.
    if (m_aborts.load())
        return;
    if (kind == EndKind::Exited && header.exitKind == static_cast<std::uint32_t>(ExitKind::Unknown))
        publishField(header, HeaderField::ExitKind, header.exitKind,
                     static_cast<std::uint32_t>(ExitKind::Normal)); // nobody called for it: main has returned
    publishField(header, HeaderField::EndTicks, header.endTicks, kind == EndKind::StillOpen ? std::uint64_t{0} : now());
    publishField(header, HeaderField::EndValue, header.endValue, value);
    publishField(header, HeaderField::EndKind, header.endKind, static_cast<std::uint32_t>(kind));
}

} // namespace laggard::collect
