// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/automaded/TwoMeans.h"

#include <algorithm>
#include <cmath>

namespace laggard {
namespace {

/// Sums over the first n values, taken from their overall mean so that squares do not cancel.
struct PrefixSums {
    std::vector<double> sum;
    std::vector<double> count;
    double total = 0; ///< sum of squared deviations of all
    double mean = 0;

    explicit PrefixSums(std::span<const CountedValue> values) {
        count.push_back(0);
        for (const CountedValue &v : values) {
            count.push_back(count.back() + v.count);
            mean += v.count * (v.value - mean) / count.back();
        }
        sum.push_back(0);
        for (const CountedValue &v : values) {
            sum.push_back(sum.back() + v.count * (v.value - mean));
            total += v.count * (v.value - mean) * (v.value - mean);
        }
    }
    /// Variance (as a sum of squares) explained by dividing after the first n.
    [[nodiscard]] double between(std::size_t n) const {
        const double rest = sum.back() - sum[n];
        return sum[n] * sum[n] / count[n] + rest * rest / (count.back() - count[n]);
    }
    [[nodiscard]] double meanBefore(std::size_t n) const { return mean + sum[n] / count[n]; }
    [[nodiscard]] double meanFrom(std::size_t n) const { return mean + (sum.back() - sum[n]) / (count.back() - count[n]); }
};

double sigmaOf(std::span<const CountedValue> values, double mean) {
    double count = 0;
    double squares = 0;
    for (const CountedValue &v : values) {
        count += v.count;
        squares += v.count * (v.value - mean) * (v.value - mean);
    }
    return count < 2 ? 0 : std::sqrt(squares / (count - 1));
}

std::vector<CountedValue> each(std::span<const double> values) {
    std::vector<CountedValue> result;
    for (const double value : values)
        result.push_back({value, 1});
    return result;
}

} // namespace

std::optional<TwoMeans> twoMeans(const std::vector<double> &values) { return twoMeansCounted(each(values)); }

std::optional<TwoMeans> twoMeansCounted(std::vector<CountedValue> values) {
    std::sort(values.begin(), values.end(), [](const CountedValue &a, const CountedValue &b) { return a.value < b.value; });
    if (values.size() < 2 || !(values.back().value > values.front().value))
        return {};
    const PrefixSums sums(values);
    std::size_t best = 0;
    double explained = -1;
    for (std::size_t n = 1; n < values.size(); ++n)
        if (values[n].value > values[n - 1].value && sums.between(n) >= explained) {
            explained = sums.between(n);
            best = n;
        }
    TwoMeans result;
    result.lowMean = sums.meanBefore(best);
    result.highMean = sums.meanFrom(best);
    result.gap = values[best].value - values[best - 1].value;
    result.threshold = values[best - 1].value + result.gap / 2;
    result.high = values.size() - best;
    result.explained = sums.total > 0 ? explained / sums.total : 0;
    const std::span<const CountedValue> all = values;
    result.lowSigma =
        sums.count[best] >= 2 ? sigmaOf(all.first(best), result.lowMean) : sigmaOf(all.subspan(best), result.highMean);
    return result;
}

std::optional<UpwardStep> upwardStep(std::span<const double> values, std::size_t margin) {
    margin = std::max<std::size_t>(margin, 1);
    if (values.size() < 2 * margin)
        return {};
    const PrefixSums sums(each(values));
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
