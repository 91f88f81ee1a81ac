// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/outliers/Profiles.h"
#include "trace/Work.h"

#include <cstdint>
#include <vector>

namespace laggard {

/// A row and its distance (thesis equation 5.2), in units of ProfileSet::scale.
struct Neighbour {
    std::uint32_t row = none;
    std::uint32_t distance = 0;
    bool operator==(const Neighbour &) const = default;
};

/// Manhattan distance of two rows.
[[nodiscard]] std::uint32_t manhattan(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b);

/// The k-th nearest of the rows [0, candidates) to each row in [0, queries), itself left out; of equal distances the smaller row
/// comes first. `k` is from 1, at most the number of other candidates. Exact.
///
/// Rows are grouped, and each is known by its distance from its group's centre: that bounds distances from below and above by the
/// triangle inequality, the more narrowly the more components were looked at. Where the k-th distance lies is guessed from a
/// sample; only rows whose bounds straddle the guess are compared further, and where it was wrong all are.
/// O(queries × candidates × components) at worst. Throws Cancelled.
[[nodiscard]] std::vector<Neighbour> kthNeighbours(const ProfileSet &profiles, std::uint32_t queries, std::uint32_t candidates,
                                                   std::uint32_t k, const Work &work);

/// The nearest of the rows [begin, end) to each row in [0, queries). Exact, in the same way.
[[nodiscard]] std::vector<Neighbour> nearestOf(const ProfileSet &profiles, std::uint32_t queries, std::uint32_t begin,
                                               std::uint32_t end, const Work &work);

} // namespace laggard
