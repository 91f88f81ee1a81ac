// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/behaviour/SemiMarkov.h"

#include <string>

namespace laggard {

/// Why other clusters are told than those of the trained threshold: "The trained threshold tells 2 clusters apart, …". Empty
/// without a ToldCut.
[[nodiscard]] std::string remarkOnCut(const SemiMarkovReport &report);

} // namespace laggard
