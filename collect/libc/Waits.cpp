// SPDX-License-Identifier: GPL-3.0-or-later
// Waits for several descriptors, by which event loops are known.
#include "collect/libc/Wrapper.h"

#include <bit>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/select.h>

using namespace laggard::collect;

extern "C" {
// What programs call that are compiled with _FORTIFY_SOURCE; no header declares them.
int __poll_chk(pollfd *, nfds_t, int, std::size_t);                                 // NOLINT: the C library's names
int __ppoll_chk(pollfd *, nfds_t, const timespec *, const sigset_t *, std::size_t); // NOLINT
}

namespace {

/// The descriptors in a set. Its size is that of FD_SETSIZE only where the program has made it so: there may be more, and the
/// macros that the header has would end the program.
void addReady(LibraryCall &call, int count, const fd_set *set, short events) {
    constexpr int bits = 8 * sizeof(unsigned long);
    if (set == nullptr)
        return;
    const auto *words = reinterpret_cast<const unsigned long *>(set);
    for (int base = 0; base < count; base += bits) {
        unsigned long word = words[base / bits];
        if (count - base < bits)
            word &= (1UL << static_cast<unsigned>(count - base)) - 1;
        for (; word != 0; word &= word - 1)
            call.ready(base + std::countr_zero(word), static_cast<std::uint32_t>(events));
    }
}

void addReady(LibraryCall &call, int result, int count, const fd_set *readable, const fd_set *writable,
              const fd_set *exceptional) {
    if (result <= 0 || !call.isRecorded())
        return;
    addReady(call, count, readable, POLLIN);
    addReady(call, count, writable, POLLOUT);
    addReady(call, count, exceptional, POLLPRI);
}

void addReady(LibraryCall &call, int result, const pollfd *descriptors, nfds_t count) {
    for (nfds_t i = 0; result > 0 && call.isRecorded() && i < count; ++i)
        if (descriptors[i].revents != 0)
            call.ready(descriptors[i].fd, static_cast<std::uint16_t>(descriptors[i].revents));
}

void addReady(LibraryCall &call, int result, const epoll_event *events) {
    for (int i = 0; i < result; ++i)
        call.readyWord(events[i].data.u64, events[i].events);
}

} // namespace

LAGGARD_WRAPPER int select(int count, fd_set *__restrict readable, fd_set *__restrict writable, fd_set *__restrict exceptional,
                           timeval *__restrict timeout) {
    LAGGARD_REAL(select)
    LAGGARD_CALL(select, -1, count);
    const int result = real(count, readable, writable, exceptional, timeout);
    addReady(call, result, count, readable, writable, exceptional);
    return call.returns(result);
}
LAGGARD_WRAPPER int pselect(int count, fd_set *__restrict readable, fd_set *__restrict writable, fd_set *__restrict exceptional,
                            const timespec *__restrict timeout, const sigset_t *__restrict mask) {
    LAGGARD_REAL(pselect)
    LAGGARD_CALL(pselect, -1, count);
    const int result = real(count, readable, writable, exceptional, timeout, mask);
    addReady(call, result, count, readable, writable, exceptional);
    return call.returns(result);
}
LAGGARD_WRAPPER int poll(pollfd *descriptors, nfds_t count, int timeout) {
    LAGGARD_REAL(poll)
    LAGGARD_CALL(poll, -1, static_cast<std::int64_t>(count));
    const int result = real(descriptors, count, timeout);
    addReady(call, result, descriptors, count);
    return call.returns(result);
}
LAGGARD_WRAPPER int __poll_chk(pollfd *descriptors, nfds_t count, int timeout, std::size_t room) {
    LAGGARD_REAL(__poll_chk)
    LAGGARD_CALL(__poll_chk, -1, static_cast<std::int64_t>(count));
    const int result = real(descriptors, count, timeout, room);
    addReady(call, result, descriptors, count);
    return call.returns(result);
}
LAGGARD_WRAPPER int ppoll(pollfd *descriptors, nfds_t count, const timespec *timeout, const sigset_t *mask) {
    LAGGARD_REAL(ppoll)
    LAGGARD_CALL(ppoll, -1, static_cast<std::int64_t>(count));
    const int result = real(descriptors, count, timeout, mask);
    addReady(call, result, descriptors, count);
    return call.returns(result);
}
LAGGARD_WRAPPER int __ppoll_chk(pollfd *descriptors, nfds_t count, const timespec *timeout, const sigset_t *mask,
                                std::size_t room) {
    LAGGARD_REAL(__ppoll_chk)
    LAGGARD_CALL(__ppoll_chk, -1, static_cast<std::int64_t>(count));
    const int result = real(descriptors, count, timeout, mask, room);
    addReady(call, result, descriptors, count);
    return call.returns(result);
}

LAGGARD_WRAPPER int epoll_create(int size) noexcept {
    LAGGARD_REAL(epoll_create)
    LAGGARD_CALL(epoll_create, -1, size);
    return call.returns(real(size));
}
LAGGARD_WRAPPER int epoll_create1(int flags) noexcept {
    LAGGARD_REAL(epoll_create1)
    LAGGARD_CALL(epoll_create1, -1);
    return call.returns(real(flags));
}
LAGGARD_WRAPPER int epoll_ctl(int epoll, int operation, int descriptor, epoll_event *event) noexcept {
    LAGGARD_REAL(epoll_ctl)
    const bool isAdded = operation != EPOLL_CTL_DEL;
    LibraryCall call = LibraryCall::ofWatched(LibcFunction::epoll_ctl, __builtin_return_address(0), descriptor, epoll,
                                              isAdded && event != nullptr ? event->data.u64 : 0, isAdded);
    return call.returns(real(epoll, operation, descriptor, event));
}
LAGGARD_WRAPPER int epoll_wait(int epoll, epoll_event *events, int count, int timeout) {
    LAGGARD_REAL(epoll_wait)
    LAGGARD_CALL(epoll_wait, epoll, count);
    const int result = real(epoll, events, count, timeout);
    addReady(call, result, events);
    return call.returns(result);
}
LAGGARD_WRAPPER int epoll_pwait(int epoll, epoll_event *events, int count, int timeout, const sigset_t *mask) {
    LAGGARD_REAL(epoll_pwait)
    LAGGARD_CALL(epoll_pwait, epoll, count);
    const int result = real(epoll, events, count, timeout, mask);
    addReady(call, result, events);
    return call.returns(result);
}
LAGGARD_WRAPPER int epoll_pwait2(int epoll, epoll_event *events, int count, const timespec *timeout, const sigset_t *mask) {
    LAGGARD_REAL(epoll_pwait2)
    LAGGARD_CALL(epoll_pwait2, epoll, count);
    const int result = real(epoll, events, count, timeout, mask);
    addReady(call, result, events);
    return call.returns(result);
}
