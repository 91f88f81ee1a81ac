// SPDX-License-Identifier: GPL-3.0-or-later
#include "collect/store/SystemCalls.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace laggard::collect {

long readFrom(int file, void *to, std::size_t bytes) { return syscall(SYS_read, file, to, bytes); }

// To ask by prctl() might be what the filter kills for.
bool areSystemCallsFiltered() {
    const int error = errno;
    char text[4096];
    std::size_t length = 0;
    const auto open = [](const char *path) {
        return static_cast<int>(syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC));
    };
    int file = open("/proc/thread-self/status");
    if (file < 0)
        file = open("/proc/self/status");
    if (file >= 0) {
        for (ssize_t bytes = 0;
             length < sizeof text - 1 && (bytes = readFrom(file, text + length, sizeof text - 1 - length)) > 0;)
            length += static_cast<std::size_t>(bytes);
        syscall(SYS_close, file);
    }
    text[length] = '\0';
    errno = error;
    const char *line = std::strstr(text, "\nSeccomp:");
    if (line == nullptr)
        return length == 0; // a system without such filters does not mention them
    return line[9 + std::strspn(line + 9, " \t")] != '0';
}

} // namespace laggard::collect
