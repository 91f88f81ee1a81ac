// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <span>
#include <vector>

namespace laggard {

/// The middle value; if the number of values is even, the mean of the two in the middle. Reorders. Needs at least one.
[[nodiscard]] double medianOf(std::vector<double> values);

/// The best fit of a row of numbers by one upward step between two medians: a few values that are far off do not move it.
struct MedianStep {
    std::size_t at = 0; ///< first index after the step, > 0
    double before = 0;  ///< median
    double after = 0;   ///< median, > before
};

/// By least absolute deviations; of equal ones the first. Nothing if no step goes up. n log n.
[[nodiscard]] std::optional<MedianStep> medianStep(std::span<const double> values);

} // namespace laggard
