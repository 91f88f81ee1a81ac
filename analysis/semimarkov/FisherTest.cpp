// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/semimarkov/FisherTest.h"

#include <algorithm>
#include <cmath>

namespace laggard {
namespace {

double logChoose(double n, double k) { return std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1); }

} // namespace

double fisherTest(double before, double after, double belowBefore, double belowAfter) {
    const double below = belowBefore + belowAfter;
    double sum = 0;
    for (double k = std::max(0.0, below - before); k <= belowAfter; ++k)
        sum += std::exp(logChoose(after, k) + logChoose(before, below - k) - logChoose(before + after, below));
    return sum;
}

} // namespace laggard
