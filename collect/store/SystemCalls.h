// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace laggard::collect {

/// True if a filter of system calls (seccomp) is installed for the calling thread, or that cannot be told: it may kill the
/// program for a call that is out of the ordinary. Async-signal-safe; keeps errno.
[[nodiscard]] bool areSystemCallsFiltered();

} // namespace laggard::collect
