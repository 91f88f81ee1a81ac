// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>

namespace laggard::collect {

/// As read(), which a program may have made a function of its own that announces itself: the recorder must not come in again.
long readFrom(int file, void *to, std::size_t bytes);

/// True if a filter of system calls (seccomp) is installed for the calling thread, or that cannot be told: it may kill the
/// program for a call that is out of the ordinary. Async-signal-safe; keeps errno. Opens a file: see FileThread.
[[nodiscard]] bool areSystemCallsFiltered();
/// … for another thread of this process.
[[nodiscard]] bool areSystemCallsFiltered(std::int32_t tid);

} // namespace laggard::collect
