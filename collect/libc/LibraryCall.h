// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "collect/libc/Originals.h"
#include "collect/store/ThreadLog.h"

#include <cerrno>
#include <sys/socket.h>

namespace laggard::collect {

/// A call of a function of the C library while it is made: begun in the recording before the function is called, ended when it
/// has returned. Neither changes errno. Where nothing can be recorded (in the recorder itself, in a child of vfork(), in a thread
/// that ends) it does nothing. A thread that is cancelled in the call, or a handler that leaves it by longjmp(), never ends it:
/// the thread's next call finds that out.
class LibraryCall {
  public:
    /// At most so many descriptors that were ready are recorded: what a handler's stack of a few KiB has room for.
    static constexpr std::size_t mostReady = 60;

    /// `caller`: return address of the wrapper. `descriptor`: -1 for none. `second`: another argument, as DescriptorPart has it.
    LibraryCall(LibcFunction function, const void *caller, int descriptor, std::int64_t second = 0);
    /// The same with an address: the peer's or, for bind, the own one.
    LibraryCall(LibcFunction function, const void *caller, int descriptor, std::int64_t second, const sockaddr *address,
                socklen_t bytes);
    /// A call of epoll_ctl.
    static LibraryCall ofWatched(LibcFunction function, const void *caller, int descriptor, int epoll, std::uint64_t word,
                                 bool isAdded);
    LibraryCall(const LibraryCall &) = delete;
    LibraryCall &operator=(const LibraryCall &) = delete;

    [[nodiscard]] bool isRecorded() const { return m_isOpen; }

    // What the call found, before it `returns`. All without effect on a call that is not recorded.
    void ready(int descriptor, std::uint32_t events) {
        if (m_isOpen && m_readyCount < mostReady)
            m_ready[m_readyCount++] = recording::pair(static_cast<std::uint32_t>(descriptor), events);
    }
    void readyWord(std::uint64_t word, std::uint32_t events) {
        if (m_isOpen && m_readyCount + 2U <= mostReady) {
            m_ready[m_readyCount++] = word;
            m_ready[m_readyCount++] = events;
            m_areWords = true;
        }
    }
    void address(const void *address, socklen_t bytes) {
        m_address = address;
        m_addressBytes = bytes;
    }
    void pair(int first, int second) {
        m_hasPair = true;
        m_pair = recording::pair(static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(second));
    }

    /// The function has returned this. Gives it back.
    template <typename T> T returns(T result) {
        if (m_isOpen)
            end(static_cast<std::int64_t>(result), result < T{0} ? errno : 0);
        return result;
    }
    /// Ends a call of a function that returns its error instead of setting errno.
    int returnsError(int error, std::int64_t result) {
        if (m_isOpen)
            end(error == 0 ? result : -1, error);
        return error;
    }
    /// Ends a call of a function that comes back elsewhere: what it returns is not known.
    void returnsUnknown() {
        if (m_isOpen)
            end(INT64_MIN, 0);
    }
    /// In the child, where fork() has returned 0.
    void returnsInChild(const void *caller);

  private:
    LibraryCall(LibcFunction function, const void *caller, const Part *parts, std::size_t count);
    void begin(LibcFunction function, const void *caller, std::span<const Part> parts);
    void end(std::int64_t result, int error);
    void endWithRest(const Part &outcome, Ticks returned, bool hasAddress);

    bool m_isOpen = false;
    bool m_areWords = false;
    bool m_hasPair = false;
    std::uint8_t m_readyCount = 0;
    socklen_t m_addressBytes = 0;
    const void *m_address = nullptr;
    std::uint64_t m_pair = 0;
    std::uint64_t m_ready[mostReady]; ///< the first m_readyCount
};

} // namespace laggard::collect
