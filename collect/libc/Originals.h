// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>

namespace laggard::collect {

/// The functions that are wrapped, with the name by which their calls are recorded. Those with "__" and "_chk" are what programs
/// call that are compiled with _FORTIFY_SOURCE.
// clang-format off
#define LAGGARD_LIBC_FUNCTIONS(X)                                                                                                \
    X(accept, accept) X(accept4, accept4) X(bind, bind) X(close, close) X(connect, connect) X(creat, creat) X(creat64, creat)    \
    X(dup, dup) X(dup2, dup2) X(dup3, dup3) X(epoll_create, epoll_create) X(epoll_create1, epoll_create1)                        \
    X(epoll_ctl, epoll_ctl) X(epoll_pwait, epoll_pwait) X(epoll_pwait2, epoll_pwait2) X(epoll_wait, epoll_wait) X(fork, fork)    \
    X(listen, listen) X(open, open) X(open64, open) X(openat, openat) X(openat64, openat) X(pipe, pipe) X(pipe2, pipe2)          \
    X(poll, poll) X(ppoll, ppoll) X(posix_spawn, posix_spawn) X(posix_spawnp, posix_spawnp) X(pselect, pselect) X(read, read)    \
    X(readv, readv) X(recv, recv) X(recvfrom, recvfrom) X(recvmmsg, recvmmsg) X(recvmsg, recvmsg) X(select, select) X(send, send)\
    X(sendfile, sendfile) X(sendfile64, sendfile) X(sendmmsg, sendmmsg) X(sendmsg, sendmsg) X(sendto, sendto)                    \
    X(shutdown, shutdown) X(socket, socket) X(socketpair, socketpair) X(vfork, vfork) X(wait, wait) X(wait3, wait3)              \
    X(wait4, wait4) X(waitid, waitid) X(waitpid, waitpid) X(write, write) X(writev, writev)                                      \
    X(__open_2, open) X(__open64_2, open) X(__openat_2, openat) X(__openat64_2, openat) X(__poll_chk, poll)                      \
    X(__ppoll_chk, ppoll) X(__read_chk, read) X(__recv_chk, recv) X(__recvfrom_chk, recvfrom)
/// Those that the recorder wraps anyway (collect/store/Interposed.cpp).
#define LAGGARD_HOOKED_FUNCTIONS(X)                                                                                              \
    X(_exit) X(execv) X(execve) X(execvp) X(execvpe) X(exit) X(fexecve) X(kill) X(killpg) X(quick_exit)
// clang-format on

enum class LibcFunction : std::uint8_t {
#define LAGGARD_LIBC_NUMBER(name, shown) name,
    LAGGARD_LIBC_FUNCTIONS(LAGGARD_LIBC_NUMBER)
#undef LAGGARD_LIBC_NUMBER
        firstHooked,
#define LAGGARD_HOOKED_NUMBER(name) hooked_##name,
    LAGGARD_HOOKED_FUNCTIONS(LAGGARD_HOOKED_NUMBER)
#undef LAGGARD_HOOKED_NUMBER
        count
};

/// Name under which its calls are recorded.
[[nodiscard]] const char *recordedName(LibcFunction function);
/// The hooked function of this name; `count` if there is none.
[[nodiscard]] LibcFunction hookedFunction(const char *name);

/// The function behind the wrapper: that of the C library, or of what else is preloaded. All are looked up at once, by the first
/// call of any, which may come before the recorder's constructors. nullptr: the library does not have it, or looking them up has
/// called it.
[[nodiscard]] void *originalOf(LibcFunction function);

/// The same with its type.
#define LAGGARD_ORIGINAL(name)                                                                                                   \
    reinterpret_cast<decltype(&::name)>(laggard::collect::originalOf(laggard::collect::LibcFunction::name))

} // namespace laggard::collect
