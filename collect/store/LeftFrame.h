// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace laggard::collect {

/// True if the function of the recorder that has a variable at `frame` is no longer being executed by the calling thread: it was
/// left by longjmp(), an exception or pthread_exit(). `visitor`: a variable of the function by which the thread has come into the
/// recorder now, in whose frames nothing else can be; nullptr: all of the recorder's that are innermost belong to this visit.
/// Walks the stack, which takes microseconds: call it only where something is open and nothing should be. False where it cannot
/// be told.
[[nodiscard]] bool isLeft(const void *frame, const void *visitor = nullptr);

/// The address lies in the recorder's own library.
[[nodiscard]] bool isOwnCode(std::uintptr_t address);

} // namespace laggard::collect
