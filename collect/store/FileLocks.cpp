// SPDX-License-Identifier: GPL-3.0-or-later
#include "collect/store/FileLocks.h"

#include <cstdio>
#include <cstring>

namespace laggard::collect {

// "7: POSIX  ADVISORY  WRITE 4242 fe:00:1311 0 EOF", and behind it each that waits for it: "7: -> POSIX  ADVISORY  WRITE 4243 …".
// Who waits for one that waits itself stands further to the right. The process is -1 for locks of open files.
std::int32_t holderOfLock(const char *locks, std::int32_t waiter) {
    std::int32_t holder = 0;
    for (const char *line = locks; line != nullptr && *line != '\0';) {
        const char *end = std::strchr(line, '\n');
        const char *text = std::strchr(line, ':');
        if (text == nullptr || (end != nullptr && text > end))
            return 0;
        text += 1 + std::strspn(text + 1, " ");
        const bool waits = std::strncmp(text, "->", 2) == 0;
        int process = 0;
        if (std::sscanf(waits ? text + 2 : text, " %*15s %*15s %*15s %d", &process) == 1) {
            if (waits && process == waiter)
                return holder > 0 && holder != waiter ? holder : 0;
            if (!waits)
                holder = process;
        }
        line = end == nullptr ? nullptr : end + 1;
    }
    return 0;
}

} // namespace laggard::collect
