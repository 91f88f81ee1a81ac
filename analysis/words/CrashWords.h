// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/verdict/Crash.h"

#include <string>

namespace laggard {

/// What became of the first process: "crashed: segmentation fault (SIGSEGV) in update_cells (stencil.c:99)".
[[nodiscard]] std::string describeEndOf(const Trace &trace, const WaitForGraph &waits, const Crash &crash);

/// The same as an answer, with who crashed, in sentences.
[[nodiscard]] std::string describe(const Trace &trace, const WaitForGraph &waits, const Crash &crash);

/// " Rank 1 was ended by an alarm (SIGALRM)." of those whose time was up; empty without such.
[[nodiscard]] std::string describeLimits(const Trace &trace);

/// "segmentation fault (SIGSEGV)"; "signal 42" for one without a name.
[[nodiscard]] std::string describeSignal(std::int32_t signal);

/// "SIGSEGV"; "signal 42" for one without a name.
[[nodiscard]] std::string nameOfSignal(std::int32_t signal);

} // namespace laggard
