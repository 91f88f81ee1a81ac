// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace laggard::collect {

/// Of the system's list of file locks (proc(5), /proc/locks; ended by '\0'), the process that has the lock which `waiter` waits
/// for; 0 if it waits for none, or the list does not tell. The list is in the numbers of this process's pid namespace.
[[nodiscard]] std::int32_t holderOfLock(const char *locks, std::int32_t waiter);

} // namespace laggard::collect
