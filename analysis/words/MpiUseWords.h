// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/verdict/MpiUse.h"

#include <string>

namespace laggard {

/// What was wrong, in a sentence without its full stop. `error` is of this trace.
[[nodiscard]] std::string describe(const Trace &trace, const MpiUseError &error);

} // namespace laggard
