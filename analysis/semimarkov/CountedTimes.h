// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

namespace laggard {

/// Times of which several are alike: `count` >= 1 of them, as a whole number.
struct CountedTime {
    double seconds = 0;
    double count = 1;
};

/// Number of times.
[[nodiscard]] double totalCount(const std::vector<CountedTime> &times);

/// The time at position `rank` (from 0; at most the last one) if all were written one by one in rising order. Reorders. Linear in
/// the entries. Needs at least one.
[[nodiscard]] CountedTime takeSmallest(std::vector<CountedTime> &times, double rank);

/// Leaves out the `count` smallest, or largest, times: all, if there are no more. Reorders.
void cutSmallest(std::vector<CountedTime> &times, double count);
void cutLargest(std::vector<CountedTime> &times, double count);

} // namespace laggard
