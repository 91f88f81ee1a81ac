// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "collect/store/Mutex.h"

#include <atomic>
#include <cstdint>

namespace laggard::collect {

/// The thread of the recorder's own in which it opens files. A file takes the lowest number that is free, be it for a moment, and
/// what another thread of the program opens in that moment would get another number than without the recorder. No call opens a
/// file at a number that one asks for, but a thread may have a table of descriptors that is its own: numbers in it are nobody
/// else's, nothing is open in it that the program has closed, and memory that is mapped there is mapped for all.
class FileThread {
  public:
    FileThread() = default;
    ~FileThread() { stop(); }
    FileThread(const FileThread &) = delete;
    FileThread &operator=(const FileThread &) = delete;

    /// Once. Where system calls are filtered or the system makes no thread, all of this is done by those who ask for it.
    void start();
    /// It ends, and nothing is done by it any more.
    void stop();

    /// Does `work()` in that thread and waits for it, or does it at once, if there is no such thread, or it is the one that
    /// calls. Leaves errno as the work left it. False, with errno, if the thread has died over it. Any thread may call it, where
    /// it may wait for a mutex of the recorder.
    template <typename Work> bool run(Work work) {
        return runErased([](void *given) { (*static_cast<Work *>(given))(); }, &work);
    }

    /// It is this one: none of the program's.
    [[nodiscard]] bool is(std::int32_t tid) const { return tid == m_tid.load(); }

    /// True if a filter of system calls is installed for the calling thread, or that cannot be told.
    [[nodiscard]] bool isFiltered();
    /// … for another one.
    [[nodiscard]] bool isFiltered(std::int32_t tid);

  private:
    enum Step : std::uint32_t { ready, asked, absent, dead };
    bool runErased(void (*work)(void *), void *argument);
    [[nodiscard]] Step ask(void (*work)(void *), void *argument);
    void serve();
    void advance(Step step);
    [[nodiscard]] bool waitWhile(std::uint32_t step, std::int64_t seconds) const;
    [[nodiscard]] bool isAlive() const;

    Mutex m_mutex; ///< of those who ask
    std::atomic<std::uint32_t> m_step{absent};
    std::atomic<std::int32_t> m_tid{0};
    void (*m_work)(void *) = nullptr; ///< nullptr: the thread is to end
    void *m_argument = nullptr;
    int m_error = 0;
};

} // namespace laggard::collect
