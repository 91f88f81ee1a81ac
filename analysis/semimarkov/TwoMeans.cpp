// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/semimarkov/TwoMeans.h"

#include <algorithm>
#include <cmath>

namespace laggard {
namespace {

/// Sums over the first n values, taken from their overall mean so that squares do not cancel.
struct PrefixSums {
    std::vector<double> sum;
    double total = 0; ///< sum of squared deviations of all
    double mean = 0;

    explicit PrefixSums(std::span<const double> values) {
        for (const double v : values)
            mean += v / static_cast<double>(values.size());
        sum.push_back(0);
        for (const double v : values) {
            sum.push_back(sum.back() + (v - mean));
            total += (v - mean) * (v - mean);
        }
    }
    /// Variance (as a sum of squares) explained by dividing after the first n.
    [[nodiscard]] double between(std::size_t n) const {
        const auto count = static_cast<double>(sum.size() - 1);
        const auto low = static_cast<double>(n);
        const double rest = sum.back() - sum[n];
        return sum[n] * sum[n] / low + rest * rest / (count - low);
    }
    [[nodiscard]] double meanBefore(std::size_t n) const { return mean + sum[n] / static_cast<double>(n); }
    [[nodiscard]] double meanFrom(std::size_t n) const {
        return mean + (sum.back() - sum[n]) / static_cast<double>(sum.size() - 1 - n);
    }
};

double sigmaOf(std::span<const double> values, double mean) {
    if (values.size() < 2)
        return 0;
    double squares = 0;
    for (const double v : values)
        squares += (v - mean) * (v - mean);
    return std::sqrt(squares / static_cast<double>(values.size() - 1));
}

} // namespace

std::optional<TwoMeans> twoMeans(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    if (values.size() < 2 || !(values.back() > values.front()))
        return {};
    const PrefixSums sums(values);
    std::size_t best = 0;
    double explained = -1;
    for (std::size_t n = 1; n < values.size(); ++n)
        if (values[n] > values[n - 1] && sums.between(n) >= explained) {
            explained = sums.between(n);
            best = n;
        }
    TwoMeans result;
    result.lowMean = sums.meanBefore(best);
    result.highMean = sums.meanFrom(best);
    result.gap = values[best] - values[best - 1];
    result.threshold = values[best - 1] + result.gap / 2;
    result.high = values.size() - best;
    result.explained = sums.total > 0 ? explained / sums.total : 0;
    const std::span<const double> all = values;
    result.lowSigma = best >= 2 ? sigmaOf(all.first(best), result.lowMean) : sigmaOf(all.subspan(best), result.highMean);
    return result;
}

std::optional<UpwardStep> upwardStep(std::span<const double> values, std::size_t margin) {
    margin = std::max<std::size_t>(margin, 1);
    if (values.size() < 2 * margin)
        return {};
    const PrefixSums sums(values);
    // Correlation with the index, squared.
    const auto count = static_cast<double>(values.size());
    double along = 0;
    for (std::size_t i = 0; i < values.size(); ++i)
        along += (static_cast<double>(i) - (count - 1) / 2) * (values[i] - sums.mean);
    const double byLine = sums.total > 0 ? along * along / (sums.total * count * (count * count - 1) / 12) : 0;
    std::optional<UpwardStep> best;
    for (std::size_t n = margin; n + margin <= values.size(); ++n) {
        const double height = sums.meanFrom(n) - sums.meanBefore(n);
        const double explained = sums.total > 0 ? sums.between(n) / sums.total : 0;
        if (height > 0 && (!best || explained > best->explained))
            best = {n, height, explained, byLine};
    }
    return best;
}

} // namespace laggard
