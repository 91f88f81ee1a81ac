// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace laggard {

/// How likely `hits` or more of `trials` independent trials succeed, each with probability `chance` (0 to 1): 1 where `hits` is
/// not above the mean. If trials differ and `chance` is their mean, it is an upper bound (Hoeffding, *On the distribution of the
/// number of successes in independent trials*, 1956, theorem 4).
[[nodiscard]] double binomialTail(std::uint64_t trials, double chance, std::uint64_t hits);

} // namespace laggard
