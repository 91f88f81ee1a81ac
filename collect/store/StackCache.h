// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "collect/store/Definitions.h"

namespace laggard::collect {

/// libunwind, loaded beside the program: linked, its own C++ exception handling would take the place of the program's.
class Unwinder {
  public:
    /// False if the library is not there.
    bool load();
    /// As the one of the process that this one was forked from, in which it is loaded.
    void takeFrom(const Unwinder &parent);
    /// Nobody unwinds while it is held: libunwind has locks and caches, which a child must not find in use.
    [[nodiscard]] Mutex &mutex() const { return m_mutex; }
    /// Return addresses of the calling thread, innermost first, and the places on the stack that hold them (nullptr where that is
    /// not known).
    void unwind(void *context, StackFrames &frames, const std::uintptr_t **places) const;
    /// Code was unloaded.
    void forget() const;

  private:
    mutable Mutex m_mutex;
    void *m_initLocal = nullptr;
    void *m_step = nullptr;
    void *m_register = nullptr;
    void *m_isSignalFrame = nullptr;
    void *m_saveLocation = nullptr;
    void *m_flush = nullptr;
    void *m_addressSpace = nullptr;
};

/// Call paths of one thread. A stack is unwound once; then the places of its return addresses are remembered with what was in
/// them, and a stack that begins at the same place and has the same addresses there is the same. (Frame sizes follow from the
/// code, but for alloca.)
class StackCache {
  public:
    void begin(Definitions &definitions, const Unwinder &unwinder);
    /// Path of the operation at the place where the thread is.
    [[nodiscard]] std::uint32_t find(std::uint32_t operation, std::uint32_t datatype);

  private:
    struct Entry;
    [[nodiscard]] std::uint32_t unwind(std::uint32_t operation, std::uint32_t datatype, const std::uintptr_t *base,
                                       std::size_t bucket, void *context);
    void clear();

    static constexpr std::size_t bucketCount = 512;
    static constexpr std::size_t poolBytes = std::size_t{256} << 10U;
    Definitions *m_definitions = nullptr;
    const Unwinder *m_unwinder = nullptr;
    Entry **m_buckets = nullptr;
    char *m_pool = nullptr;
    std::size_t m_used = 0;
    std::uint32_t m_generation = 0;
};

} // namespace laggard::collect
