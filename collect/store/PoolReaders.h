// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <cstdint>

namespace laggard::collect {

struct Store;

/// The readers of a process's pool (thesis §6.3.2): threads of the recorder's own that write what is in written sub-buffers to
/// the end of the recording, and free them. One that has died is replaced, and what it was reading is read again.
class PoolReaders {
  public:
    /// `count` of them, at most `most`.
    void start(Store &store, std::uint32_t count);
    /// Whether it is one of them: none of the program's threads.
    [[nodiscard]] bool contain(std::int32_t tid) const;
    /// From time to time, by one thread: replaces those that have died.
    void keep();

    static constexpr std::uint32_t most = 8;

  private:
    struct Reader {
        Store *store = nullptr;
        std::atomic<std::int32_t> thread{0}; ///< the system's number; 0: there is none, -1: it is beginning
    };
    static void begin(Reader &reader);
    static void read(void *reader);

    Reader m_readers[most];
    std::uint32_t m_count = 0;
};

} // namespace laggard::collect
