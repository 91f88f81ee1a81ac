// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <span>
#include <vector>

namespace laggard {

/// The exact best division of numbers into two classes (k-means with k = 2 in one dimension, AutomaDeD §4.2, §4.4): least sum of
/// squared distances from the class means; of equal divisions the one with the fewest high values.
struct TwoMeans {
    double threshold = 0; ///< middle of the gap: value > threshold is high
    double lowMean = 0;
    double highMean = 0;
    double gap = 0;       ///< smallest high − largest low value
    double lowSigma = 0;  ///< spread of the low class; of the high one if the low class is a single value
    double explained = 0; ///< share of the variance that the division explains, 0..1
    std::size_t high = 0; ///< how many

    /// 2-means always divides. The two classes count as different only if the division explains at least 0.8 of the variance
    /// (evenly spread values reach 0.75) and the gap is at least three times the spread of the low class (ours).
    [[nodiscard]] bool isClear() const { return explained >= 0.8 && gap >= 3 * lowSigma; }
};

/// Nothing for fewer than two different values.
[[nodiscard]] std::optional<TwoMeans> twoMeans(const std::vector<double> &values);

/// A value that is there several times.
struct CountedValue {
    double value = 0;
    double count = 1;
};
/// The same as if each value were there one by one. `high` counts entries.
[[nodiscard]] std::optional<TwoMeans> twoMeansCounted(std::vector<CountedValue> values);

/// The best fit of a row of numbers by one upward step.
struct UpwardStep {
    std::size_t at = 0;   ///< first index after the step
    double height = 0;    ///< mean after − mean before, > 0
    double explained = 0; ///< share of the variance, 0..1
    double byLine = 0;    ///< share of the variance that a straight line explains: a step of 0.75 may just as well be a slope
};

/// By least squares, with at least `margin` values on either side; nothing if no step goes up.
[[nodiscard]] std::optional<UpwardStep> upwardStep(std::span<const double> values, std::size_t margin);

} // namespace laggard
