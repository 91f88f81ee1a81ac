// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/lateness/BinomialTail.h"

#include <algorithm>
#include <cmath>

namespace laggard {

double binomialTail(std::uint64_t trials, double chance, std::uint64_t hits) {
    const auto n = static_cast<double>(trials);
    const auto k = static_cast<double>(hits);
    if (k <= n * chance || chance >= 1)
        return 1;
    if (hits > trials || chance <= 0)
        return 0;
    constexpr double negligible = 1e-17; // part of the sum: terms fall geometrically above the mean, and a double has 16 digits
    double term = std::exp(std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1) + k * std::log(chance) +
                           (n - k) * std::log1p(-chance));
    double sum = term;
    for (double i = k; i < n && term > negligible * sum; ++i)
        sum += term *= (n - i) / (i + 1) * chance / (1 - chance);
    return std::min(sum, 1.0);
}

} // namespace laggard
