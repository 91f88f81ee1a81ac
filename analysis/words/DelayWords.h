// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/delays/Delays.h"

#include <string>

namespace laggard {

/// Who made the others wait, in a sentence or some; empty if nobody waited.
[[nodiscard]] std::string describe(const Trace &trace, const DelayReport &delays);

/// What a rank did once, before its first step or behind its last one, and how long that made each of the others wait.
[[nodiscard]] std::string describeOnce(const Trace &trace, const Delay &once);

} // namespace laggard
