// SPDX-License-Identifier: GPL-3.0-or-later
#include "collect/store/FileLocks.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

namespace laggard::collect {

// "7: POSIX  ADVISORY  WRITE 4242 fe:00:1311 0 EOF", and behind it each that waits for it: "7: -> POSIX  ADVISORY  WRITE 4243 …".
// Who waits for one that waits itself stands further to the right. The process is -1 for locks of open files.
std::int32_t holderOfLock(const char *locks, std::int32_t waiter) {
    std::int32_t holder = 0;
    for (const char *next = locks; *next != '\0';) {
        char line[128]; // longer than any of them
        const std::size_t length = std::strcspn(next, "\n");
        std::snprintf(line, sizeof line, "%.*s", static_cast<int>(std::min(length, sizeof line - 1)), next);
        next += length + (next[length] == '\n' ? 1 : 0);
        int process = 0;
        if (std::sscanf(line, "%*d: -> %*15s %*15s %*15s %d", &process) == 1) {
            if (process == waiter)
                return holder > 0 && holder != waiter ? holder : 0;
        } else if (std::sscanf(line, "%*d: %*15s %*15s %*15s %d", &process) == 1) {
            holder = process;
        }
    }
    return 0;
}

} // namespace laggard::collect
