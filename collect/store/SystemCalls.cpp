// SPDX-License-Identifier: GPL-3.0-or-later
#include "collect/store/SystemCalls.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

namespace laggard::collect {

// To ask by prctl() might be what the filter kills for.
bool areSystemCallsFiltered() {
    const int error = errno;
    char text[4096];
    std::size_t length = 0;
    int file = ::open("/proc/thread-self/status", O_RDONLY | O_CLOEXEC);
    if (file < 0)
        file = ::open("/proc/self/status", O_RDONLY | O_CLOEXEC);
    if (file >= 0) {
        for (ssize_t bytes = 0; length < sizeof text - 1 && (bytes = ::read(file, text + length, sizeof text - 1 - length)) > 0;)
            length += static_cast<std::size_t>(bytes);
        ::close(file);
    }
    text[length] = '\0';
    errno = error;
    const char *line = std::strstr(text, "\nSeccomp:");
    if (line == nullptr)
        return length == 0; // a system without such filters does not mention them
    return line[9 + std::strspn(line + 9, " \t")] != '0';
}

} // namespace laggard::collect
