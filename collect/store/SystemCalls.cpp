// SPDX-License-Identifier: GPL-3.0-or-later
#include "collect/store/SystemCalls.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace laggard::collect {

long readFrom(int file, void *to, std::size_t bytes) { return syscall(SYS_read, file, to, bytes); }

namespace {

int openToRead(const char *path) { return static_cast<int>(syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC)); }

/// Whether this file of the system tells of a filter; closes it. True if it could not be opened.
bool tellsOfFilter(int file) {
    char text[4096];
    std::size_t length = 0;
    if (file >= 0) {
        for (ssize_t bytes = 0;
             length < sizeof text - 1 && (bytes = readFrom(file, text + length, sizeof text - 1 - length)) > 0;)
            length += static_cast<std::size_t>(bytes);
        syscall(SYS_close, file);
    }
    text[length] = '\0';
    const char *line = std::strstr(text, "\nSeccomp:");
    if (line == nullptr)
        return length == 0; // a system without such filters does not mention them
    return line[9 + std::strspn(line + 9, " \t")] != '0';
}

} // namespace

// To ask by prctl() might be what the filter kills for.
bool areSystemCallsFiltered() {
    const int error = errno;
    int file = openToRead("/proc/thread-self/status");
    if (file < 0)
        file = openToRead("/proc/self/status");
    const bool isFiltered = tellsOfFilter(file);
    errno = error;
    return isFiltered;
}

bool areSystemCallsFiltered(std::int32_t tid) {
    const int error = errno;
    char path[64];
    std::snprintf(path, sizeof path, "/proc/self/task/%d/status", tid);
    const bool isFiltered = tellsOfFilter(openToRead(path));
    errno = error;
    return isFiltered;
}

} // namespace laggard::collect
