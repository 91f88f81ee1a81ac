// SPDX-License-Identifier: GPL-3.0-or-later
// Descriptors of any kind: opened, read, written, doubled, closed.
#include "collect/libc/Wrapper.h"
#include "collect/store/Undisturbed.h"

#include <algorithm>
#include <cstdarg>
#include <fcntl.h>
#include <sys/sendfile.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

using namespace laggard::collect;

extern "C" {
// What programs call that are compiled with _FORTIFY_SOURCE; no header declares them.
ssize_t __read_chk(int, void *, std::size_t, std::size_t); // NOLINT: the C library's names
int __open_2(const char *, int);                           // NOLINT
int __open64_2(const char *, int);                         // NOLINT
int __openat_2(int, const char *, int);                    // NOLINT
int __openat64_2(int, const char *, int);                  // NOLINT
}

namespace {

bool takesMode(int flags) { return (flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE; }

std::int64_t bytesIn(const iovec *pieces, int count) {
    std::int64_t bytes = 0;
    for (int i = 0; pieces != nullptr && i < std::min(count, 1024); ++i) // IOV_MAX: with more the system refuses
        bytes += static_cast<std::int64_t>(pieces[i].iov_len);
    return bytes;
}

/// The system's own call, for the few functions that an allocator may call while the others are looked up: the loader's memory
/// may come from it.
template <typename... Arguments> long system(long number, Arguments... arguments) { return syscall(number, arguments...); }

} // namespace

#define LAGGARD_MODE_OF(flags)                                                                                                   \
    mode_t mode = 0;                                                                                                             \
    if (takesMode(flags)) {                                                                                                      \
        va_list rest;                                                                                                            \
        va_start(rest, flags);                                                                                                   \
        mode = va_arg(rest, mode_t);                                                                                             \
        va_end(rest);                                                                                                            \
    }

LAGGARD_WRAPPER int open(const char *path, int flags, ...) {
    LAGGARD_MODE_OF(flags)
    const auto real = LAGGARD_ORIGINAL(open);
    if (real == nullptr)
        return static_cast<int>(system(SYS_openat, AT_FDCWD, path, flags, mode));
    LAGGARD_CALL(open, -1, flags);
    return call.returns(real(path, flags, mode));
}
LAGGARD_WRAPPER int open64(const char *path, int flags, ...) {
    LAGGARD_MODE_OF(flags)
    const auto real = LAGGARD_ORIGINAL(open64);
    if (real == nullptr)
        return static_cast<int>(system(SYS_openat, AT_FDCWD, path, flags | O_LARGEFILE, mode));
    LAGGARD_CALL(open64, -1, flags);
    return call.returns(real(path, flags, mode));
}
LAGGARD_WRAPPER int openat(int folder, const char *path, int flags, ...) {
    LAGGARD_MODE_OF(flags)
    const auto real = LAGGARD_ORIGINAL(openat);
    if (real == nullptr)
        return static_cast<int>(system(SYS_openat, folder, path, flags, mode));
    LAGGARD_CALL(openat, -1, flags);
    return call.returns(real(folder, path, flags, mode));
}
LAGGARD_WRAPPER int openat64(int folder, const char *path, int flags, ...) {
    LAGGARD_MODE_OF(flags)
    const auto real = LAGGARD_ORIGINAL(openat64);
    if (real == nullptr)
        return static_cast<int>(system(SYS_openat, folder, path, flags | O_LARGEFILE, mode));
    LAGGARD_CALL(openat64, -1, flags);
    return call.returns(real(folder, path, flags, mode));
}
LAGGARD_WRAPPER int __open_2(const char *path, int flags) {
    LAGGARD_REAL(__open_2)
    LAGGARD_CALL(__open_2, -1, flags);
    return call.returns(real(path, flags));
}
LAGGARD_WRAPPER int __open64_2(const char *path, int flags) {
    LAGGARD_REAL(__open64_2)
    LAGGARD_CALL(__open64_2, -1, flags);
    return call.returns(real(path, flags));
}
LAGGARD_WRAPPER int __openat_2(int folder, const char *path, int flags) {
    LAGGARD_REAL(__openat_2)
    LAGGARD_CALL(__openat_2, -1, flags);
    return call.returns(real(folder, path, flags));
}
LAGGARD_WRAPPER int __openat64_2(int folder, const char *path, int flags) {
    LAGGARD_REAL(__openat64_2)
    LAGGARD_CALL(__openat64_2, -1, flags);
    return call.returns(real(folder, path, flags));
}
LAGGARD_WRAPPER int creat(const char *path, mode_t mode) {
    LAGGARD_REAL(creat)
    LAGGARD_CALL(creat, -1);
    return call.returns(real(path, mode));
}
LAGGARD_WRAPPER int creat64(const char *path, mode_t mode) {
    LAGGARD_REAL(creat64)
    LAGGARD_CALL(creat64, -1);
    return call.returns(real(path, mode));
}

LAGGARD_WRAPPER int close(int descriptor) {
    const auto real = LAGGARD_ORIGINAL(close);
    if (real == nullptr)
        return static_cast<int>(system(SYS_close, descriptor));
    LAGGARD_CALL(close, descriptor);
    return call.returns(real(descriptor));
}

LAGGARD_WRAPPER ssize_t read(int descriptor, void *to, std::size_t bytes) {
    const auto real = LAGGARD_ORIGINAL(read);
    if (real == nullptr)
        return system(SYS_read, descriptor, to, bytes);
    LAGGARD_CALL(read, descriptor, static_cast<std::int64_t>(bytes));
    return call.returns(real(descriptor, to, bytes));
}
LAGGARD_WRAPPER ssize_t __read_chk(int descriptor, void *to, std::size_t bytes, std::size_t room) {
    LAGGARD_REAL(__read_chk)
    LAGGARD_CALL(__read_chk, descriptor, static_cast<std::int64_t>(bytes));
    return call.returns(real(descriptor, to, bytes, room));
}
LAGGARD_WRAPPER ssize_t readv(int descriptor, const iovec *pieces, int count) {
    LAGGARD_REAL(readv)
    LAGGARD_CALL(readv, descriptor, bytesIn(pieces, count));
    return call.returns(real(descriptor, pieces, count));
}
LAGGARD_WRAPPER ssize_t write(int descriptor, const void *from, std::size_t bytes) {
    const auto real = LAGGARD_ORIGINAL(write);
    if (real == nullptr)
        return system(SYS_write, descriptor, from, bytes);
    LAGGARD_CALL(write, descriptor, static_cast<std::int64_t>(bytes));
    return call.returns(real(descriptor, from, bytes));
}
LAGGARD_WRAPPER ssize_t writev(int descriptor, const iovec *pieces, int count) {
    LAGGARD_REAL(writev)
    LAGGARD_CALL(writev, descriptor, bytesIn(pieces, count));
    return call.returns(real(descriptor, pieces, count));
}
LAGGARD_WRAPPER ssize_t sendfile(int to, int from, off_t *offset, std::size_t bytes) noexcept {
    LAGGARD_REAL(sendfile)
    LAGGARD_CALL(sendfile, to, static_cast<std::int64_t>(bytes));
    return call.returns(real(to, from, offset, bytes));
}
LAGGARD_WRAPPER ssize_t sendfile64(int to, int from, off64_t *offset, std::size_t bytes) noexcept {
    LAGGARD_REAL(sendfile64)
    LAGGARD_CALL(sendfile64, to, static_cast<std::int64_t>(bytes));
    return call.returns(real(to, from, offset, bytes));
}

LAGGARD_WRAPPER int dup(int descriptor) noexcept {
    LAGGARD_REAL(dup)
    LAGGARD_CALL(dup, descriptor);
    return call.returns(real(descriptor));
}
LAGGARD_WRAPPER int dup2(int descriptor, int wanted) noexcept {
    LAGGARD_REAL(dup2)
    LAGGARD_CALL(dup2, descriptor, wanted);
    return call.returns(real(descriptor, wanted));
}
LAGGARD_WRAPPER int dup3(int descriptor, int wanted, int flags) noexcept {
    LAGGARD_REAL(dup3)
    LAGGARD_CALL(dup3, descriptor, wanted);
    return call.returns(real(descriptor, wanted, flags));
}
LAGGARD_WRAPPER int pipe(int ends[2]) noexcept {
    LAGGARD_REAL(pipe)
    LAGGARD_CALL(pipe, -1);
    const int result = real(ends);
    if (result == 0)
        call.pair(ends[0], ends[1]);
    return call.returns(result);
}
LAGGARD_WRAPPER int pipe2(int ends[2], int flags) noexcept {
    LAGGARD_REAL(pipe2)
    // libunwind, in the recorder's work: it would keep a pipe open that it never uses (collect/store/StackCache.cpp), and all
    // descriptors of the program would have other numbers.
    if (Undisturbed::isHeld()) {
        errno = ENFILE;
        return -1;
    }
    LAGGARD_CALL(pipe2, -1);
    const int result = real(ends, flags);
    if (result == 0)
        call.pair(ends[0], ends[1]);
    return call.returns(result);
}
