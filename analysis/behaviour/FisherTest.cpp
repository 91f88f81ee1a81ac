// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/behaviour/FisherTest.h"

#include <algorithm>
#include <cmath>

namespace laggard {
namespace {

constexpr double negligible = 1e-20; // part of the sum: terms fall geometrically, and a double has 16 digits

double logChoose(double n, double k) { return std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1); }

} // namespace

double fisherTest(double before, double after, double belowBefore, double belowAfter) {
    const double below = belowBefore + belowAfter;
    const double fewest = std::max(0.0, below - before);
    // The terms fall on either side of the most likely number: from there, or from the last one, until they no longer count.
    const double likeliest = std::floor((after + 1) * (below + 1) / (before + after + 2));
    const double first = std::clamp(likeliest, fewest, std::max(fewest, belowAfter));
    const double term = std::exp(logChoose(after, first) + logChoose(before, below - first) - logChoose(before + after, below));
    double sum = term;
    double next = term;
    for (double k = first; k > fewest && next > negligible * sum; --k)
        sum += next *= k * (before - below + k) / ((after - k + 1) * (below - k + 1));
    next = term;
    for (double k = first; k < belowAfter && next > negligible * sum; ++k)
        sum += next *= (after - k) * (below - k) / ((k + 1) * (before - below + k + 1));
    return sum;
}

} // namespace laggard
