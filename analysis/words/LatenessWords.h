// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/lateness/AlwaysLast.h"

#include <string>

namespace laggard {

/// Who came last on such occasions, and whether it recurs: a sentence or some; empty without ranks.
[[nodiscard]] std::string describe(const Lateness &lateness);

} // namespace laggard
