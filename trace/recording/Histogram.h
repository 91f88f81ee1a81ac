// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>

namespace laggard {

/// Histogram with variable buckets (AutomaDeD §3.1): every value opens a bucket (an equal one joins it); beyond the limit the two
/// with the closest means merge, the lower pair of equals. Not finite values and weights that are not positive are ignored. Plain
/// data, so that a recorder can keep it in a mapped file. Buckets are in order of their means.
struct Histogram {
    static constexpr std::size_t maxBuckets = 20;
    struct Bucket {
        double mean = 0;
        double count = 0;
    };
    std::uint64_t used = 0;
    Bucket buckets[maxBuckets] = {};

    /// Adds `weight` values equal to `value`; `limit` is at most maxBuckets.
    void add(double value, double weight = 1, std::size_t limit = maxBuckets);
    /// Adds all values of another one (two tasks, or two runs): the buckets of both, then merged down to the limit. Symmetric.
    void merge(const Histogram &other, std::size_t limit = maxBuckets);
    /// Number of values.
    [[nodiscard]] double total() const;
};

} // namespace laggard
