// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

namespace laggard {

/// Divides a row of things among processes: process p has those from the p-th border to the next. Each process has a stretch of
/// about equal weight; only with fewer things than processes some have none. `weights`: what each thing costs, beside itself.
[[nodiscard]] std::vector<std::uint64_t> shareBorders(const std::vector<std::uint64_t> &weights, unsigned processes);

} // namespace laggard
