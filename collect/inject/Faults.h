// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "collect/inject/Spec.h"

#include <cstdint>

namespace laggard::collect {

/// What a fault does to the thread or process that it strikes (AutomaDeD §5.1). InfiniteLoop does not return.
void loopFor(double seconds);
[[noreturn]] void loopForever();
/// A thread that counts for ever. False: there is no room for it.
[[nodiscard]] bool startCpuThread();
/// A thread that reads and writes random words of `bytes` of memory for ever.
[[nodiscard]] bool startMemoryThread(std::uint64_t bytes);

/// CPU time of this thread, in nanoseconds.
[[nodiscard]] std::uint64_t threadCpuTime();
/// Works until this thread has used so much more of it.
void burnCpuTime(std::uint64_t nanoseconds);

} // namespace laggard::collect
