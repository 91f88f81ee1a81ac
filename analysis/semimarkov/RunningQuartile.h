// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace laggard {

/// The lower quartile of what was added so far: the value at place (n − 1) / 4, rounded down, of n in rising order. Adding one
/// is logarithmic.
class RunningQuartile {
  public:
    void add(double value);
    /// Needs at least one value.
    [[nodiscard]] double value() const { return m_low.front(); }

  private:
    std::vector<double> m_low;  ///< a heap, the largest in front: the quartile and what is below
    std::vector<double> m_high; ///< a heap, the smallest in front: the others
};

/// Counts values that are below others, while they are added one after the other. Adding and counting are logarithmic.
class RunningCount {
  public:
    /// `values`: all that will be added, in any order.
    explicit RunningCount(std::span<const double> values);
    /// Adds one of them; each as often as it is there.
    void add(double value);
    /// How many of those added are below `limit`.
    [[nodiscard]] std::size_t below(double limit) const;

  private:
    [[nodiscard]] std::size_t placeOf(double limit) const;
    std::vector<double> m_sorted;
    std::vector<std::size_t> m_sums; ///< binary indexed tree (Fenwick 1994) over the places in m_sorted
};

} // namespace laggard
