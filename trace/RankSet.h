// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/Ids.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace laggard {

/// A sorted set of ranks without repetition.
using RankSet = std::vector<Rank>;

[[nodiscard]] inline bool contains(const RankSet &ranks, Rank rank) { return std::ranges::binary_search(ranks, rank); }

/// Ranks from the first to the second of each pair, in rising order, as files write them: damage can make billions of a few
/// bytes.
using RankRanges = std::vector<std::pair<Rank, Rank>>;

/// The ranks of these ranges that are below `count`.
[[nodiscard]] RankSet spelledOut(const RankRanges &ranges, std::size_t count);

/// "0-2,4-15" for {0,1,2,4,…,15}; empty for the empty set (PDI §5.3's ranges). `separator` stands between ranges.
[[nodiscard]] std::string formatRanges(const RankSet &ranks, std::string_view separator = ",");

/// The ranks of "0-2,4-15", sorted; spaces are allowed. Throws std::invalid_argument on anything else.
[[nodiscard]] RankSet parseRanges(std::string_view text);

/// Ranges for people: at most `most` of them, then "and N more".
[[nodiscard]] std::string describeRanges(const RankSet &ranks, std::size_t most = 8);

} // namespace laggard
