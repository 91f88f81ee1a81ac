// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace laggard::replay {

/// What a rank says of a replay that went so (a word of trace/recording/ReplayPlan.h): the first such sentence in the new
/// recording; empty if no rank says it.
[[nodiscard]] std::string outcomeOf(const std::string &recording, const char *word);

} // namespace laggard::replay
