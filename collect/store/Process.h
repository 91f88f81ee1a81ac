// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "collect/store/Capture.h"
#include "collect/store/Mutex.h"
#include "collect/store/PoolReaders.h"
#include "collect/store/Thread.h"

#include <mutex>
#include <pthread.h>
#include <unistd.h>

namespace laggard::collect {

/// The recording of this process: see ThreadLog.h.
class Process final : public ProcessLog {
  public:
    explicit Process(const Settings &settings) : m_store(settings) {}
    /// Makes the file, starts the monitor thread, sets the handlers. Returns nullptr, or what failed, with errno.
    [[nodiscard]] const char *start(const Process *parent);

    ThreadLog *thread() override;
    bool takesFingerprints() const override { return m_store.settings.takesFingerprints(); }
    std::uint32_t defineOperation(const char *name) override { return m_store.definitions.operation(name); }
    std::uint32_t defineDatatype(std::uint64_t bytes, const char *name, std::uint32_t basic) override {
        return m_store.definitions.datatype(bytes, name, basic);
    }
    std::uint32_t defineWindow(std::uint64_t key, std::uint32_t communicator) override {
        return m_store.definitions.window(key, communicator);
    }
    std::uint32_t defineGroup(std::span<const std::uint32_t> members) override { return m_store.definitions.group(members); }
    std::uint32_t defineCommunicator(std::uint64_t key, std::uint32_t parent, std::uint32_t flags, std::uint32_t ownRank,
                                     std::span<const std::uint32_t> members) override {
        return m_store.definitions.communicator(key, parent, flags, ownRank, members);
    }
    std::uint32_t defineScript(const char *name, const char *file, std::uint32_t line) override {
        return m_store.definitions.script(name, file, line);
    }
    void hideInterpreter(const void *code, const char *part) override { m_store.definitions.hideInterpreter(code, part); }
    void nameCommunicator(std::uint32_t communicator, const char *name) override {
        m_store.definitions.nameCommunicator(communicator, name);
    }
    std::uint64_t newRequest() override { return m_store.requests.newNumber(); }
    void requestPosted(std::uint64_t request, const Part &part, std::uint32_t path, Ticks when) override {
        m_store.requests.posted(request, part, path, when);
    }
    void requestDone(std::uint64_t request) override;
    void clockOffset(std::uint64_t time, std::int64_t offset, std::uint64_t roundTrip) override {
        m_store.definitions.clockOffset(time, offset, roundTrip);
    }
    void worldKnown(std::int32_t rank, std::int32_t size, std::uint32_t threadLevel) override;
    void finalized() override {
        recording::FileHeader &header = m_store.file.header();
        publishField(header, recording::HeaderField::Finalized, header.finalized, std::uint32_t{1});
    }
    void aborts(std::int32_t status) override;
    Ticks errorFound(const char *text, const char *function) override;
    void errorHandled(Ticks found) override;

    /// The log of the calling thread if it has one already. Async-signal-safe.
    [[nodiscard]] static Thread *threadIfAny();
    /// True in the process that the file belongs to; false in its children.
    [[nodiscard]] bool isOwn() const;
    /// The same at no cost; but true in a child that still shares the memory (vfork()).
    [[nodiscard]] bool isInOwnMemory() const { return m_isParent == nullptr || *m_isParent; }
    /// How the process ended, or that it did not after all.
    void ended(recording::EndKind kind, std::int32_t value);
    /// The calling thread calls exit() or, `atOnce`, _exit(): from where is recorded. The first such call counts.
    void exits(bool atOnce);
    /// The calling thread is about to send a signal to its own process that nobody can handle: from where is recorded. SIGKILL
    /// ends the process by it, others stop it. False if it is not: another thread has ended the process already, or is at this.
    [[nodiscard]] bool signalsItself(int signal);
    /// The process has gone on after such a signal.
    void goesOnAfter(int signal);
    void threadEnds(Thread *thread);
    /// Around fork(): the child finds nothing of this in the midst of a change that it takes over.
    void holdForFork();
    void releaseAfterFork();
    /// In the child: what the C library would call of this when a thread ends.
    void forgetInChild() { pthread_key_delete(m_key); }
    [[nodiscard]] pid_t pid() const { return m_ownPid; }
    /// Describes a thread that records nothing, in `slot` or, if that is nullptr, in a new one. nullptr if there is no room.
    [[nodiscard]] recording::ThreadState *describeSilent(std::int32_t tid, recording::ThreadState *slot);
    /// The calling thread has no log, now and later.
    static void withoutLog();

    [[nodiscard]] MappedFile &file() { return m_store.file; }
    /// The readers of the pool begin, if there is a pool.
    void startReaders() {
        if (m_store.settings.pool)
            m_readers.start(m_store, m_store.settings.poolReaders);
    }
    [[nodiscard]] PoolReaders &readers() { return m_readers; }
    void monitorIs(std::int32_t tid) { m_monitor.store(tid); }
    /// Whether this is a thread of the recorder's own.
    [[nodiscard]] bool isRecorders(std::int32_t tid) {
        return tid == m_monitor.load() || m_store.file.files().is(tid) || m_readers.contain(tid);
    }
    [[nodiscard]] Definitions &definitions() { return m_store.definitions; }
    [[nodiscard]] const Settings &settings() const { return m_store.settings; }
    [[nodiscard]] CrashChunk &crashChunk() { return m_crash; }
    [[nodiscard]] CrashChunk &hangChunk() { return m_hang; }
    /// The threads that have a log, newest first, by `next`.
    [[nodiscard]] Thread *threads() { return m_threads.load(std::memory_order_acquire); }

  private:
    [[nodiscard]] Thread *newThread();

    Store m_store;
    PoolReaders m_readers;
    std::atomic<std::int32_t> m_monitor{0};
    pid_t m_ownPid = getpid();
    const volatile bool *m_isParent = nullptr; ///< the system forgets it in children; nullptr where it cannot
    std::atomic<bool> m_aborts{false};
    std::atomic<bool> m_exits{false};
    std::atomic<bool> m_signalsItself{false};
    Mutex m_errorMutex;
    CrashChunk m_crash;
    CrashChunk m_hang;
    Mutex m_mutex;
    std::atomic<Thread *> m_threads{nullptr};
    std::uint32_t m_threadCount = 0;
    /// Threads that have ended. So many stay as they were; then the oldest one's memory is used again.
    static constexpr std::size_t keptEnded = 64;
    Thread *m_ended[keptEnded] = {};
    std::size_t m_endedCount = 0;
    pthread_key_t m_key = 0;
};

/// The process's recording if it has begun; else nullptr. Does not begin it.
[[nodiscard]] Process *runningProcess();
/// True in a process in which a recording was wanted, but could not begin.
[[nodiscard]] bool recordingFailed();

} // namespace laggard::collect
